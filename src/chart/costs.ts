/**
 * What a tree pays for disagreeing with brackets: a cost for each span, in the layout of the scores,
 * so that a tree's cost is the sum over its spans and CKY can add or subtract it.
 *
 * - loose: 1 where the span crosses a bracket, 0 where it is a bracket itself, even one that
 *   crosses another (the rule of the code released with the paper).
 * - strict: 1 where the span is not a bracket. Single tokens and the whole sentence are in every
 *   tree, so what they cost does not change which tree is best; they cost 0.
 */

import type { Span } from "../trees/tree.js";
import { addToCrossing, spanProblem } from "./brackets.js";
import { checkMatrix, checkSize, spanIndex } from "./matrix.js";

/** Each function overwrites `into` as a whole and returns it. */
export function looseCosts(
  brackets: readonly Span[],
  size: number,
  into = newMatrix(size),
): Float32Array {
  return mixedCosts(brackets, size, 0, into);
}

/** 1 for every span that is not a bracket; 0 for single tokens and the sentence. */
export function strictCosts(
  brackets: readonly Span[],
  size: number,
  into = newMatrix(size),
): Float32Array {
  return mixedCosts(brackets, size, 1, into);
}

/** strictness * strict + (1 - strictness) * loose. */
export function mixedCosts(
  brackets: readonly Span[],
  size: number,
  strictness: number,
  into = newMatrix(size),
): Float32Array {
  if (!(strictness >= 0 && strictness <= 1)) {
    throw new RangeError(`strictness must lie between 0 and 1, not at ${strictness}`);
  }
  check(brackets, size, into);
  into.fill(0);
  for (let begin = 0; strictness > 0 && begin < size; begin++) {
    into.fill(strictness, spanIndex(size, begin, begin + 2), spanIndex(size, begin, size) + 1);
  }
  if (size > 0) into[spanIndex(size, 0, size)] = 0;
  if (strictness < 1) {
    for (const bracket of brackets) addToCrossing(bracket, size, into, 1, 1);
  }
  spare(brackets, size, into);
  return into;
}

/** How crossed brackets are counted. */
export interface CountedOptions {
  /** What each bracket counts, such as the number of people who gave it; 1 each by default. */
  readonly weights?: ArrayLike<number>;
  /**
   * Brackets cost nothing, as under `loose`. By default they, too, pay for the brackets that they
   * cross, so that of two that cross the one with less weight costs more.
   */
  readonly spareBrackets?: boolean;
}

/** How many brackets the span crosses. A bracket that is given twice counts twice. */
export function countedCosts(
  brackets: readonly Span[],
  size: number,
  { weights, spareBrackets = false }: CountedOptions = {},
  into = newMatrix(size),
): Float32Array {
  check(brackets, size, into);
  if (weights && weights.length !== brackets.length) {
    throw new RangeError(`${brackets.length} brackets have ${weights.length} weights`);
  }
  into.fill(0);
  for (const [index, bracket] of brackets.entries()) {
    const weight = weights?.[index] ?? 1;
    if (!(weight >= 0)) throw new RangeError(`weight ${weight} of a bracket is negative`);
    addToCrossing(bracket, size, into, weight);
  }
  if (spareBrackets) spare(brackets, size, into);
  return into;
}

function newMatrix(size: number): Float32Array {
  checkSize(size);
  return new Float32Array(size * size);
}

function check(brackets: readonly Span[], size: number, into: Float32Array): void {
  checkMatrix(into, size, "costs");
  for (const bracket of brackets) {
    const problem = spanProblem(bracket, size);
    if (problem) throw new RangeError(problem);
  }
}

function spare(brackets: readonly Span[], size: number, costs: Float32Array): void {
  for (const { begin, end } of brackets) costs[spanIndex(size, begin, end)] = 0;
}
