/** Trains models on Bracketings, and makes soft labels for distillation. */

export type { HubOptions } from "../encoder/hub.js";
export type { ModelOptions } from "../model/config.js";
export { Random, type RandomState } from "../random.js";
export type { BracketRecall } from "./bracket-recall.js";
export type { CategoryDescription } from "./categories.js";
export { drawCurves, type NamedLog } from "./curves.js";
export { type InduceOptions, induce } from "./induce.js";
export type { StepRecord } from "./log-record.js";
export { parseLog } from "./log-record.js";
export {
  type CostName,
  type DecayName,
  type LossName,
  PRESETS,
  type PresetName,
  type TrainSettings,
} from "./settings.js";
export { type SoftLabelOptions, softLabelsOf } from "./soft-labels.js";
export { type TrainOptions, type TrainOutcome, train } from "./train.js";
