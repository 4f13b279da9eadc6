/** Words and sentences of the ten languages, and that no language's rule touches another. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recutChinese } from "../../src/languages/chinese-words.js";
import { findLanguage, LANGUAGES } from "../../src/languages/index.js";
import { recutJapanese } from "../../src/languages/japanese-words.js";
import { detokenise, splitSentences, tokenise } from "../../src/text/index.js";

/** Texts by language: ` | ` stands between sentences and is taken out, `·` between tokens without a blank. */
const CASES: Record<string, string[]> = {
  de: [
    "Am 3. Mai· kam er·. | Es war der 5·. | Dann ging sie·.",
    "Ludwig XIV. war König·. | Er lebte im 17. Jahrhundert·.",
    "Das kostet 2,5 Mio. Euro·, z. B. für Dr. Weiß·. | Gut·!",
    "„·Wie geht·'s·?·“· fragte er·. | »·Nein·.·« | Dann schwieg er·.",
    "Andrea's Auto ist alt·.",
  ],
  fr: [
    "J'·ai vu l'·État et l'·«·autre·» aujourd'hui·. | C'·est tout·.",
    "A·-t-il dit : « Non·. » | Puis il partit·.",
    "Qu'·est·-ce que c'·est ?· | Donne·-le·-moi au rendez-vous·.",
    "M. Dupont attend jusqu'·à demain·, n'·est·-ce pas ?",
    "D'Artagnan vint d'·Artagnan·. | L’·ÉTAT D’·URGENCE·.",
    "Il faut quelqu'un d'·autre·, c'est-à-dire l'·ami·.",
  ],
  it: [
    "L'·amico dell'·amico è un po' stanco·. | C'·è tempo·.",
    "Nell'·800 e nel '900 l'·11·% viveva lì·.",
    "D'Alema e Dell'Utri parlano di quest'·anno·.",
    "Il sig. Rossi abita in v.le Roma·. | È tardi·.",
  ],
  es: [
    "El Sr. Pérez vive en EE. UU. desde 1990·. | «·¿·Qué·?·»·, dijo·. | ¡·No·!",
    "Dámelo mañana·. | Vale·.",
  ],
  pt: [
    "Vou dá-·lo ao João·. | Vê-lo-ei amanhã·.",
    "Disse-·me que se tratava-·se de uma caixa-d'água·.",
    "O guarda-chuva do Sr. Silva sumiu·. | Deu-·no-·lo ontem·.",
  ],
  id: [
    "Anak-anak itu pergi ke rumahnya pada 3 Mei 1999·. | Harganya Rp2.500,00 dll·.",
    "Prof. Dr. Ir. H. Budi·, S.H.·, datang dari Jl. Merdeka No. 5·. | Dia pulang·.",
  ],
  is: [
    "Hann fæddist 17. júní 1811·. | „·Já·,·“· sagði hún·.",
    "Skv. 1. mgr. 5. gr. laga nr. 10/2000 o.s.frv. er það svo·. | Þetta er rétt·.",
    "Hún kom kl. 10.30 og fór t.d. í búð·.",
  ],
  ja: [
    "「·そう·です·か·。·」·と·彼·は·言っ·た·。 | 彼·は·「·行く·。·行き·たい·。·」·と·言っ·た·。",
    "「·はい·。·」 | 「·いいえ·。·」 | 食べ·られ·なかっ·た·。",
    "ジョン·・·スミス·さん·は·Google·へ·行っ·た·． | 雨·が·降っ·て·い·た·ので·、·家·で·遊ん·だ·。",
    "新しい·本·を·買い·に·行こう·と·思い·ます·。 | 美味しかっ·た·！",
    "時間·が·ない·から·急が·ない·と·いけ·ない·。",
    "少ない·金·で·危ない·橋·を·渡る·。 | 流れる·水·は·腐ら·ない·。",
  ],
  zh: [
    "他·在·北京·大学·学习·了·三·年·。 | “·你·去·哪儿·？·”·他·问·。",
    "他·说·：·“·走·吧·。 | 我们·走·。·” | 然后·他·走·了·！",
    "2019年·3月·12日·，·iPhone·公司·花·了·3.5亿·元·。",
    "这·个·使用者·的·目的·是·安全性·……",
    "好·吗·? | 他·来·（·真的·。·）·吗·？",
    "‘·你好·’·是·问候·。",
  ],
  th: ["ฉัน·รัก·ประเทศไทย·มาก"],
};

function plain(marked: string): string {
  return marked.replaceAll("·", "");
}

