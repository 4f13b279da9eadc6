/**
 * Brackets that the tree must have, and brackets that it must not. A binary tree has a span exactly
 * if it has none that crosses it, so both kinds come down to forbidden spans, whose score becomes
 * -Infinity; everything that reads scores (the best tree, the k best, marginals, losses) then keeps
 * to the constraints without knowing of them.
 */

import { InputError } from "../errors.js";
import { cross, type Span } from "../trees/tree.js";
import { addToCrossing, spanProblem } from "./brackets.js";
import { Chart } from "./chart.js";
import { checkMatrix, type SpanMatrix, spanIndex } from "./matrix.js";
import { MAX } from "./semirings.js";

/** Brackets that a tree must have, and brackets that it must not have. */
export interface Constraints {
  readonly required?: readonly Span[] | undefined;
  readonly forbidden?: readonly Span[] | undefined;
}

/** The scores under the constraints, as a new matrix. Constraints that no tree meets are an error. */
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
      "leave one of the two out",
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
