import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Cleaner, type CleanOptions } from "../../src/brackets/clean.js";
import { InputError } from "../../src/errors.js";
import { parseCode } from "../../src/languages/codes.js";
import { english } from "../../src/languages/english.js";
import { WITH_GRAMMAR } from "../../src/languages/grammar-of.js";
import { canonicalCode, findLanguage, grammarOf, LANGUAGES } from "../../src/languages/index.js";
import { LONGEST_ABBREVIATION } from "../../src/text/abbreviations.js";
import { detokenise, splitSentences, tokenise } from "../../src/text/index.js";

const OTHERS = [...LANGUAGES.filter((language) => language !== english), findLanguage("pl")];

describe.each(LANGUAGES.map((language) => [language.name, language] as const))("%s", (_, it) => {
  test("is found by its code and has the name that others give it", () => {
    expect(findLanguage(it.code)).toBe(it);
    expect(new Intl.DisplayNames(["en"], { type: "language" }).of(it.code)).toBe(it.name);
  });

  test("has abbreviations that the splitter can find", () => {
    const words = [...it.sentences.abbreviations.keys()];
    if (!it.unspaced) expect(words.length).toBeGreaterThan(40);
    expect(words.filter((word) => word.length > LONGEST_ABBREVIATION)).toEqual([]);
    expect(words.filter((word) => /[-/]|\.$/.test(word))).toEqual([]);
  });

  test("has sentence starters in lower case, and those that are abbreviated among them", () => {
    const { starters, abbreviatedStarters } = it.sentences;
    if (!it.unspaced) expect(starters.size).toBeGreaterThan(50);
    expect([...starters].filter((word) => word !== word.toLowerCase())).toEqual([]);
    expect([...abbreviatedStarters].filter((word) => !starters.has(word))).toEqual([]);
  });

  test("does not split after an abbreviation that something always follows", () => {
    for (const [word, kind] of it.sentences.abbreviations) {
      if (kind !== "open") continue;
      const text = `Xx ${word}. Yyyy zz.`;
      expect(splitSentences(text, { language: it })).toHaveLength(1);
    }
  });
});

describe("codes", () => {
  test("come in a standard form, and fall back from regions and scripts", () => {
    expect(findLanguage("pt-BR").name).toBe("Portuguese");
    expect(findLanguage("DE-at-1996").code).toBe("de");
    expect(findLanguage("eng")).toBe(english);
    expect(canonicalCode("PT-br")).toBe("pt-BR");
  });

  test("without a file give neutral rules under that code", () => {
    expect(findLanguage("pl")).toMatchObject({ code: "pl", name: "Polish" });
    expect(findLanguage("sr-latn-rs")).toMatchObject({ code: "sr-Latn-RS" });
    expect(findLanguage("zh-hant-tw").code).toBe("zh");
    expect(findLanguage("xx").grammar).toBeUndefined();
  });

  test("are any that are well-formed, with variants and extensions", () => {
    const letters = fc.string({ unit: fc.constantFrom(..."abxu019"), minLength: 1, maxLength: 8 });
    const code = fc.array(letters, { minLength: 1, maxLength: 5 }).map((parts) => parts.join("-"));
    fc.assert(
      fc.property(code, (code) => {
        fc.pre(parseCode(code) !== undefined);
        expect(findLanguage(code).name).not.toBe("");
      }),
      { examples: [["be-x-old"], ["de-u-co-phonebk"], ["sl-rozaj-biske-1994"], ["und"]] },
    );
  });

  test.each(["", "e", "english", "en_US", "de-", "de-a", "..", "12", "en us", "e€"])(
    "%j is refused with a list of those that are known",
    (code) => {
      const refused = () => findLanguage(code);
      expect(refused).toThrow(InputError);
      expect(refused).toThrow(`"${code}" is not a language code`);
      const remedy = attempt(refused).remedy ?? "";
      for (const { code: known } of LANGUAGES) expect(remedy).toContain(`${known} (`);
    },
  );
});

/** The InputError that the work ends with. */
function attempt(work: () => unknown): InputError {
  try {
    work();
  } catch (error) {
    if (error instanceof InputError) return error;
  }
  throw new Error("there was no InputError");
}

