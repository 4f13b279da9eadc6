/** Scoring, significance and baselines without a file system: what a browser can import. */

export { type BranchingName, baselineTree, wordLeaves } from "./baselines.js";
export {
  Evaluation,
  evaluateStreams,
  type LabelRecall,
  type LengthBucket,
} from "./evaluate.js";
export {
  type GoldSpans,
  PROTOCOLS,
  type Protocol,
  type ProtocolName,
  type Sentence,
  SpanSet,
} from "./protocols.js";
export {
  corpusF1,
  type PreparedGold,
  prepareGold,
  type SentenceScore,
  scorePrediction,
  scoreSpans,
  Totals,
} from "./score.js";
export {
  type Comparison,
  type Counts,
  compareSystems,
  type Significance,
} from "./significance.js";
export { type BoundOptions, upperBoundTree } from "./upper-bound.js";
