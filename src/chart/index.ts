/** Binary trees over span scores. Nothing here needs a file system or knows where scores come from. */

export {
  type AnswerOptions,
  answeredProbabilities,
  answerValue,
  type SpanAnswers,
} from "./answers.js";
export { Chart, type Semiring, type WeightOptions } from "./chart.js";
export { type Constraints, constrain } from "./constraints.js";
export {
  type CountedOptions,
  countedCosts,
  looseCosts,
  mixedCosts,
  strictCosts,
} from "./costs.js";
export { countTrees, decode, decodeInto, type ScoredTree } from "./decode.js";
export { expectedF1Tree, type PhraseTree } from "./expected-f1.js";
export { kBest } from "./k-best.js";
export {
  distillationLoss,
  type LossOptions,
  type RampLoss,
  rampLoss,
  type SoftLoss,
  type SoftLossOptions,
  softLoss,
} from "./losses.js";
export {
  type DistributionOptions,
  logPartition,
  type Marginals,
  spanMarginals,
} from "./marginals.js";
export { type SpanMatrix, spanIndex } from "./matrix.js";
export {
  type PhraseTargets,
  phraseIndex,
  phraseLoss,
  phraseProbabilities,
} from "./phrase-probability.js";
export { meanMatrix, minimumRisk } from "./risk.js";
export { COUNT, LOG, MAX } from "./semirings.js";
export { flatten, listLength, type SpanList, toSpans, toTree } from "./span-list.js";
