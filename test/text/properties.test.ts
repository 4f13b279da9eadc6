import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findLanguage, LANGUAGES } from "../../src/languages/index.js";
import { splitSentences, tokenise } from "../../src/text/index.js";

const BLANK = /[\s\u0085\u200b]/;

/** Pieces that the rules care about, between arbitrary ones. */
const PIECES = [
  ..." \n\t\u00a0\u2029.!?…,;:'’‘\"“”«»()[]{}-–—/\\&%$£#@*=+~_°^|<>`0123456789aAsStTnNéß",
  "n't",
  "'s",
  "'tis",
  "cannot",
  "U.S.",
  "Mr.",
  "Inc.",
  "http://",
  "www.",
  "a@b.c",
  "...",
  "--",
  "。",
  "؟",
  "।",
  "שלום",
  "مرحبا",
  "\u202e",
  "\u200d",
  "\ufe0f",
  "\u0301",
  "👩‍👩‍👧",
  "🇫🇷",
  "\ud83d",
  "\udc00",
  "𝒜",
  "𐍈",
  "\u0000",
  "\u0085",
  "\u200b",
  "[1]",
  "\n\n",
  "\r\n",
  "l'",
  "dell'",
  "-t-il",
  "-lo",
  "aujourd'hui",
  "3.",
  "XIV.",
  "漢字",
  "食べられた",
  "他在三年的",
  "𠮷",
  "2019年",
  "「",
  "」",
  "（",
  "）",
  "！",
  "．",
  "ไทย",
];
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ unit: fc.constantFrom(...PIECES), maxLength: 60 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
    .map((units) => String.fromCharCode(...units)),
);
const language = fc.constantFrom(...LANGUAGES, findLanguage("pl"), findLanguage("th"));
const RUNS = { numRuns: 2000 };

interface Place {
  readonly begin: number;
  readonly end: number;
}

/** Whether the places are in order, none empty, none overlapping, all inside the source. */
function areOrdered(source: string, places: readonly Place[]): boolean {
  const ends = [0, ...places.map(({ end }) => end)];
  const ordered = places.every(
    ({ begin, end }, index) => begin >= (ends[index] ?? 0) && end > begin,
  );
  return ordered && (ends.at(-1) ?? 0) <= source.length;
}

/** The characters that lie in no place. */
function outside(source: string, places: readonly Place[]): string[] {
  const units = source.split("");
  for (const { begin, end } of places) units.fill("", begin, end);
  return units.filter((unit) => unit !== "");
}

describe("tokens", () => {
  test("are slices in order that hold every character but blanks", () => {
    fc.assert(
      fc.property(text, language, (source, language) => {
        const tokens = tokenise(source, { language });
        expect(areOrdered(source, tokens)).toBe(true);
        expect(tokens.every(({ text, begin, end }) => text === source.slice(begin, end))).toBe(
          true,
        );
        expect(tokens.filter(({ text }) => BLANK.test(text))).toEqual([]);
        expect(outside(source, tokens).filter((unit) => !BLANK.test(unit))).toEqual([]);
      }),
      RUNS,
    );
  });

  test("never cut a character in two", () => {
    fc.assert(
      fc.property(text, language, (source, language) => {
        const cut = tokenise(source, { language }).filter(
          ({ begin }) => (source.codePointAt(begin - 1) ?? 0) > 0xffff,
        );
        expect(cut).toEqual([]);
      }),
      RUNS,
    );
  });

  test("do not cross sentences", () => {
    fc.assert(
      fc.property(text, language, (source, language) => {
        const sentences = splitSentences(source, { language });
        const homeless = tokenise(source, { language }).filter(
          (token) => !sentences.some(({ begin, end }) => begin <= token.begin && token.end <= end),
        );
        expect(homeless).toEqual([]);
      }),
      RUNS,
    );
  });
});

describe("sentences", () => {
  test("are in order, trimmed, and hold every character but blanks", () => {
    fc.assert(
      fc.property(text, language, (source, language) => {
        const sentences = splitSentences(source, { language });
        const texts = sentences.map(({ begin, end }) => source.slice(begin, end));
        expect(areOrdered(source, sentences)).toBe(true);
        expect(texts.filter((text) => /^[\s\u0085\u200b]|[\s\u0085\u200b]$/.test(text))).toEqual(
          [],
        );
        expect(outside(source, sentences).filter((unit) => !BLANK.test(unit))).toEqual([]);
      }),
      RUNS,
    );
  });
});
