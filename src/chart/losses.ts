/**
 * How far scores are from preferring trees that agree with brackets, given as costs, and how the
 * loss changes with each score. Both losses ADD `weight` times their gradient to the caller's
 * buffer, so that the gradients of a batch, of two losses, or of several bracketings of a sentence
 * gather in one place; the loss itself is reported without the weight.
 */

import { Chart } from "./chart.js";
import { decodeLoaded } from "./decode.js";
import { addMarginals, type DistributionOptions } from "./marginals.js";
import { checkMatrix, type SpanMatrix, spanIndex } from "./matrix.js";
import { listLength, type SpanList } from "./span-list.js";

/** Options that all losses have. */
export interface LossOptions {
  /** What the gradient is multiplied by, such as 1 over the size of the batch. */
  readonly weight?: number;
}

/** What `rampLoss` finds. */
export interface RampLoss {
  readonly loss: number;
  /** 1 where the loss is above 0. A number, for adding up. */
  readonly violations: 0 | 1;
  /** What the cost-diminished tree, the one the scores are pulled towards, costs. */
  readonly cost: number;
}

/**
 * The paper's loss: max over trees of [score + cost] - max over trees of [score - cost]. The
 * gradient is 1 on the spans of the first tree, -1 on those of the second, 0 on those of both.
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
 * Adds to spans of the one tree and subtracts from those of the other by going through both lists at
 * once; pre-order is by begin, then from long to short. Spans of both cancel exactly, where adding
 * and then subtracting would leave rounding errors behind.
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

/** Negative where the first list's next span comes first; a list that is through comes last. */
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
  /** What the costs are multiplied by. */
  readonly costFactor?: number;
}

/** What `softLoss` and `distillationLoss` find. */
export interface SoftLoss {
  readonly loss: number;
}

/**
 * The ramp loss's smooth sister: T * (log Z(score / T) - log Z((score - costFactor * cost) / T))
 * where T is the temperature and log Z the log partition function. It is -T times the logarithm of
 * the mean, over the trees the scores expect, of exp(-costFactor * cost / T): with a large factor
 * the negative log-probability of the trees that cost nothing. The gradient is the difference of
 * the marginals.
 */
export function softLoss(
  scores: SpanMatrix,
  costs: SpanMatrix,
  size: number,
  gradient: SpanMatrix,
  { weight = 1, costFactor = 1, temperature = 1 }: SoftLossOptions = {},
  chart = new Chart(),
): SoftLoss {
  const all = addMarginals(scores, size, { temperature }, weight, gradient, chart);
  const diminished = { costs, costFactor: -costFactor, temperature };
  const agreeing = addMarginals(scores, size, diminished, -weight, gradient, chart);
  return { loss: temperature * (all - agreeing) };
}

/**
 * How far the scores' distribution over trees is from another that is known by its marginals:
 * the cross entropy, log Z(score) - Σ target * score. It is least where the marginals of the scores
 * equal the targets, and the gradient is the difference of the two.
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
  let loss = addMarginals(scores, size, {}, weight, gradient, chart);
  for (let at = 0; at < targets.length; at++) {
    const target = targets[at] as number;
    if (target === 0) continue;
    loss -= target * (scores[at] as number);
    gradient[at] = (gradient[at] as number) - weight * target;
  }
  return { loss };
}
