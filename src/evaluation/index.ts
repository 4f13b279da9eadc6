/** Scoring, significance and baselines without a file system: what a browser can import. */

export { type BranchingName, baselineTree, wordLeaves } from "./baselines.js";
export {
  Evaluation,
  evaluateStreams,
  type LabelRecall,
  type LengthBucket,
} from "./evaluate.js";
export { PROTOCOLS, type Protocol, type ProtocolName, SpanSet } from "./protocols.js";
export {
  corpusF1,
  type PreparedGold,
  prepareGold,
  type SentenceScore,
  scorePrediction,
  scoreSpans,
  Totals,
} from "./score.js";
export { type Comparison, compareSystems, type Significance } from "./significance.js";
export { type BoundOptions, upperBoundTree } from "./upper-bound.js";
