import { describe, expect, test } from "vitest";
import { findLanguage } from "../../src/languages/index.js";
import { tokenise } from "../../src/text/index.js";

/** A text, and its tokens with a blank between; the text must not hold tokens with blanks. */
const CASES: Record<string, [text: string, tokens: string][]> = {
  contractions: [
    ["I don't think it's John's.", "I do n't think it 's John 's ."],
    ["You're late, I'm not, we've left.", "You 're late , I 'm not , we 've left ."],
    ["She'd go if they'll pay.", "She 'd go if they 'll pay ."],
    ["I shouldn't've asked.", "I should n't 've asked ."],
    ["They can't, won't and cannot.", "They ca n't , wo n't and can not ."],
    ["Gonna, wanna, gotta: gimme, lemme!", "Gon na , wan na , got ta : gim me , lem me !"],
    ["'Tis late; 'twas dark.", "'T is late ; 't was dark ."],
    ["How d'ye do?", "How d 'ye do ?"],
    ["The students' books", "The students ' books"],
    ["I don’t know; it’s Ann’s, ’tis ours.", "I do n’t know ; it ’s Ann ’s , ’t is ours ."],
    ["The 1980's were loud.", "The 1980 's were loud ."],
    ["CAN'T STOP", "CA N'T STOP"],
  ],
  "apostrophes inside words and in front of them": [
    ["O'Brien met D'Arcy at five o'clock.", "O'Brien met D'Arcy at five o'clock ."],
    ["C'mon, ma'am", "C'mon , ma'am"],
    ["the '80s and the summer of '69", "the '80s and the summer of '69"],
    ["rock 'n' roll", "rock 'n' roll"],
    ["Tell 'em to wait 'til noon", "Tell 'em to wait 'til noon"],
    ["a cup o' tea", "a cup o' tea"],
    ["a McDonald's-style shop", "a McDonald's-style shop"],
    ["the 'soft' option", "the ' soft ' option"],
  ],
  quotes: [
    ['He said "no" twice.', 'He said " no " twice .'],
    ["He said “no” and ‘yes’.", "He said “ no ” and ‘ yes ’ ."],
    ["``Penn'' quotes", "`` Penn '' quotes"],
    ["« oui », dit-il, „ja“", "« oui » , dit-il , „ ja “"],
    ['"Stop!" he cried.', '" Stop ! " he cried .'],
  ],
  "hyphens and dashes": [
    ["a well-known U.S.-based firm", "a well-known U.S.-based firm"],
    ["It rained -- hard--all day", "It rained -- hard -- all day"],
    ["pages 3–5 — yes—no", "pages 3 – 5 — yes — no"],
    ["short- and long-term", "short- and long-term"],
    ["a 62%-owned unit", "a 62%-owned unit"],
    ["the suffix -ness", "the suffix -ness"],
    ["It fell to -40 or +5.5", "It fell to -40 or +5.5"],
  ],
  "dots and marks": [
    ["Well... perhaps… no", "Well ... perhaps … no"],
    ["And so on....", "And so on ... ."],
    ["Really?! No!!!", "Really ?! No !!!"],
    ["one,two;three:four", "one , two ; three : four"],
    ["¿Qué? ¡No!", "¿ Qué ? ¡ No !"],
  ],
  numbers: [
    ["It cost $1,000.50 or US$5, C$7 and £9.", "It cost $ 1,000.50 or US$ 5 , C$ 7 and £ 9 ."],
    ["3/4 of 5% at 10:30", "3/4 of 5 % at 10:30"],
    ["a 5kg bag for 7€ and #5", "a 5kg bag for 7 € and # 5"],
    ["1,00,000 rupees, [1,2]", "1,00,000 rupees , [ 1 , 2 ]"],
    ["p < .05, n=12", "p < .05 , n = 12"],
    ["at 4 °C or 39°F", "at 4 °C or 39 °F"],
    ["3½ hours", "3½ hours"],
  ],
  "addresses, tags and paths": [
    ["See https://example.org/a_(b)?c=1&d=2.", "See https://example.org/a_(b)?c=1&d=2 ."],
    ["(see http://example.org/x)", "( see http://example.org/x )"],
    [
      "at www.example.org, or example.com/a?b=c#d!",
      "at www.example.org , or example.com/a?b=c#d !",
    ],
    ["Write to jo.doe+x@example.co.uk.", "Write to jo.doe+x@example.co.uk ."],
    ["@someone likes #treebanks", "@someone likes #treebanks"],
    ["in /usr/local/bin, ~/notes.txt and ../a", "in /usr/local/bin , ~/notes.txt and ../a"],
    ["open C:\\Users\\me\\a.txt", "open C:\\Users\\me\\a.txt"],
    ["src/text/index.ts and Node.js", "src/text/index.ts and Node.js"],
    ["the sound /k/", "the sound / k /"],
    ["doi:10.1000/abc.1 is cited", "doi:10.1000/abc.1 is cited"],
  ],
  "slashes and signs": [
    ["and/or he/she at 5 km/h", "and/or he/she at 5 km/h"],
    ["AT&T, R&D, Smith & Sons", "AT&T , R&D , Smith & Sons"],
    ["C++, C# and Ca2+ but 1+1", "C++ , C# and Ca2+ but 1 + 1"],
    ["x == y *** z", "x == y *** z"],
  ],
  brackets: [
    ["f(x)[0] {a}", "f ( x ) [ 0 ] { a }"],
    ["(He left.) Then (etc.) more", "( He left . ) Then ( etc. ) more"],
  ],
  "full stops": [
    [
      "Mr. Lee of Acme Inc. met Dr. Wu, Jr., in Jan. 2001.",
      "Mr. Lee of Acme Inc. met Dr. Wu , Jr. , in Jan. 2001 .",
    ],
    [
      "J. R. Moss, e.g., came at 5 a.m. from No. 7.",
      "J. R. Moss , e.g. , came at 5 a.m. from No. 7 .",
    ],
    ["He works for Acme Corp.", "He works for Acme Corp ."],
    ["They moved to the U.S.", "They moved to the U.S ."],
    ['"They moved to the U.S."', '" They moved to the U.S . "'],
    ["Acme Corp.'s debts (Boston, Mass.) grew.", "Acme Corp. 's debts ( Boston , Mass. ) grew ."],
    ["One ends. Two ends.", "One ends . Two ends ."],
    ["1. Wash the rice.", "1 . Wash the rice ."],
    ['He said "art." and "no." to us', 'He said " art . " and " no . " to us'],
    ["an unkn. word goes on", "an unkn. word goes on"],
  ],
  "other scripts and pictures": [
    ["Привет, мир!", "Привет , мир !"],
    ["مرحبا، كيف؟", "مرحبا ، كيف ؟"],
    ["naïve café Ångström", "naïve café Ångström"],
    ["ok👍🏽done 👩‍👩‍👧🇫🇷", "ok 👍🏽 done 👩‍👩‍👧 🇫🇷"],
    ["a\u00a0b\u2009c\u3000d\u200be", "a b c d e"],
  ],
};

