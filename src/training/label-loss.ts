/**
 * The loss of label scores against votes. Votes come from rules and are sometimes wrong, so it is the
 * generalised cross-entropy of Zhang & Sabuncu (2018), Σ tₖ (1 − pₖ^q) / q: near the logarithm for
 * small q, near the plain error for q = 1, which a wrong vote that the model contradicts hardly moves.
 */

import type { LabelConfig } from "../model/config.js";
import {
  addLabelGradient,
  type LabelFactors,
  labelLogits,
  normaliseLabels,
} from "../model/label-scorer.js";
import { NO_PHRASE } from "../trees/labels.js";
import type { LabelledSpan } from "./examples.js";

/** With 0.5 labels of which there are few votes were never learnt: their probability stayed near 0. */
const Q = 0.2;

/** How well a sentence's labels agree with its votes. */
export interface LabelAgreement {
  readonly spans: number;
  /** Spans whose most probable label has the most votes. */
  readonly agreeing: number;
}

export class LabelLoss {
  readonly #rank: number;
  readonly #places: ReadonlyMap<string, number>;
  readonly #logits: Float32Array;
  readonly #targets: Float32Array;
  readonly #slopes: Float32Array;

  constructor({ classes, rank }: LabelConfig) {
    this.#rank = rank;
    this.#places = new Map(classes.map((name, place) => [name, place]));
    this.#logits = new Float32Array(classes.length);
    this.#targets = new Float32Array(classes.length);
    this.#slopes = new Float32Array(classes.length);
  }

  /** The sum over the sentence's voted spans; adds `weight` times its gradient. */
  compute(
    factors: LabelFactors,
    spans: readonly LabelledSpan[],
    gradient: LabelFactors,
    weight: number,
  ): number {
    let loss = 0;
    for (const { begin, end, votes } of spans) {
      const probabilities = this.#probabilities(factors, begin, end);
      if (!this.#setTargets(votes, end - begin === 1)) continue;
      let pull = 0;
      for (const [label, target] of this.#targets.entries()) {
        if (target === 0) continue;
        const power = (probabilities[label] as number) ** Q;
        loss += (target * (1 - power)) / Q;
        pull += target * power;
      }
      for (const [label, target] of this.#targets.entries()) {
        const p = probabilities[label] as number;
        this.#slopes[label] = weight * (pull * p - target * p ** Q);
      }
      addLabelGradient(factors, this.#rank, begin, end, this.#slopes, gradient);
    }
    return loss;
  }

  agreement(factors: LabelFactors, spans: readonly LabelledSpan[]): LabelAgreement {
    let [count, agreeing] = [0, 0];
    for (const { begin, end, votes } of spans) {
      const probabilities = this.#probabilities(factors, begin, end);
      if (!this.#setTargets(votes, end - begin === 1)) continue;
      count += 1;
      if (indexOfMost(probabilities) === indexOfMost(this.#targets)) agreeing += 1;
    }
    return { spans: count, agreeing };
  }

  #probabilities(factors: LabelFactors, begin: number, end: number): Float32Array {
    labelLogits(factors, this.#rank, begin, end, this.#logits);
    return normaliseLabels(this.#logits, end - begin === 1);
  }

  /** Whether there is any vote; a longer span is a phrase, whatever votes say. */
  #setTargets(votes: LabelledSpan["votes"], isSingle: boolean): boolean {
    this.#targets.fill(0);
    let sum = 0;
    for (const [label, vote] of Object.entries(votes)) {
      const place = this.#places.get(label);
      if (place === undefined || (label === NO_PHRASE && !isSingle)) continue;
      this.#targets[place] = vote;
      sum += vote;
    }
    return sum > 0;
  }
}

function indexOfMost(values: Float32Array): number {
  let best = 0;
  for (let at = 1; at < values.length; at++) {
    if ((values[at] as number) > (values[best] as number)) best = at;
  }
  return best;
}
