/** Adapts a model to documents. Exported as `bracken/adapt`. */

export type { StepRecord } from "../training/log-record.js";
export type { TrainSettings } from "../training/settings.js";
export type { StartModel } from "../training/start.js";
export type { Span, Tree } from "../trees/tree.js";
export { type AdaptOptions, type AdaptStage, adapt } from "./adapt.js";
export type {
  BracketComparison,
  ChangedTree,
  FoundBrackets,
  GoldComparison,
  TreeComparison,
} from "./compare.js";
export { type AdaptCounts, type AdaptReport, adaptText } from "./report.js";
export { adaptHtml } from "./report-html.js";
