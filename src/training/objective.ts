/** A batch's loss, and the gradient of it by the scores of all spans. */

import {
  Chart,
  countedCosts,
  distillationLoss,
  mixedCosts,
  type PhraseTargets,
  phraseLoss,
  rampLoss,
  softLoss,
  spanIndex,
  spanMarginals,
  strictCosts,
} from "../chart/index.js";
import { cutMatrix } from "../model/span-model.js";
import type { Example } from "./examples.js";
import { targetsFromBrackets, targetsFromSoftLabels } from "./phrase-targets.js";
import type { TrainSettings } from "./settings.js";

export interface BatchLoss {
  /** The mean over the sentences. */
  readonly loss: number;
  /** The share of sentences whose loss is not (nearly) zero. */
  readonly violations: number;
  /** By the scores, in the layout of the batch. */
  readonly gradient: Float32Array<ArrayBuffer>;
}

/** Below this a sentence counts as learnt; the soft loss never is zero. */
const NEGLIGIBLE = 1e-3;

export class Objective {
  readonly #settings: TrainSettings;
  readonly #chart = new Chart();

  constructor(settings: TrainSettings) {
    this.#settings = settings;
  }

  /** `scores` are those of the batch, padded to `longest` words. */
  compute(scores: Float32Array, examples: readonly Example[], longest: number): BatchLoss {
    const gradient = new Float32Array(scores.length);
    let [loss, violations] = [0, 0];
    for (const [index, example] of examples.entries()) {
      const size = example.words.length;
      const own = new Float32Array(size * size);
      const value = this.#sentenceLoss(
        cutMatrix(scores, index, longest, size),
        example,
        own,
        1 / examples.length,
      );
      loss += value / examples.length;
      if (value > NEGLIGIBLE) violations += 1 / examples.length;
      for (let row = 0; row < size; row++) {
        gradient.set(own.subarray(row * size, (row + 1) * size), (index * longest + row) * longest);
      }
    }
    return { loss, violations, gradient };
  }

  #sentenceLoss(
    scores: Float32Array,
    example: Example,
    gradient: Float32Array,
    weight: number,
  ): number {
    const { loss, costFactor, temperature } = this.#settings;
    const size = example.words.length;
    if (example.isSoft) {
      const tree = distillationLoss(
        scores,
        teacherMarginals(example),
        size,
        gradient,
        { weight },
        this.#chart,
      );
      const makeTargets = () => targetsFromSoftLabels(example);
      return tree.loss + this.#phraseLoss(scores, makeTargets, size, gradient, weight);
    }
    const costs = this.#costs(example);
    if (loss === "ramp")
      return rampLoss(scores, costs, size, gradient, { weight }, this.#chart).loss;
    const options = { weight, costFactor, temperature };
    const tree = softLoss(scores, costs, size, gradient, options, this.#chart);
    const makeTargets = () => targetsFromBrackets(example, this.#agreeing(scores, size, costs));
    return tree.loss + this.#phraseLoss(scores, makeTargets, size, gradient, weight);
  }

  #phraseLoss(
    scores: Float32Array,
    makeTargets: () => PhraseTargets,
    size: number,
    gradient: Float32Array,
    weight: number,
  ): number {
    const { phraseWeight } = this.#settings;
    if (phraseWeight === 0) return 0;
    const options = { weight: weight * phraseWeight };
    return phraseWeight * phraseLoss(scores, makeTargets(), size, gradient, options);
  }

  /** The marginals of the trees that agree with the brackets. */
  #agreeing(scores: Float32Array, size: number, costs: Float32Array): Float32Array {
    const { costFactor, temperature } = this.#settings;
    const options = { costs, costFactor: -costFactor, temperature };
    return spanMarginals(scores, size, options, this.#chart).marginals;
  }

  #costs({ brackets, weights, words }: Example): Float32Array {
    const { cost, strictness, weighted } = this.#settings;
    if (cost === "strict") return strictCosts(brackets, words.length);
    if (cost === "loose") return mixedCosts(brackets, words.length, strictness);
    return countedCosts(
      brackets,
      words.length,
      weighted ? { weights: weights.map(Math.log1p) } : {},
    );
  }
}

/** Words and the whole sentence are in every tree; a span without a soft label has probability 0. */
function teacherMarginals({ words, brackets, weights }: Example): Float32Array {
  const size = words.length;
  const matrix = new Float32Array(size * size);
  for (let word = 0; word < size; word++) matrix[spanIndex(size, word, word + 1)] = 1;
  matrix[spanIndex(size, 0, size)] = 1;
  for (const [index, { begin, end }] of brackets.entries()) {
    matrix[spanIndex(size, begin, end)] = weights[index] as number;
  }
  return matrix;
}