for (const [rule, cases] of Object.entries(CASES)) {
  describe(rule, () => {
    test.each(cases)("%s", (text, tokens) => {
      expect(tokenise(text).map((token) => token.text)).toEqual(tokens.split(" "));
    });
  });
}

describe("tokenise", () => {
  test("gives offsets into the source", () => {
    expect(tokenise(" I can't.")).toEqual([
      { text: "I", begin: 1, end: 2 },
      { text: "ca", begin: 3, end: 5 },
      { text: "n't", begin: 5, end: 8 },
      { text: ".", begin: 8, end: 9 },
    ]);
  });

  test("tokenises only the sentences it is given", () => {
    const tokens = tokenise("One. Two. Three.", { sentences: [{ begin: 5, end: 9 }] });
    expect(tokens.map((token) => token.text)).toEqual(["Two", "."]);
  });

  test("believes the sentences it is given", () => {
    const text = "Ask Mrs. Bell vs. him";
    const sentences = [{ begin: 0, end: text.length }];
    expect(tokenise(text, { sentences }).map((token) => token.text)).toContain("Mrs.");
  });

  test("keeps the ordinals and the decimal comma of German", () => {
    const tokens = tokenise("Am 3. Mai kostete es 2,5 Mio. Euro.", {
      language: findLanguage("de"),
    });
    expect(tokens.map((token) => token.text).join(" ")).toBe(
      "Am 3. Mai kostete es 2,5 Mio. Euro .",
    );
  });

  test("gives nothing for nothing", () => {
    expect(tokenise("")).toEqual([]);
    expect(tokenise(" \n\t ")).toEqual([]);
  });
});
