/** The loss of a batch, and its gradient with respect to the scores of all spans. */

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
import type { LabelConfig } from "../model/config.js";
import { SCORES } from "../model/graph.js";
import { LABELS_LEFT, LABELS_RIGHT } from "../model/label-scorer.js";
import { cutMatrix } from "../model/span-model.js";
import type { Result } from "../tensor/index.js";
import type { Example } from "./examples.js";
import { LabelLoss } from "./label-loss.js";
import { targetsFromBrackets, targetsFromSoftLabels } from "./phrase-targets.js";
import type { TrainSettings } from "./settings.js";

/** The loss of a batch's trees. */
export interface TreeLoss {
  /** The mean over the sentences. */
  readonly loss: number;
  /** The share of sentences whose loss is not (nearly) zero. */
  readonly violations: number;
  /** By the scores, in the layout of the batch. */
  readonly gradient: Float32Array<ArrayBuffer>;
}

/** The loss of a batch: of its trees and of the names of its spans. */
export interface BatchLoss extends Omit<TreeLoss, "gradient"> {
  /** By each output of the model, in its layout. */
  readonly gradients: Readonly<Record<string, Float32Array<ArrayBuffer>>>;
}

/** Below this a sentence counts as learnt; the soft loss never is zero. */
const NEGLIGIBLE = 1e-3;

export class Objective {
  readonly #settings: TrainSettings;
  readonly #chart = new Chart();
  readonly #labels: LabelLoss | undefined;

  constructor(settings: TrainSettings, labels?: LabelConfig) {
    this.#settings = settings;
    this.#labels = labels && new LabelLoss(labels);
  }

  /** `outputs` are the model's of the batch, padded to `longest` words. */
  compute(
    outputs: Readonly<Record<string, Result>>,
    examples: readonly Example[],
    longest: number,
  ): BatchLoss {
    const scores = outputs[SCORES]?.data as Float32Array;
    const { loss, violations, gradient } = this.treeLoss(scores, examples, longest);
    if (!this.#labels) return { loss, violations, gradients: { [SCORES]: gradient } };
    const names = this.#labelLoss(this.#labels, outputs, examples, longest);
    const gradients = { [SCORES]: gradient, ...names.gradients };
    return { loss: loss + names.loss, violations, gradients };
  }

  #labelLoss(
    labels: LabelLoss,
    outputs: Readonly<Record<string, Result>>,
    examples: readonly Example[],
    longest: number,
  ): Omit<BatchLoss, "violations"> {
    const [left, right] = [outputs[LABELS_LEFT] as Result, outputs[LABELS_RIGHT] as Result];
    const gradients = {
      left: new Float32Array(left.data.length),
      right: new Float32Array(right.data.length),
    };
    const width = longest * (left.dims[1] as number);
    const weight = this.#settings.labelWeight / examples.length;
    let loss = 0;
    for (const [index, { labelled = [] }] of examples.entries()) {
      const own = (data: Float32Array) => data.subarray(index * width, (index + 1) * width);
      const factors = { left: own(left.data), right: own(right.data) };
      const gradient = { left: own(gradients.left), right: own(gradients.right) };
      loss += weight * labels.compute(factors, labelled, gradient, weight);
    }
    return { loss, gradients: { [LABELS_LEFT]: gradients.left, [LABELS_RIGHT]: gradients.right } };
  }

  treeLoss(scores: Float32Array, examples: readonly Example[], longest: number): TreeLoss {
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
    const options = { costs, costFactor: -costFactor, temperature, inLogs: true };
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
