/**
 * The probability of each span, if trees have probabilities proportional to exp(score / temperature). The
 * marginals are the gradient of the log partition function with respect to the scores, so they come from
 * running the inside recursion backwards: each span passes what it received down to its parts, in proportion
 * to the shares of its splits. Scores of ordinary size are summed as scaled probabilities (`scaled.ts`), which
 * is several times as fast; all others as logarithms.
 */

import { Chart, type WeightOptions } from "./chart.js";
import { NO_TREE } from "./decode.js";
import { checkMatrix, type SpanMatrix } from "./matrix.js";
import { fillScaled, passDownScaled } from "./scaled.js";
import { LOG } from "./semirings.js";

/** The result of `spanMarginals`. */
export interface Marginals {
  /** The logarithm of the sum of exp(score / temperature) over all trees. */
  readonly logPartition: number;
  /** The probability of each span, in the layout of the scores; 1 for single tokens and the sentence. */
  readonly marginals: Float32Array;
}

/** The distribution over trees. */
export interface DistributionOptions {
  /** Above 1 it evens out the probabilities; near 0 only the best tree remains. 1 by default. */
  readonly temperature?: number;
}

/**
 * The probability of each span under the distribution over binary trees (inside–outside), and log Z.
 *
 * @param scores one number per span; see `spanIndex`.
 * @param size the number of tokens.
 * @param chart working memory to reuse.
 * @throws RangeError if every tree has a forbidden span (a score of -Infinity).
 * @example
 * ```ts
 * import { spanIndex, spanMarginals } from "bracken/chart";
 *
 * const { marginals } = spanMarginals(new Float32Array(3 * 3), 3);
 * console.log(marginals[spanIndex(3, 0, 2)]); // 0.5: there are two trees
 * ```
 */
export function spanMarginals(
  scores: SpanMatrix,
  size: number,
  options: WeightOptions = {},
  chart = new Chart(),
): Marginals {
  const marginals = new Float32Array(size * size);
  const logPartition = addMarginals(scores, size, options, 1, marginals, chart);
  return { logPartition, marginals };
}

/** The log partition function: the logarithm of the sum of exp(score / temperature) over all binary trees. */
export function logPartition(
  scores: SpanMatrix,
  size: number,
  options: DistributionOptions = {},
  chart = new Chart(),
): number {
  chart.load(scores, size, options);
  return fillInside(chart).total;
}

/** Adds `factor` times the marginals to `target` and returns the log partition function. */
export function addMarginals(
  scores: SpanMatrix,
  size: number,
  options: WeightOptions,
  factor: number,
  target: SpanMatrix,
  chart: Chart,
): number {
  checkMatrix(target, size, "marginals");
  chart.load(scores, size, options);
  const { total, isScaled } = fillInside(chart, options.inLogs);
  if (isScaled) passDownScaled(chart);
  else passDown(chart);
  const { asLeft, asRight } = chart;
  for (let begin = 0; begin < size; begin++) {
    for (let last = begin; last < size; last++) {
      const at = begin * size + last;
      const marginal = (asLeft[at] as number) + (asRight[last * size + begin] as number);
      target[at] = (target[at] as number) + factor * marginal;
    }
  }
  return total;
}

function fillInside(chart: Chart, inLogs = false): { total: number; isScaled: boolean } {
  if (chart.size === 0) return { total: 0, isScaled: true };
  const scaled = inLogs ? undefined : fillScaled(chart);
  if (scaled === undefined) chart.fill(LOG);
  const total = scaled ?? (chart.rows[chart.size - 1] as number);
  if (total === Number.NEGATIVE_INFINITY) throw new RangeError(NO_TREE);
  return { total, isScaled: scaled !== undefined };
}

/** The reverse sweep over logarithms: the spans in the opposite order of `Chart.fill`. */
function passDown(chart: Chart): void {
  const { size, rows, columns, weights } = chart;
  chart.clearShares();
  const { asLeft, asRight } = chart;
  if (size > 0) asLeft[size - 1] = 1;
  for (let last = size - 1; last > 0; last--) {
    const column = last * size;
    for (let begin = 0; begin < last; begin++) {
      const cell = begin * size + last;
      const received = (asLeft[cell] as number) + (asRight[column + begin] as number);
      if (received === 0) continue;
      const inside = (rows[cell] as number) - (weights[cell] as number);
      const left = begin * size + begin;
      const right = column + begin + 1;
      for (let split = 0; split < last - begin; split++) {
        const sum = (rows[left + split] as number) + (columns[right + split] as number);
        const share = received * Math.exp(sum - inside);
        asLeft[left + split] = (asLeft[left + split] as number) + share;
        asRight[right + split] = (asRight[right + split] as number) + share;
      }
    }
  }
}