describe.each(Object.entries(CASES))("%s", (code, cases) => {
  const language = findLanguage(code);
  const glue = language.unspaced ? "" : " ";

  test.each(cases)("%s", (marked) => {
    const gold = marked.split(" | ");
    const text = gold.map(plain).join(glue);
    const sentences = splitSentences(text, { language });
    expect(sentences.map(({ begin, end }) => text.slice(begin, end))).toEqual(gold.map(plain));
    const tokens = sentences.map((sentence) =>
      tokenise(text, { language, sentences: [sentence] }).map((token) => token.text),
    );
    expect(tokens).toEqual(gold.map((sentence) => sentence.split(/·| /).filter(Boolean)));
  });

  test("words are put together as they were, and cut again at the same places", () => {
    for (const marked of cases) {
      const words = marked
        .replace(/ \| .*/, "")
        .split(/·| /)
        .filter(Boolean);
      const text = detokenise(words, { language });
      const again = tokenise(text, { language, sentences: [{ begin: 0, end: text.length }] });
      expect(again.map((token) => token.text)).toEqual(words);
    }
  });
});

/** Texts that the rules of these languages cut in their own way, and those of no other may. */
const OWN: [text: string, owners: string[]][] = [
  ["l'ami", ["fr", "it"]],
  ["j'ai", ["fr"]],
  ["qu'il", ["fr"]],
  ["dell'amico", ["it"]],
  ["un po' di", ["it"]],
  ["a-t-il", ["fr"]],
  ["dit-elle", ["fr"]],
  ["dá-lo", ["pt"]],
  ["deu-lhe", ["pt"]],
  ["d'água", ["pt", "fr", "it"]],
  ["ist's", ["de", "en"]],
  ["don't", ["en"]],
  ["'90s", ["en"]],
  ["'900", ["it"]],
  ["漢字仮名", ["ja", "zh"]],
  ["2019年に", ["ja", "zh"]],
  ["am 3. Mai", ["de", "is"]],
  ["Karl XIV. Johann", ["de", "is"]],
  ["Non. » Puis", ["fr"]],
  ["bzw. Peter", ["de"]],
  ["skv. Peter", ["is"]],
  ["Kol. Budi", ["id"]],
];

describe("no language's rule touches another", () => {
  const neutral = findLanguage("pl");
  const cut = (text: string, language: typeof neutral) => [
    splitSentences(text, { language }),
    tokenise(text, { language }),
  ];

  test.each(OWN)("%s", (text, owners) => {
    for (const language of LANGUAGES) {
      const same = JSON.stringify(cut(text, language)) === JSON.stringify(cut(text, neutral));
      if (owners.includes(language.code)) continue;
      expect([language.code, same]).toEqual([language.code, true]);
    }
    const owner = findLanguage(owners[0] as string);
    expect(cut(text, owner)).not.toEqual(cut(text, neutral));
  });

  test("Japanese and Chinese quotations go on with their own words only", () => {
    const count = (text: string, code: string) =>
      splitSentences(text, { language: findLanguage(code) }).length;
    const codes = ["ja", "zh", "en", "pl"];
    expect(codes.map((code) => count("「はい。」と言った。", code))).toEqual([1, 2, 2, 2]);
    expect(codes.map((code) => count("“走！”他说。", code))).toEqual([2, 1, 2, 2]);
  });

  test("nor does what was cut before", () => {
    const texts = fc.constantFrom(...OWN.map(([text]) => text));
    const languages = fc.constantFrom(...LANGUAGES, neutral);
    fc.assert(
      fc.property(fc.array(fc.tuple(texts, languages), { maxLength: 8 }), (before) => {
        const fresh = OWN.map(([text]) => JSON.stringify(cut(text, neutral)));
        for (const [text, language] of before) cut(text, language);
        expect(OWN.map(([text]) => JSON.stringify(cut(text, neutral)))).toEqual(fresh);
      }),
      { numRuns: 50 },
    );
  });
});

test.each([
  ["Japanese", recutJapanese, "食べられたのでしょう行ってはいけないから私の美しかった"],
  ["Chinese", recutChinese, "他在三年的目的了们者性个这使用走我国"],
])("%s words that are cut again are the same text", (_, recut, letters) => {
  const word = fc.string({ unit: fc.constantFrom(...letters, "𠮷"), minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 8 }), (words) => {
      const again = recut(words);
      expect(again.join("")).toBe(words.join(""));
      expect(again.every((each) => each !== "")).toBe(true);
    }),
    { numRuns: 500 },
  );
});
