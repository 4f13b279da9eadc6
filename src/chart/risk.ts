/**
 * Minimum Bayes risk: the tree with the most spans expected to be right, rather than the most probable tree.
 * The expected number of right spans is the sum of their marginals, so CKY over marginals finds the tree.
 * Several models vote by the mean of their marginals.
 *
 * A span that constraints forbid has a marginal of 0, which makes it unlikely but not impossible: apply
 * `constrain` to the marginals as well as to the scores.
 */

import { Chart } from "./chart.js";
import { decode, type ScoredTree } from "./decode.js";
import { checkMatrix, type SpanMatrix } from "./matrix.js";

/**
 * The binary tree with the most spans expected to be right.
 *
 * @param marginals those of one model, or of several for the same sentence.
 * @param size the number of tokens.
 * @param chart working memory to reuse.
 * @returns the tree; its score is the expected number of right spans, single tokens and sentence included.
 */
export function minimumRisk(
  marginals: SpanMatrix | readonly SpanMatrix[],
  size: number,
  chart = new Chart(),
): ScoredTree {
  const mean = isMatrix(marginals) ? marginals : meanMatrix(marginals, size);
  return decode(mean, size, chart);
}

/** The mean of several matrices for the same sentence. */
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
