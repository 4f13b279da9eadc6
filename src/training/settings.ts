/**
 * All that decides what a training run does, and the two presets: `paper` has the hyper-parameters of
 * the paper and of its released code; `small` is for MiniLM-sized encoders on a few processor cores,
 * chosen by training loss and by recall of validation brackets, never by gold trees.
 */

import type { ModelOptions } from "../model/config.js";

/** What a tree pays for: see docs/training.md. */
export type CostName = "loose" | "strict" | "counted";
/** The loss. */
export type LossName = "ramp" | "soft";
/** The learning rate after the warm-up. */
export type DecayName = "constant" | "linear" | "cosine";

/** All that decides what a run does. */
export interface TrainSettings {
  readonly loss: LossName;
  readonly cost: CostName;
  /** Share of `strict` mixed into `loose`; only where the cost is `loose`. */
  readonly strictness: number;
  /** Whether brackets cost by how many people gave them (the logarithm counts); `counted` only. */
  readonly weighted: boolean;
  /** λ and T of the soft loss. */
  readonly costFactor: number;
  readonly temperature: number;
  /**
   * Weight of the phrase loss beside the soft loss. It teaches which spans of a binary tree are phrases,
   * so that trees can be flat. 0 for none.
   */
  readonly phraseWeight: number;
  readonly steps: number;
  readonly warmup: number;
  readonly decay: DecayName;
  /** Sentences a batch. */
  readonly batch: number;
  /** Learning rates of the encoder and of the span scorer. */
  readonly rate: number;
  readonly headRate: number;
  /** The longest gradient, as a vector. */
  readonly clip: number;
  readonly epsilon: number;
  /** Decay of the moving average of the weights; 0 for none. */
  readonly average: number;
  /** Sentences over this many tokens are not learnt from. */
  readonly maxTokens: number;
  /** Share of sentences kept for validation. */
  readonly validationShare: number;
  readonly seed: number;
  readonly model: ModelOptions;
}

/** The name of a preset. */
export type PresetName = "paper" | "small";

const PAPER: TrainSettings = {
  loss: "ramp",
  cost: "strict",
  strictness: 0,
  weighted: false,
  costFactor: 1,
  temperature: 1,
  phraseWeight: 0,
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

/** The presets by name. */
export const PRESETS: Readonly<Record<PresetName, TrainSettings>> = {
  paper: PAPER,
  small: {
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
  },
};

/** The learning rate's factor at a step counted from 1: up to 1 in a line, then as `decay` says. */
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
