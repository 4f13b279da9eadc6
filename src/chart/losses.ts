/**
 * Losses that teach scores to prefer trees that agree with brackets (given as costs), and their gradients with
 * respect to the scores. All losses ADD `weight` times their gradient to the caller's buffer, so that the
 * gradients of a batch, of several losses, or of several bracketings of a sentence add up in one place. The
 * loss is returned without the weight.
 */

import { Chart } from "./chart.js";
import { decodeLoaded } from "./decode.js";
import { addMarginals, type DistributionOptions } from "./marginals.js";
import { checkMatrix, type SpanMatrix, spanIndex } from "./matrix.js";
import { listLength, type SpanList } from "./span-list.js";

/** Options that all losses have. */
export interface LossOptions {
  /** The factor of the gradient, for example 1 over the size of the batch; 1 by default. */
  readonly weight?: number;
}

/** The result of `rampLoss`. */
export interface RampLoss {
  /** The loss, without the weight. */
  readonly loss: number;
  /** 1 if the loss is above 0. A number, so that it can be summed. */
  readonly violations: 0 | 1;
  /** The cost of the tree that maximises score - cost, towards which the scores move. */
  readonly cost: number;
}

/**
 * The paper's ramp loss: max over trees of [score + cost] - max over trees of [score - cost]. The gradient is
 * 1 on the spans of the first tree, -1 on those of the second, and 0 on those of both.
 *
 * @param scores one number per span; see `spanIndex`.
 * @param costs such as those of `strictCosts`, in the same layout.
 * @param size the number of tokens.
 * @param gradient the buffer to which `weight` times the gradient is added.
 * @param chart working memory to reuse.
 * @example
 * ```ts
 * import { rampLoss, strictCosts } from "bracken/chart";
 *
 * const [size, scores, gradient] = [3, new Float32Array(9), new Float32Array(9)];
 * const costs = strictCosts([{ begin: 0, end: 2 }], size);
 * console.log(rampLoss(scores, costs, size, gradient).loss, gradient);
 * ```
 */
export function rampLoss(
  scores: SpanMatrix,
  costs: SpanMatrix,
  size: number,
  gradient: SpanMatrix,
  { weight = 1 }: LossOptions = {},
  chart = new Chart(),
): RampLoss {
  checkMatrix(gradient, size, "gradients");
  const augmented = new Int32Array(listLength(size));
  const diminished = new Int32Array(listLength(size));
  chart.load(scores, size, { costs, costFactor: 1 });
  const highest = decodeLoaded(chart, augmented);
  chart.load(scores, size, { costs, costFactor: -1 });
  const loss = highest - decodeLoaded(chart, diminished);
  addDifference(augmented, diminished, size, weight, gradient);
  return { loss, violations: loss > 0 ? 1 : 0, cost: treeCost(diminished, size, costs) };
}

/**
 * Adds to the spans of one tree and subtracts from those of the other, going through both lists at once;
 * pre-order is by begin, then from long to short. Spans of both cancel exactly; adding and then subtracting
 * would leave rounding errors.
 */
function addDifference(
  plus: SpanList,
  minus: SpanList,
  size: number,
  weight: number,
  gradient: SpanMatrix,
): void {
  let [a, b] = [0, 0];
  while (a < plus.length || b < minus.length) {
    const order = compareAt(plus, a, minus, b);
    const list = order <= 0 ? plus : minus;
    const from = order <= 0 ? a : b;
    const at = spanIndex(size, list[from] as number, list[from + 1] as number);
    gradient[at] = (gradient[at] as number) - Math.sign(order) * weight;
    if (order <= 0) a += 2;
    if (order >= 0) b += 2;
  }
}

/** Negative if the first list's next span comes first; a finished list comes last. */
function compareAt(first: SpanList, a: number, second: SpanList, b: number): number {
  if (a === first.length) return 1;
  if (b === second.length) return -1;
  const begins = (first[a] as number) - (second[b] as number);
  return begins || (second[b + 1] as number) - (first[a + 1] as number);
}

function treeCost(spans: SpanList, size: number, costs: SpanMatrix): number {
  let cost = 0;
  for (let token = 0; token < size; token++) {
    cost += costs[spanIndex(size, token, token + 1)] as number;
  }
  for (let at = 0; at < spans.length; at += 2) {
    cost += costs[spanIndex(size, spans[at] as number, spans[at + 1] as number)] as number;
  }
  return cost;
}

/** Options of `softLoss`. */
export interface SoftLossOptions extends LossOptions, DistributionOptions {
  /** The factor of the costs; 1 by default. */
  readonly costFactor?: number;
}

/** The result of `softLoss` and `distillationLoss`. */
export interface SoftLoss {
  /** The loss, without the weight. */
  readonly loss: number;
}

/**
 * A smooth version of the ramp loss: T * (log Z(score / T) - log Z((score - costFactor * cost) / T)), where T
 * is the temperature and log Z the log partition function. It is -T times the logarithm of the expected value
 * of exp(-costFactor * cost / T) over trees. With a large factor it is the negative log-probability of the
 * trees that cost nothing. The gradient is the difference of the marginals. Parameters are those of `rampLoss`.
 */
export function softLoss(
  scores: SpanMatrix,
  costs: SpanMatrix,
  size: number,
  gradient: SpanMatrix,
  { weight = 1, costFactor = 1, temperature = 1 }: SoftLossOptions = {},
  chart = new Chart(),
): SoftLoss {
  const all = addMarginals(scores, size, { temperature, inLogs: true }, weight, gradient, chart);
  const diminished = { costs, costFactor: -costFactor, temperature, inLogs: true };
  const agreeing = addMarginals(scores, size, diminished, -weight, gradient, chart);
  return { loss: temperature * (all - agreeing) };
}

/**
 * The cross entropy between the distribution of a teacher, given by its marginals, and that of the scores:
 * log Z(score) - Σ target * score. It is smallest when the marginals of the scores equal the targets. The
 * gradient is the difference of the two. The other parameters are those of `rampLoss`.
 *
 * @param targets the teacher's marginals, in the layout of the scores.
 */
export function distillationLoss(
  scores: SpanMatrix,
  targets: SpanMatrix,
  size: number,
  gradient: SpanMatrix,
  { weight = 1 }: LossOptions = {},
  chart = new Chart(),
): SoftLoss {
  checkMatrix(targets, size, "targets");
  let loss = addMarginals(scores, size, { inLogs: true }, weight, gradient, chart);
  for (let at = 0; at < targets.length; at++) {
    const target = targets[at] as number;
    if (target === 0) continue;
    loss -= target * (scores[at] as number);
    gradient[at] = (gradient[at] as number) - weight * target;
  }
  return { loss };
}
