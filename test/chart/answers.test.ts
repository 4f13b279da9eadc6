/** Answers about spans, against all trees with all choices of which of their spans are phrases. */

import fc from "fast-check";
import { expect, test } from "vitest";
import {
  answeredProbabilities,
  answerValue,
  expectedF1Tree,
  type SpanAnswers,
  spanIndex,
} from "../../src/chart/index.js";
import { phraseIndex } from "../../src/chart/phrase-probability.js";
import type { Span } from "../../src/trees/tree.js";
import { allBinaryTrees } from "../brute-force.js";

const SIZE = 5;

/** Spans that are neither single words nor the sentence. */
const INNER: Span[] = [];
for (let begin = 0; begin < SIZE; begin++) {
  for (let end = begin + 2; end <= SIZE; end++) if (end - begin < SIZE) INNER.push({ begin, end });
}
const keyOf = ({ begin, end }: Span) => `${begin},${end}`;

const matrix = fc
  .array(fc.double({ min: -2, max: 2, noNaN: true }), {
    minLength: SIZE * SIZE,
    maxLength: SIZE * SIZE,
  })
  .map((values) => Float32Array.from(values));

/** The weight of each set of phrases: of its trees, with the others of their spans no phrases. */
function* worlds(scores: Float32Array): Generator<{ phrases: Set<string>; weight: number }> {
  for (const tree of allBinaryTrees(0, SIZE)) {
    const inner = tree.filter(({ begin, end }) => end - begin < SIZE);
    const score = tree.reduce(
      (sum, { begin, end }) => sum + (scores[spanIndex(SIZE, begin, end)] as number),
      0,
    );
    for (let choice = 0; choice < 2 ** inner.length; choice++) {
      let weight = Math.exp(score);
      const phrases = new Set<string>();
      for (const [at, span] of inner.entries()) {
        const odds = Math.exp(scores[phraseIndex(SIZE, span.begin, span.end)] as number);
        const isPhrase = (choice >> at) % 2 === 1;
        weight *= isPhrase ? odds / (1 + odds) : 1 / (1 + odds);
        if (isPhrase) phrases.add(keyOf(span));
      }
      yield { phrases, weight };
    }
  }
}

function bruteForce(scores: Float32Array, { phrases = [], fragments = [] }: SpanAnswers) {
  const sums = new Map<string, number>();
  let total = 0;
  for (const world of worlds(scores)) {
    if (phrases.some((span) => !world.phrases.has(keyOf(span)))) continue;
    if (fragments.some((span) => world.phrases.has(keyOf(span)))) continue;
    total += world.weight;
    for (const key of world.phrases) sums.set(key, (sums.get(key) ?? 0) + world.weight);
  }
  return INNER.map((span) => (sums.get(keyOf(span)) ?? 0) / total);
}

const options = { hasPhrases: true };
const span = fc.constantFrom(...INNER);

test("probabilities after answers are those of all trees that agree with them", () => {
  fc.assert(
    fc.property(matrix, span, span, (scores, phrase, fragment) => {
      for (const answers of [
        {},
        { phrases: [phrase] },
        { fragments: [fragment] },
        ...(phrase === fragment ? [] : [{ phrases: [phrase], fragments: [fragment] }]),
      ]) {
        const found = answeredProbabilities(scores, SIZE, answers, options);
        const inner = INNER.map(({ begin, end }) => found[spanIndex(SIZE, begin, end)]);
        const expected = bruteForce(scores, answers);
        for (const [at, value] of expected.entries()) expect(inner[at]).toBeCloseTo(value, 4);
      }
    }),
    { numRuns: 50 },
  );
});

test("the value of an answer is what it adds to the expected F1", () => {
  fc.assert(
    fc.property(matrix, span, (scores, asked) => {
      const at = spanIndex(SIZE, asked.begin, asked.end);
      const f1 = (answers: SpanAnswers) =>
        expectedF1Tree(answeredProbabilities(scores, SIZE, answers, options), SIZE).f1;
      const yes = answeredProbabilities(scores, SIZE, {}, options)[at] as number;
      const value = answerValue(scores, SIZE, asked, {}, options);
      const after = yes * f1({ phrases: [asked] }) + (1 - yes) * f1({ fragments: [asked] });
      expect(value).toBeCloseTo(after - f1({}), 5);
      const known = { phrases: [asked] };
      expect(answerValue(scores, SIZE, asked, known, options)).toBe(0);
    }),
    { numRuns: 50 },
  );
});

test("without phrase log-odds every span of a tree is a phrase", () => {
  const scores = new Float32Array(9);
  const answers = { fragments: [{ begin: 0, end: 2 }] };
  const found = answeredProbabilities(scores, 3, answers, { hasPhrases: false });
  expect(found[spanIndex(3, 0, 2)]).toBe(0);
  expect(found[spanIndex(3, 1, 3)]).toBeCloseTo(1, 4);
});
