/**
 * The settings of a training run, and its presets. `paper` has the hyper-parameters of the paper and of its
 * released code. `small` is for encoders like MiniLM on a few processor cores, `continue` for further training of a
 * trained parser; they were chosen by training loss and bracket recall, never by gold trees.
 */

import type { ModelOptions } from "../model/config.js";

/** What a tree pays for: crossing a bracket, having a span that is no bracket, or each bracket it crosses. */
export type CostName = "loose" | "strict" | "counted";
/** The loss: the paper's, or its smooth version. */
export type LossName = "ramp" | "soft";
/** How the learning rate changes after the warm-up. */
export type DecayName = "constant" | "linear" | "cosine";

/** The settings of a training run; see docs/training.md. */
export interface TrainSettings {
  /** The loss. */
  readonly loss: LossName;
  /** What a tree pays for. */
  readonly cost: CostName;
  /** With the cost `loose`: the share of `strict` that is mixed in, from 0 to 1. */
  readonly strictness: number;
  /** With the cost `counted`: whether each bracket counts log(1 + annotators). */
  readonly weighted: boolean;
  /** λ of the soft loss: the factor of the costs. */
  readonly costFactor: number;
  /** T of the soft loss: the temperature. */
  readonly temperature: number;
  /**
   * The weight of the phrase loss, which is added to the soft loss. It teaches which spans of a binary tree are
   * phrases, so that trees can be flat. 0 turns it off.
   */
  readonly phraseWeight: number;
  /** Weight of the label loss, where the data has votes for labels; 0 for no labels. */
  readonly labelWeight: number;
  /**
   * How many categories to induce from the brackets. They are the labels of the model; votes in the data do not count.
   * By default the votes count.
   */
  readonly inducedLabels?: number | undefined;
  /** The number of training steps. */
  readonly steps: number;
  /** Steps until the learning rate is reached. */
  readonly warmup: number;
  /** How the learning rate changes after the warm-up. */
  readonly decay: DecayName;
  /** Sentences per step. */
  readonly batch: number;
  /** The learning rate of the encoder. */
  readonly rate: number;
  /** The learning rate of the span scorer. */
  readonly headRate: number;
  /** How many layers of the encoder are not updated, from the bottom, with the embeddings; by default all are. */
  readonly freeze?: number | undefined;
  /** The largest norm of the gradient; a larger gradient is scaled down. */
  readonly clip: number;
  /** ε of Adam. */
  readonly epsilon: number;
  /** Decay of the moving average of the weights; 0 for none. */
  readonly average: number;
  /** Longer sentences are left out. */
  readonly maxTokens: number;
  /** The share of sentences that is kept for validation. */
  readonly validationShare: number;
  /** The seed of all random numbers. */
  readonly seed: number;
  /** Options of the model. */
  readonly model: ModelOptions;
}

/** The name of a preset. */
export type PresetName = "paper" | "small" | "continue";

const PAPER: TrainSettings = {
  loss: "ramp",
  cost: "strict",
  strictness: 0,
  weighted: false,
  costFactor: 1,
  temperature: 1,
  phraseWeight: 0,
  labelWeight: 0.1,
  steps: 20_000,
  warmup: 2_000,
  decay: "constant",
  batch: 8,
  rate: 1e-5,
  headRate: 1e-5,
  clip: 1,
  epsilon: 1e-12,
  average: 0,
  maxTokens: 100,
  validationShare: 0,
  seed: 1,
  model: {},
};

const SMALL: TrainSettings = {
  ...PAPER,
  loss: "soft",
  cost: "counted",
  costFactor: 5,
  phraseWeight: 0.5,
  steps: 2_000,
  warmup: 100,
  decay: "linear",
  rate: 5e-5,
  headRate: 5e-4,
  epsilon: 1e-8,
  validationShare: 0.02,
};

/** The presets by name. */
export const PRESETS: Readonly<Record<PresetName, TrainSettings>> = {
  paper: PAPER,
  small: SMALL,
  // The scorer is trained already: it needs no higher rate than a few times the encoder's.
  continue: { ...SMALL, steps: 1_000, rate: 2e-5, headRate: 1e-4 },
};

/** The factor of the learning rate at a step, counted from 1: linear up to 1, then as `decay` says. */
export function scheduleFactor(
  step: number,
  settings: Pick<TrainSettings, "steps" | "warmup" | "decay">,
): number {
  const { steps, warmup, decay } = settings;
  if (step <= warmup) return step / warmup;
  if (decay === "constant") return 1;
  const left = Math.max(0, (steps - step) / Math.max(1, steps - warmup));
  return decay === "linear" ? left : (1 - Math.cos(Math.PI * left)) / 2;
}
