/** Adapts a model to documents. Exported as `bracken/adapt`. */

export { type AdaptOptions, type AdaptStage, adapt } from "./adapt.js";
export type {
  BracketComparison,
  ChangedTree,
  FoundBrackets,
  GoldComparison,
  TreeComparison,
} from "./compare.js";
export { type AdaptCounts, type AdaptReport, adaptText } from "./report.js";
