/** Words split at their hyphens: where the parts of a sentence end up, and which of them are phrases. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Bracketing, parseBracketing, toLine } from "../../src/brackets/record.js";
import { splitHyphens } from "../../src/brackets/split-hyphens.js";
import { english } from "../../src/languages/english.js";
import { grammarOf } from "../../src/languages/grammar-of.js";

const grammar = grammarOf(english);

function split(text: string, given: Partial<Bracketing> = {}): Bracketing | undefined {
  const bracketing = { tokens: text.split(" "), brackets: [], source: "", id: "", ...given };
  return splitHyphens(bracketing, grammar);
}

function phrases(record: Bracketing | undefined, kind: string): string[] {
  return (record?.brackets ?? [])
    .filter((_, index) => record?.kinds?.[index] === kind)
    .map(([begin, end]) => (record?.tokens ?? []).slice(begin, end).join(" "));
}

describe("which words are split", () => {
  test.each([
    ["a wild-type mouse", "a wild - type mouse"],
    ["a state-of-the-art boat", "a state - of - the - art boat"],
    ["a 5-year plan", "a 5 - year plan"],
  ])("%s", (text, expected) => {
    expect(split(text)?.tokens.join(" ")).toBe(expected);
  });

  test.each([
    "Jean-Luc left",
    "in 1990-1995",
    "they re-elected him",
    "he left -",
    "an A-B test",
    "old boats",
  ])("not: %s", (text) => expect(split(text)).toBeUndefined());
});

describe("which parts are phrases", () => {
  test.each([
    ["before a noun", "a wild-type mouse", ["wild - type"]],
    ["after a copula", "it is calcium-dependent .", ["calcium - dependent"]],
    ["not if the phrase goes on", "it is well-known for that", []],
    ["not the noun itself", "a break-in in Rome", []],
  ])("%s", (_, text, expected) => {
    expect(phrases(split(text), "part")).toEqual(expected);
  });

  test("not before a verb", () => {
    const verb: Partial<Bracketing> = { brackets: [[2, 4]], kinds: ["predicate"] };
    expect(phrases(split("the break-in surprised him", verb), "part")).toEqual([]);
  });

  test("spans of some of its parts are none", () => {
    expect(phrases(split("a wild-type mouse"), "fragment")).toEqual(["wild -", "- type"]);
  });

  test("a bracket that people gave stays the only one", () => {
    const record = split("red-haired men left", { brackets: [[0, 1]], kinds: ["answer"] });
    expect(phrases(record, "answer")).toEqual(["red - haired"]);
    expect(phrases(record, "part")).toEqual([]);
  });
});

test("brackets have the same words as before, and offsets the same text", () => {
  const word = fc.constantFrom("old", "wild-type", "mice", "so-called", "x", "re-elect", "-", ",");
  const sentence = fc.array(word, { minLength: 1, maxLength: 8 }).chain((tokens) => {
    const place = fc.nat(tokens.length - 1);
    const bracket = fc.tuple(place, place).map(([a, b]): [number, number] => {
      return [Math.min(a, b), Math.max(a, b) + 1];
    });
    return fc.record({
      tokens: fc.constant(tokens),
      brackets: fc.array(bracket, { maxLength: 4 }),
    });
  });
  fc.assert(
    fc.property(sentence, ({ tokens, brackets }) => {
      const text = tokens.join(" ");
      let end = -1;
      const offsets = tokens.map((token): [number, number] => {
        const begin = end + 1;
        end = begin + token.length;
        return [begin, end];
      });
      const kinds = brackets.map(() => "answer");
      const given = { tokens, brackets, kinds, text, offsets, source: "", id: "" };
      const record = splitHyphens(given, grammar);
      if (!record) return;
      expect(parseBracketing(toLine(record))).toEqual(record);
      const written = (of: Bracketing, [begin, after]: readonly [number, number]) =>
        of.tokens.slice(begin, after).join("").replaceAll("-", "");
      for (const [index, bracket] of brackets.entries()) {
        const moved = record.brackets[index] as readonly [number, number];
        expect(written(record, moved)).toBe(written(given, bracket));
      }
      expect(record.offsets?.map(([from, to]) => text.slice(from, to))).toEqual(record.tokens);
    }),
  );
});
