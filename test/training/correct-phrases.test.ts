import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { spanIndex } from "../../src/chart/index.js";
import { english } from "../../src/languages/english.js";
import type { Grammar } from "../../src/languages/grammar.js";
import { limitToObjects, limitToOnePhrase } from "../../src/training/correct-phrases.js";

const grammar = english.grammar as Grammar;
const WORDS = ["in", "by", "because", "of", "the", "house", "Rome", "which", "left"];
const nobody = () => false;

function limited(
  tokens: readonly string[],
  marginals: readonly number[],
  phrases: readonly number[],
  isPhrase: (begin: number, end: number) => boolean = nobody,
) {
  const matrices = { marginals: Float64Array.from(marginals), phrases: Float64Array.from(phrases) };
  limitToObjects({ tokens, ...matrices, isPhrase }, grammar);
  const at = (begin: number, end: number) => spanIndex(tokens.length, begin, end);
  return {
    phrase: (begin: number, end: number) => matrices.phrases[at(begin, end)] as number,
    total: (begin: number, end: number) =>
      (matrices.phrases[at(begin, end)] as number) * (marginals[at(begin, end)] as number),
  };
}

const cases = fc
  .array(fc.constantFrom(...WORDS), { minLength: 3, maxLength: 7 })
  .chain((tokens) => {
    const numbers = fc.array(fc.float({ min: 0, max: 1, noNaN: true }), {
      minLength: tokens.length ** 2,
      maxLength: tokens.length ** 2,
    });
    return fc.tuple(fc.constant(tokens), numbers, numbers);
  });

test("no prepositional phrase is likelier than its object, and nothing else changes", () => {
  fc.assert(
    fc.property(cases, ([tokens, marginals, phrases]) => {
      const { phrase, total } = limited(tokens, marginals, phrases);
      for (let begin = 0; begin < tokens.length; begin++) {
        const isPreposition = ["in", "by", "of"].includes(tokens[begin] as string);
        for (let end = begin + 2; end <= tokens.length; end++) {
          const before = phrases[spanIndex(tokens.length, begin, end)] as number;
          const hasObject = isPreposition && tokens[begin + 1] !== "which" && end - begin > 2;
          if (!hasObject) expect(phrase(begin, end)).toBe(before);
          else {
            expect(phrase(begin, end)).toBeLessThanOrEqual(before);
            expect(total(begin, end)).toBeLessThanOrEqual(total(begin + 1, end) + 1e-6);
          }
        }
      }
    }),
  );
});

test("an object that is a prepositional phrase is limited first", () => {
  const tokens = ["in", "by", "the", "house"];
  const ones = tokens.flatMap(() => tokens.map(() => 1));
  const phrases = [...ones];
  phrases[spanIndex(4, 2, 4)] = 0.25;
  const { phrase } = limited(tokens, ones, phrases);
  expect([phrase(1, 4), phrase(0, 4)]).toEqual([0.25, 0.25]);
});

test("what people marked as a phrase stays one", () => {
  const tokens = ["in", "the", "house"];
  const ones = tokens.flatMap(() => tokens.map(() => 1));
  const phrases = [...ones];
  phrases[spanIndex(3, 1, 3)] = 0.5;
  const marked = limited(tokens, ones, phrases, (begin, end) => begin === 0 && end === 3);
  expect(marked.phrase(0, 3)).toBe(1);
  expect(limited(tokens, ones, phrases).phrase(0, 3)).toBe(0.5);
});

describe("phrases that begin with the same head", () => {
  /** The probabilities of phrases from the first word to each end, if all trees have them. */
  function shared(
    text: string,
    phrases: Record<number, number>,
    { label = "PP", sure = [] as readonly number[] } = {},
  ) {
    const tokens = text.split(" ");
    const size = tokens.length;
    const values = new Float64Array(size * size);
    for (const [end, value] of Object.entries(phrases))
      values[spanIndex(size, 0, Number(end))] = value;
    const beliefs = {
      tokens,
      marginals: new Float64Array(size * size).fill(1),
      phrases: values,
      isPhrase: (begin: number, end: number) => begin === 0 && sure.includes(end),
    };
    const heads = english.heads ?? {};
    limitToOnePhrase(beliefs, { grammar, heads, labelsOf: () => ({ [label]: 1 }) });
    return Object.keys(phrases).map((end) => values[spanIndex(size, 0, Number(end))]);
  }

  const TEXT = "in the house by the river";

  test("sum to at most 1", () => {
    expect(shared(TEXT, { 3: 0.9, 6: 0.6 })).toEqual(
      [0.6, 0.4].map((each) => expect.closeTo(each)),
    );
    expect(shared(TEXT, { 3: 0.5, 6: 0.4 })).toEqual([0.5, 0.4]);
  });

  test("verb phrases with and without a clause above them are of one kind", () => {
    const closed = { label: "S+VP" };
    expect(shared(TEXT, { 3: 1, 6: 1 }, closed)).toEqual([0.5, 0.5]);
    expect(shared(TEXT, { 3: 1, 6: 1 }, { label: "SBAR+S" })).toEqual([1, 1]);
    expect(shared(TEXT, { 3: 1, 6: 1 }, { label: "NP" })).toEqual([1, 1]);
  });

  test("what people marked leaves the rest to the others", () => {
    expect(shared(TEXT, { 3: 0.8, 6: 0.6 }, { sure: [3] })).toEqual([0.8, expect.closeTo(0.2)]);
  });

  test("a coordinator may join two", () => {
    expect(shared("in Rome and in the house", { 2: 1, 6: 1 })).toEqual([1, 1]);
  });
});
