/** Every binary tree of a sentence, written out with its score: what the charts must agree with. */

import fc from "fast-check";
import { listLength, type SpanList, type SpanMatrix, spanIndex } from "../../src/chart/index.js";
import type { Span } from "../../src/trees/tree.js";
import { allBinaryTrees } from "../brute-force.js";

/** The phrases of all trees over `size` tokens, those with small splits first. */
export function allTrees(size: number): SpanList[] {
  return size === 0 ? [new Int32Array(0)] : [...allBinaryTrees(0, size)].map(toList);
}

/** In pre-order, which is from left to right and from long to short. */
export function toList(spans: readonly Span[]): SpanList {
  const sorted = [...spans].sort((a, b) => a.begin - b.begin || b.end - a.end);
  return Int32Array.from(sorted.flatMap(({ begin, end }) => [begin, end]));
}

/** Where the tree's spans, single tokens included, stand in a matrix. */
export function entries(list: SpanList, size: number): number[] {
  const found = Array.from({ length: size }, (_, token) => spanIndex(size, token, token + 1));
  for (let at = 0; at < list.length; at += 2) {
    found.push(spanIndex(size, list[at] as number, list[at + 1] as number));
  }
  return found;
}

export function sumOver(list: SpanList, size: number, matrix: ArrayLike<number>): number {
  return entries(list, size).reduce((sum, at) => sum + (matrix[at] as number), 0);
}

/** The best tree; of equally good ones the first that `allTrees` gives. */
export function bestTree(size: number, matrix: ArrayLike<number>): SpanList {
  let best = new Int32Array(listLength(size)) as SpanList;
  let highest = Number.NEGATIVE_INFINITY;
  for (const tree of allTrees(size)) {
    const score = sumOver(tree, size, matrix);
    if (score > highest) [best, highest] = [tree, score];
  }
  return best;
}

export function logSumExp(values: readonly number[]): number {
  const highest = Math.max(...values);
  return highest + Math.log(values.reduce((sum, value) => sum + Math.exp(value - highest), 0));
}

/** The marginals and the log partition function by adding up all trees. */
export function enumeratedMarginals(size: number, weights: ArrayLike<number>) {
  const trees = allTrees(size);
  const scores = trees.map((tree) => sumOver(tree, size, weights));
  const logPartition = logSumExp(scores);
  const marginals = new Float64Array(size * size);
  for (const [index, tree] of trees.entries()) {
    const probability = Math.exp((scores[index] as number) - logPartition);
    for (const at of entries(tree, size)) marginals[at] = (marginals[at] as number) + probability;
  }
  return { logPartition, marginals };
}

export interface Sentence {
  readonly size: number;
  readonly scores: SpanMatrix;
}

/** Whole numbers from -2 to 2, so that many trees tie and sums are exact. */
export const tyingSentence = (most: number): fc.Arbitrary<Sentence> =>
  sentence(most, fc.integer({ min: -2, max: 2 }));

export const realSentence = (most: number): fc.Arbitrary<Sentence> =>
  sentence(most, fc.double({ min: -5, max: 5, noNaN: true }));

function sentence(most: number, score: fc.Arbitrary<number>): fc.Arbitrary<Sentence> {
  return fc
    .integer({ min: 1, max: most })
    .chain((size) =>
      fc
        .array(score, { minLength: size * size, maxLength: size * size })
        .map((numbers) => ({ size, scores: Float64Array.from(numbers) })),
    );
}

export const bracket = (size: number): fc.Arbitrary<Span> =>
  fc
    .tuple(fc.integer({ min: 0, max: size - 1 }), fc.integer({ min: 1, max: size }))
    .map(([a, b]) => ({ begin: Math.min(a, b - 1), end: Math.max(a + 1, b) }));

export const brackets = (size: number): fc.Arbitrary<Span[]> =>
  fc.array(bracket(size), { maxLength: 4 });

/** The sentence's scores with costs that are whole numbers, too. */
export const withCosts = (sentences: fc.Arbitrary<Sentence>) =>
  sentences.chain(({ size, scores }) =>
    fc
      .array(fc.integer({ min: 0, max: 2 }), { minLength: size * size, maxLength: size * size })
      .map((costs) => ({ size, scores, costs: Float32Array.from(costs) })),
  );

export function closeTo(actual: ArrayLike<number>, expected: ArrayLike<number>, within: number) {
  if (actual.length !== expected.length) throw new Error("lengths differ");
  for (let at = 0; at < actual.length; at++) {
    const [found, wanted] = [actual[at] as number, expected[at] as number];
    if (!(Math.abs(found - wanted) <= within)) {
      throw new Error(`entry ${at} is ${found}, not ${wanted}`);
    }
  }
}
