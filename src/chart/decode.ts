/**
 * The best tree (CKY). A tree's score is the sum over all its spans, those of single tokens and the
 * whole sentence included, as the paper has it; these are in every tree and shift all trees alike.
 * Of equally good splits the smallest wins, at every span.
 *
 * Where the best split of a span was is not written down: only the n - 1 spans of the best tree need
 * it, and looking again takes O(n^2) against the O(n^3) of filling the chart.
 */

import { Chart } from "./chart.js";
import type { SpanMatrix } from "./matrix.js";
import { COUNT, MAX } from "./semirings.js";
import { listLength, type SpanList } from "./span-list.js";

/** The spans of a tree and their summed score. */
export interface ScoredTree {
  readonly score: number;
  readonly spans: SpanList;
}

/**
 * The binary tree with the highest score (CKY). The smallest split wins ties.
 *
 * @param scores one number for each span; see `spanIndex`.
 * @param size the number of tokens.
 * @param chart working memory to use again.
 * @example
 * ```ts
 * const { score, spans } = decode(scores, words.length);
 * ```
 */
export function decode(scores: SpanMatrix, size: number, chart = new Chart()): ScoredTree {
  const spans = new Int32Array(listLength(size));
  return { score: decodeInto(scores, size, spans, chart), spans };
}

/** Writes the best tree to the start of `spans`, allocating nothing, and returns its score. */
export function decodeInto(
  scores: SpanMatrix,
  size: number,
  spans: SpanList,
  chart: Chart,
): number {
  chart.load(scores, size);
  return decodeLoaded(chart, spans);
}

/** As `decodeInto`, for the weights that the chart holds. */
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
 * Lists the tree in pre-order without a stack: the phrases in a left part of m tokens take m - 1
 * places, so its sister can be put behind them before they are there.
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
 * How many trees have no forbidden span: the Catalan number of size - 1 where none is forbidden.
 * Exact up to 2^53, rounded above.
 */
export function countTrees(scores: SpanMatrix, size: number, chart = new Chart()): number {
  chart.load(scores, size);
  if (size === 0) return 1;
  chart.fill(COUNT);
  const count = chart.rows[size - 1] as number;
  if (!Number.isFinite(count)) {
    throw new RangeError(`the trees over ${size} tokens are more than a number holds`);
  }
  return count;
}
