/**
 * Minimum Bayes risk: the tree that is expected to have the most spans right, rather than the most
 * probable tree as a whole. The expected number of right spans is the sum of the spans' marginals,
 * so the tree is what CKY finds over marginals; several models vote by the mean of theirs.
 *
 * A span that constraints forbid has a marginal of 0, which makes it unlikely in the tree, not
 * impossible: apply `constrain` to the marginals as well as to the scores.
 */

import { Chart } from "./chart.js";
import { decode, type ScoredTree } from "./decode.js";
import { checkMatrix, type SpanMatrix } from "./matrix.js";

/**
 * The tree, and as its score the number of its spans expected to be right, single tokens and the
 * whole sentence included.
 */
export function minimumRisk(
  marginals: SpanMatrix | readonly SpanMatrix[],
  size: number,
  chart = new Chart(),
): ScoredTree {
  const mean = isMatrix(marginals) ? marginals : meanMatrix(marginals, size);
  return decode(mean, size, chart);
}

/** The mean of several matrices over the same sentence. */
export function meanMatrix(matrices: readonly SpanMatrix[], size: number): Float64Array {
  if (matrices.length === 0) throw new RangeError("a mean needs at least one matrix");
  const mean = new Float64Array(size * size);
  for (const matrix of matrices) {
    checkMatrix(matrix, size, "marginals");
    for (let at = 0; at < mean.length; at++) {
      mean[at] = (mean[at] as number) + (matrix[at] as number) / matrices.length;
    }
  }
  return mean;
}

function isMatrix(marginals: SpanMatrix | readonly SpanMatrix[]): marginals is SpanMatrix {
  return ArrayBuffer.isView(marginals);
}
