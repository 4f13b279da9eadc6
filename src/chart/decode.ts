/**
 * The best tree (CKY). As in the paper, the score of a tree is the sum over all its spans, including single
 * tokens and the whole sentence; these are in every tree and shift all trees alike. At every span the smallest
 * of equally good splits wins.
 *
 * Best splits are not stored: only the n - 1 spans of the best tree need them, and finding them again takes
 * O(n^2) after the O(n^3) of filling the chart.
 */

import { Chart } from "./chart.js";
import type { SpanMatrix } from "./matrix.js";
import { COUNT, MAX } from "./semirings.js";
import { listLength, type SpanList } from "./span-list.js";

/** A tree and its score. */
export interface ScoredTree {
  /** The sum of the scores of all spans, single tokens included. */
  readonly score: number;
  /** The phrases of the tree. */
  readonly spans: SpanList;
}

/**
 * The binary tree with the highest score (CKY). The smallest split wins ties.
 *
 * @param scores one number per span; see `spanIndex`.
 * @param size the number of tokens.
 * @param chart working memory to reuse.
 * @throws RangeError if every tree has a forbidden span (a score of -Infinity).
 * @example
 * ```ts
 * import { decode, spanIndex, toSpans } from "bracken/chart";
 *
 * const words = ["the", "cat", "sat"];
 * const scores = new Float32Array(words.length ** 2);
 * scores[spanIndex(words.length, 0, 2)] = 1;
 * const { score, spans } = decode(scores, words.length);
 * console.log(score, toSpans(spans)); // 1, the sentence and [0, 2)
 * ```
 */
export function decode(scores: SpanMatrix, size: number, chart = new Chart()): ScoredTree {
  const spans = new Int32Array(listLength(size));
  return { score: decodeInto(scores, size, spans, chart), spans };
}

/** Like `decode`, but allocates nothing: writes the best tree to the start of `spans` and returns its score. */
export function decodeInto(
  scores: SpanMatrix,
  size: number,
  spans: SpanList,
  chart: Chart,
): number {
  chart.load(scores, size);
  return decodeLoaded(chart, spans);
}

/** Like `decodeInto`, for the weights that are loaded in the chart. */
export function decodeLoaded(chart: Chart, spans: SpanList): number {
  const { size } = chart;
  if (spans.length < listLength(size)) {
    throw new RangeError(`a tree over ${size} tokens takes ${listLength(size)} numbers`);
  }
  if (size === 0) return 0;
  chart.fill(MAX);
  const score = chart.rows[size - 1] as number;
  if (score === Number.NEGATIVE_INFINITY) throw new RangeError(NO_TREE);
  if (size > 1) traceBack(chart, spans);
  return score;
}

export const NO_TREE = "every tree has a forbidden span (one whose score is -Infinity)";

/**
 * Lists the tree in pre-order without a stack: the phrases of a left part with m tokens take m - 1 places,
 * so its sister can be placed after them before they are written.
 */
function traceBack(chart: Chart, spans: SpanList): void {
  const { size } = chart;
  spans[0] = 0;
  spans[1] = size;
  for (let at = 0; at < listLength(size); at += 2) {
    const begin = spans[at] as number;
    const end = spans[at + 1] as number;
    const split = bestSplit(chart, begin, end);
    if (split - begin > 1) {
      spans[at + 2] = begin;
      spans[at + 3] = split;
    }
    if (end - split > 1) {
      const sister = at + 2 * (split - begin);
      spans[sister] = split;
      spans[sister + 1] = end;
    }
  }
}

function bestSplit({ size, rows, columns }: Chart, begin: number, end: number): number {
  const row = begin * size - 1;
  const column = (end - 1) * size;
  let best = Number.NEGATIVE_INFINITY;
  let found = begin + 1;
  for (let split = begin + 1; split < end; split++) {
    const sum = (rows[row + split] as number) + (columns[column + split] as number);
    if (sum > best) {
      best = sum;
      found = split;
    }
  }
  return found;
}

/**
 * The number of trees without a forbidden span (a score of -Infinity). If none is forbidden, it is the
 * Catalan number of size - 1. It is exact up to 2^53.
 */
export function countTrees(scores: SpanMatrix, size: number, chart = new Chart()): number {
  chart.load(scores, size);
  if (size === 0) return 1;
  chart.fill(COUNT);
  const count = chart.rows[size - 1] as number;
  if (!Number.isFinite(count)) {
    throw new RangeError(`there are too many trees over ${size} tokens to count`);
  }
  return count;
}
