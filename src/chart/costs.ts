/**
 * What a tree pays for disagreeing with brackets: a cost for each span, in the layout of the scores. The cost
 * of a tree is the sum over its spans, so CKY can add or subtract it.
 *
 * - loose: 1 if the span crosses a bracket; 0 if it is a bracket itself, even one that crosses another (as in
 *   the code released with the paper).
 * - strict: 1 if the span is not a bracket. Single tokens and the whole sentence are in every tree, so their
 *   cost does not change which tree is best; it is 0.
 */

import type { Span } from "../trees/tree.js";
import { addToCrossing, spanProblem } from "./brackets.js";
import { checkMatrix, checkSize, spanIndex } from "./matrix.js";

/**
 * Loose costs: 1 for every span that crosses a bracket; brackets cost 0.
 *
 * @param brackets the brackets of the sentence.
 * @param size the number of tokens.
 * @param into the matrix to overwrite and return; by default a new one.
 * @example
 * ```ts
 * import { looseCosts, spanIndex } from "bracken/chart";
 *
 * const costs = looseCosts([{ begin: 0, end: 2 }], 3);
 * console.log(costs[spanIndex(3, 1, 3)]); // 1
 * ```
 */
export function looseCosts(
  brackets: readonly Span[],
  size: number,
  into = newMatrix(size),
): Float32Array {
  return mixedCosts(brackets, size, 0, into);
}

/** Strict costs: 1 for every span that is not a bracket; single tokens and the sentence cost 0. */
export function strictCosts(
  brackets: readonly Span[],
  size: number,
  into = newMatrix(size),
): Float32Array {
  return mixedCosts(brackets, size, 1, into);
}

/** A mix of both costs: strictness * strict + (1 - strictness) * loose, with a strictness from 0 to 1. */
export function mixedCosts(
  brackets: readonly Span[],
  size: number,
  strictness: number,
  into = newMatrix(size),
): Float32Array {
  if (!(strictness >= 0 && strictness <= 1)) {
    throw new RangeError(`strictness must be from 0 to 1, not ${strictness}`);
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
  /** The weight of each bracket, for example the number of annotators; 1 by default. */
  readonly weights?: ArrayLike<number>;
  /**
   * Brackets cost 0, as under `loose`. By default a bracket also pays for the brackets that it crosses, so
   * that of two crossing brackets the one with less weight costs more.
   */
  readonly spareBrackets?: boolean;
}

/** Counted costs: how many brackets the span crosses. A bracket that occurs twice counts twice. */
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
