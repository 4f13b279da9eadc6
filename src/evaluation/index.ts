/** Scores, significance tests and baselines, without a file system, so that a browser can import them. */

export { type BranchingName, baselineTree, wordLeaves } from "./baselines.js";
export {
  Confusion,
  type GoldSpan,
  goldSpans,
  type LabelMeasure,
  type LabelPair,
  labelAccuracy,
} from "./confusion.js";
export { EvalbSummaries, EvalbSummary } from "./evalb.js";
export {
  Evaluation,
  type EvaluationOptions,
  evaluateStreams,
  type LabelRecall,
} from "./evaluate.js";
export {
  type CategoryMapping,
  manyToOne,
  oneToOne,
  type VMeasure,
  vMeasure,
} from "./induced.js";
export {
  type LabelCounts,
  LabelledEvaluation,
  type LabelledScore,
  scoreLabelled,
} from "./labelled.js";
export {
  LABELLED_PROTOCOLS,
  type LabelledProtocol,
  type LabelledProtocolName,
  PROTOCOLS,
  type Protocol,
  type ProtocolName,
  type Sentence,
  SpanSet,
  withPunctuation,
} from "./protocols.js";
export {
  choosePunctuation,
  describePunctuation,
  PENN,
  type Punctuation,
  type TagCount,
  TagCounts,
  type WordRule,
} from "./punctuation.js";
export {
  type Counts,
  corpusF1,
  type GoldSentence,
  type PreparedGold,
  prepareGold,
  readGold,
  type SentenceScore,
  scorePrediction,
  scoreSpans,
  Totals,
} from "./score.js";
export type { SentenceResult } from "./scorer.js";
export { signTest } from "./sign-test.js";
export {
  type Comparison,
  compareSystems,
  type Significance,
} from "./significance.js";
export { TAG_SETS, type TagSet, type TagSetName } from "./tag-sets.js";
export { type LengthBucket, Tally } from "./tally.js";
export { type BoundOptions, upperBoundTree } from "./upper-bound.js";