describe("neutral rules", () => {
  const words = (text: string) =>
    tokenise(text, { language: findLanguage("pl") }).map((token) => token.text);

  test("keep numbers, shared abbreviations and years whole", () => {
    expect(words("Dr. Nowak zapłacił 2,5 i 1.000,50 w '89, itd.")).toEqual(
      "Dr. Nowak zapłacił 2,5 i 1.000,50 w '89 , itd .".split(" "),
    );
  });

  test("split sentences", () => {
    const text = "To jest dom. Czy to kot? Tak!";
    expect(splitSentences(text, { language: findLanguage("pl") })).toHaveLength(3);
  });
});

describe("no English rule touches another language", () => {
  const language = fc.constantFrom(...OTHERS);
  const apostrophe = fc.constantFrom("'", "’");
  const stem = fc.constantFrom("do", "ca", "John", "we", "Hans", "Z", "Müller", "DOES");
  const clitic = fc.constantFrom("n't", "'s", "'re", "'ve", "'ll", "'d", "'m", "n't've", "N'T");
  const word = fc.oneof(
    fc.tuple(stem, clitic, apostrophe).map(([first, last, sign]) => first + swap(last, sign)),
    fc.constantFrom("cannot", "gonna", "Wanna", "GOTTA", "gimme", "lemme", "more'n", "don't"),
  );
  const swap = (text: string, sign: string) => text.replaceAll("'", sign);
  const texts = (source: string, options = {}) =>
    tokenise(source, options).map((token) => token.text);

  test("words stay whole that English cuts", () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), language, (words, language) => {
        expect(texts(words.join(" "), { language })).toEqual(words);
        expect(texts(words.join(" ")).length).toBeGreaterThan(words.length);
      }),
    );
  });

  test("what English clips is a quote and a word", () => {
    const clipped = fc.constantFrom("em", "tis", "twas", "cause", "til", "n", "s", "re", "80s");
    fc.assert(
      fc.property(clipped, apostrophe, language, (rest, sign, language) => {
        expect(texts(`a ${sign}${rest} b`, { language })).toEqual(["a", sign, rest, "b"]);
      }),
    );
    for (const language of OTHERS) {
      expect(texts("a cup o' tea", { language })).toEqual(["a", "cup", "o", "'", "tea"]);
    }
  });

  test("words are not glued that English glues", () => {
    fc.assert(
      fc.property(clitic, language, (clitic, language) => {
        expect(detokenise(["xx", clitic], { language })).toBe(`xx ${clitic}`);
      }),
    );
    for (const language of OTHERS) {
      expect(detokenise(["can", "not", "gon", "na"], { language })).toBe("can not gon na");
    }
    expect(detokenise(["can", "not", "gon", "na"])).toBe("cannot gonna");
  });

  test.each<[string, CleanOptions]>([
    ["takeDeterminers", { takeDeterminers: true }],
    ["addParts", { addParts: true }],
    ["markFlat", { markFlat: true }],
  ])("%s needs a grammar", (_, options) => {
    // Japanese has rules of its own for parts and flat phrases: its particles show them.
    const without = OTHERS.filter(({ particles }) => options.takeDeterminers || !particles);
    for (const language of without) {
      const error = attempt(() => new Cleaner({ ...options, language }, () => {}));
      expect(error.problem).toContain(`${language.name} (${language.code})`);
      expect(error.remedy).toContain("en (English)");
    }
    expect(() => new Cleaner(options, () => {})).not.toThrow();
  });
});

test("the languages that have a grammar are those that the error names", () => {
  expect(WITH_GRAMMAR).toEqual(LANGUAGES.filter(({ grammar }) => grammar));
});

describe("the grammar of English", () => {
  const grammar = grammarOf(english);

  test("has words in any letter case, but for names that look like them", () => {
    expect(["the", "The", "THE"].every((word) => grammar.determiners.has(word))).toBe(true);
    expect(["may", "will", "MAY"].every((word) => grammar.auxiliaries.has(word))).toBe(true);
    expect(["May", "Will"].some((word) => grammar.auxiliaries.has(word))).toBe(false);
    expect(grammar.determiners.has(undefined)).toBe(false);
  });

  test("has words by their ending", () => {
    expect(grammar.adverbs.has("suddenly")).toBe(true);
    expect(grammar.participles.has("involved")).toBe(true);
    expect(grammar.participles.has("house")).toBe(false);
  });
});
