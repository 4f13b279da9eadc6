/** Checks brackets and finds the spans that cross them, for costs and constraints. */

import type { Span } from "../trees/tree.js";
import { type SpanMatrix, spanIndex } from "./matrix.js";

/** What is wrong with the span in a sentence of `size` tokens, or nothing. */
export function spanProblem({ begin, end }: Span, size: number): string | undefined {
  if (!Number.isInteger(begin) || !Number.isInteger(end) || begin < 0 || end <= begin) {
    return `[${begin}, ${end}) is not a span: 0 <= begin < end must hold`;
  }
  return end > size ? `span [${begin}, ${end}) exceeds the ${size} tokens` : undefined;
}

/**
 * Adds a number, up to a limit, at all spans that cross the bracket. They are two rectangles of the
 * matrix, which are gone through row by row: for the handful of brackets that a sentence has this
 * is faster than differences and prefix sums, and exact for weights that are not whole numbers.
 */
export function addToCrossing(
  { begin, end }: Span,
  size: number,
  matrix: SpanMatrix,
  summand: number,
  limit = Number.POSITIVE_INFINITY,
): void {
  // Spans that begin before the bracket and end inside it.
  for (let first = 0; first < begin; first++) {
    const from = spanIndex(size, first, begin + 1);
    addToRun(matrix, from, from + end - begin - 1, summand, limit);
  }
  // Spans that begin inside the bracket and end after it.
  for (let first = begin + 1; first < end; first++) {
    const from = spanIndex(size, first, end + 1);
    addToRun(matrix, from, from + size - end, summand, limit);
  }
}

function addToRun(
  matrix: SpanMatrix,
  from: number,
  to: number,
  summand: number,
  limit: number,
): void {
  for (let at = from; at < to; at++) {
    matrix[at] = Math.min(limit, (matrix[at] as number) + summand);
  }
}
