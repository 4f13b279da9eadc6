import { describe, expect, test } from "vitest";
import { findLanguage } from "../../src/languages/index.js";
import { splitSentences } from "../../src/text/index.js";

/** Each case is a text whose sentences are parted by ` | `; the bar is taken out before splitting. */
const CASES: Record<string, string[]> = {
  "plain ends": [
    "It rained. | We stayed in. | Nobody minded.",
    "Who came? | Ann! | She was early?! | Yes.",
    "It grew in 1990. | 25 people joined.",
    "It measures 3.5 m and costs 1,000.50 dollars. | That is a lot.",
  ],
  abbreviations: [
    "Mr. Lee met Mrs. Bell and Dr. Wu. | They talked.",
    "Prof. A. B. Stone spoke. | Gen. Ray left at 5 p.m. on Monday.",
    "She joined Acme Corp. in May. | He runs Widgets Inc. of Boston.",
    "She joined Acme Corp. | The firm grew.",
    "Acme Inc. President Jo Bell resigned.",
    "He moved to the U.S. | It was cold.",
    "He moved to the U.S. Virgin Islands.",
    "Fruit, e.g. apples, i.e. Malus, was sold vs. Pears.",
    "See Fig. 3 and cf. Eq. 2 in Vol. 4, No. 7, p. 12. | It is clear.",
    "Stone et al. (2001) found approx. Ten of them. | The rest fled.",
    "On Jan. 5 and Sept. 9 it shut. | Few noticed.",
    "No. | He would not.",
    "He is 6 ft. 3 in. tall. | See Sec. 4 and vol. II of it.",
    "They sold pens, paper, etc. | Business was good.",
    "St. John's is near Mt. Pearl.",
    "They chose plan B. | The others slept.",
    "Water boils at 100 C. | Lead does not.",
    "He lives in Newark, N.J. | He likes it.",
    "J. R. R. Stone wrote it.",
    "Her son, Al Moss Jr. | He is ten.",
  ],
  "quotes and brackets": [
    'He said, "I left." | Then he slept.',
    "“It is late.” | “So it is.”",
    '"Why?" she asked. | "Stop!" he cried.',
    "(He left early.) | Then it rained.",
    "It rained (who knew?) All day long, said Ann.",
    "He came from Salem (Mass.) and stayed. | Good.",
    "They won. | (Nobody had expected that.) | It was fun.",
    "First point. | (a) Alpha is first. | (b) Beta is next.",
    "He paid.[1] | She left.[2][note 3] | They met.",
  ],
  ellipses: [
    "He waited... | Then he left.",
    "He waited... and left… slowly.",
    "They said [...] Nothing at all.",
    "It goes on ... Nobody knows.",
    "So it ended.... | Then came spring.",
  ],
  "small letters": [
    "Yahoo! announced it. | Yahoo! Inc. confirmed it.",
    "It costs approx. five coins.",
    "They sell phones. | iPhone sales fell. | eBay rose.",
    "We tested two genes. | p53 was one.",
  ],
  addresses: [
    "Visit example.org. | It is free.",
    "See https://example.org/a.b?c=d. | Then write to a.b@example.org. | Thanks.",
    "Use Node.js. | It works.",
  ],
  lists: ["1. Wash the rice. | 2. Boil it.", "Two rules: 1. Stay calm. | 2. Breathe."],
  "other scripts": ["今日は晴れ。|明日は雨！|本当？", "هل جاء؟ | نعم جاء.", "वह आया। | वह गया।"],
};

const OTHER_LANGUAGES: [code: string, text: string][] = [
  ["de", "Am 3. Mai begann der 2. Weltkrieg nicht. | Er begann später."],
  ["de", "Das gilt z. B. für Äpfel, bzw. Birnen, d. h. Obst. | Die Nr. 5 fehlt."],
  ["de", "Er starb 1832. | Danach kam nichts."],
  ["de", "»Komm her.« | Sie kam. | „Geh!“ | Er ging."],
  ["es", "¿Vienes? | ¡Claro que sí! | El Sr. Ruiz vive en EE.UU. desde 1990."],
  ["es", "Vino la Dra. Gil. | ¿Y quién más?"],
  ["fr", "M. Dupont a dit : « Je pars. » | Puis il est parti."],
  ["fr", "Voir p. ex. la fig. 3. | Il fait beau."],
  ["it", "Il Sig. Rossi e il Dott. Bianchi, ecc. | La riunione finì."],
  ["nl", "Dhr. Jansen kwam bijv. te laat. | Hij lachte."],
  ["pt", "O Sr. Silva mora na Av. Central. | Ele trabalha."],
];

function split(text: string, code = "en"): string[] {
  const language = findLanguage(code);
  return splitSentences(text, { language }).map(({ begin, end }) => text.slice(begin, end));
}

for (const [rule, cases] of Object.entries(CASES)) {
  describe(rule, () => {
    test.each(cases)("%s", (marked) => {
      const glue = marked.includes(" | ") ? " " : "";
      const sentences = marked.split(/ ?\| ?/);
      expect(split(sentences.join(glue))).toEqual(sentences);
    });
  });
}

describe("other languages", () => {
  test.each(OTHER_LANGUAGES)("%s: %s", (code, marked) => {
    const sentences = marked.split(" | ");
    expect(split(sentences.join(" "), code)).toEqual(sentences);
  });
});

describe("line breaks", () => {
  test("one is a blank, two end a sentence", () => {
    expect(split("A title\n\nIt rained\nall day.\nWe slept.")).toEqual([
      "A title",
      "It rained\nall day.",
      "We slept.",
    ]);
  });

  test("a blank line may hold blanks and carriage returns", () => {
    expect(split("One\r\n \t\r\ntwo\u2029three")).toEqual(["One", "two", "three"]);
  });

  test("a blank line ends a sentence even after a title", () => {
    expect(split("Ask Mr.\n\nSmith")).toEqual(["Ask Mr.", "Smith"]);
  });

  test("bullets begin sentences", () => {
    expect(split("We need\n- apples\n* pears\n• plums")).toEqual([
      "We need",
      "- apples",
      "* pears",
      "• plums",
    ]);
  });
});

test("offsets leave out the blanks around a sentence", () => {
  expect(splitSentences("  One.  Two. ")).toEqual([
    { begin: 2, end: 6 },
    { begin: 8, end: 12 },
  ]);
});
