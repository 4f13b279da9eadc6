/**
 * Brackets that the tree must or must not have. A binary tree has a span exactly if it has no span that
 * crosses it, so both kinds become forbidden spans with a score of -Infinity. Everything that reads scores
 * (the best tree, the k best, marginals, losses) then respects the constraints without knowing about them.
 */

import { InputError } from "../errors.js";
import { cross, type Span } from "../trees/tree.js";
import { addToCrossing, spanProblem } from "./brackets.js";
import { Chart } from "./chart.js";
import { checkMatrix, type SpanMatrix, spanIndex } from "./matrix.js";
import { MAX } from "./semirings.js";

/** Brackets that a tree must have, and brackets that it must not have. */
export interface Constraints {
  /** Brackets that the tree must have. */
  readonly required?: readonly Span[] | undefined;
  /** Brackets that the tree must not have. */
  readonly forbidden?: readonly Span[] | undefined;
}

/**
 * Applies constraints to scores: forbidden spans get -Infinity.
 *
 * @param scores one number per span; see `spanIndex`.
 * @param size the number of tokens.
 * @returns a new matrix, for `decode`, `kBest`, `spanMarginals` and the losses.
 * @throws InputError if no tree satisfies the constraints.
 * @example
 * ```ts
 * import { constrain, decode, toSpans } from "bracken/chart";
 *
 * const scores = new Float32Array(3 * 3);
 * const allowed = constrain(scores, 3, { required: [{ begin: 1, end: 3 }] });
 * console.log(toSpans(decode(allowed, 3).spans));
 * ```
 */
export function constrain(
  scores: SpanMatrix,
  size: number,
  { required = [], forbidden = [] }: Constraints,
  chart = new Chart(),
): SpanMatrix {
  checkMatrix(scores, size, "scores");
  checkConflicts(required, forbidden, size);
  const constrained = scores.slice();
  for (const { begin, end } of forbidden) {
    constrained[spanIndex(size, begin, end)] = Number.NEGATIVE_INFINITY;
  }
  for (const bracket of required) {
    addToCrossing(bracket, size, constrained, Number.NEGATIVE_INFINITY);
  }
  if (forbidden.length > 0) checkPossible(constrained, size, chart);
  return constrained;
}

function checkConflicts(required: readonly Span[], forbidden: readonly Span[], size: number): void {
  for (const span of [...required, ...forbidden]) {
    const problem = spanProblem(span, size);
    if (problem) throw new InputError(problem);
  }
  for (const [index, bracket] of required.entries()) {
    const other = required.slice(0, index).find((earlier) => cross(earlier, bracket));
    if (!other) continue;
    throw new InputError(
      `required brackets ${show(other)} and ${show(bracket)} cross, and no tree has both`,
      {},
      "leave out one of the two",
    );
  }
  for (const bracket of forbidden) {
    if (bracket.end - bracket.begin === 1 || bracket.end - bracket.begin === size) {
      throw new InputError(`forbidden bracket ${show(bracket)} is in every tree`);
    }
    if (required.some((other) => other.begin === bracket.begin && other.end === bracket.end)) {
      throw new InputError(`bracket ${show(bracket)} is both required and forbidden`);
    }
  }
}

function show({ begin, end }: Span): string {
  return `[${begin}, ${end})`;
}

function checkPossible(scores: SpanMatrix, size: number, chart: Chart): void {
  chart.load(scores, size);
  chart.fill(MAX);
  if ((chart.rows[size - 1] as number) > Number.NEGATIVE_INFINITY) return;
  throw new InputError(
    "every binary tree has one of the forbidden brackets or crosses a required one",
    {},
    "forbid fewer brackets",
  );
}
