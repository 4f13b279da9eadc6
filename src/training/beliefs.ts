/**
 * What models believe of sentences, as brackets to learn from: each span with the mean of the
 * probabilities that the models give it, and with the mean of their evidence, where they have it. Where
 * people gave brackets, the trees that cross them are believed the less and the brackets the more to be
 * phrases, so that beliefs and brackets mend each other. A model that learns from the beliefs of several
 * knows nearly what they know together, and of sentences that nobody bracketed.
 */

import {
  BELIEF,
  type Bracket,
  type Bracketing,
  EVIDENCE,
  isMultiToken,
} from "../brackets/record.js";
import {
  Chart,
  countedCosts,
  evidenceIndex,
  evidenceProbabilities,
  meanMatrix,
  type SpanMatrix,
  spanIndex,
  spanMarginals,
} from "../chart/index.js";
import type { SpanParser } from "../parser/span-parser.js";
import { type Example, toExample } from "./examples.js";
import { verdicts } from "./testimony.js";

export interface BeliefOptions {
  /**
   * What a crossed bracket takes from a tree's score, and what a bracket adds to its own evidence or a
   * mark takes; with 0 brackets are not heeded.
   */
  readonly costFactor: number;
  /** Spans less probable than this are left out. */
  readonly least: number;
}

/** Probabilities are written with so many digits, and none as 0. */
const DIGITS = 3;

/** The matrices that models have of one sentence. */
interface Views {
  readonly marginals: SpanMatrix[];
  readonly evidence: SpanMatrix[];
}

/** The beliefs of all models about each of the sentences, in order. */
export async function beliefsOf(
  models: readonly SpanParser[],
  sentences: readonly Bracketing[],
  { costFactor, least }: BeliefOptions,
): Promise<Bracketing[]> {
  const chart = new Chart();
  const views = sentences.map((): Views => ({ marginals: [], evidence: [] }));
  const words = sentences.map(({ tokens }) => tokens);
  const given = sentences.map((sentence) => whatPeopleGave(toExample(sentence), costFactor));
  for (const model of models) {
    const hasEvidence = model.config.decoding === "phrases";
    for await (const { index, scores } of model.scores(words)) {
      const size = (words[index] as readonly string[]).length;
      const { marginals, evidence } = views[index] as Views;
      const { costs, changes } = given[index] as Given;
      const options = { costs, costFactor: -costFactor };
      marginals.push(spanMarginals(scores, size, options, chart).marginals);
      if (hasEvidence) evidence.push(changedEvidence(scores, changes, size));
    }
  }
  return sentences.map((sentence, index) => toBeliefs(sentence, views[index] as Views, least));
}

/** What brackets and marks do to the models' scores, whichever the model. */
interface Given {
  readonly costs: Float32Array;
  /** By the place of a span's evidence, what is added to it. */
  readonly changes: ReadonlyMap<number, number>;
}

function whatPeopleGave(example: Example, costFactor: number): Given {
  const size = example.words.length;
  const changes = new Map<number, number>();
  for (const [{ begin, end }, isPhrase] of verdicts(example)) {
    changes.set(evidenceIndex(size, begin, end), isPhrase ? costFactor : -costFactor);
  }
  return { costs: countedCosts(example.brackets, size), changes };
}

function changedEvidence(
  scores: SpanMatrix,
  changes: ReadonlyMap<number, number>,
  size: number,
): Float32Array {
  const changed = Float32Array.from(scores);
  for (const [at, by] of changes) changed[at] = (changed[at] as number) + by;
  return evidenceProbabilities(changed, size);
}

function toBeliefs(
  { tokens, source, id }: Bracketing,
  { marginals, evidence }: Views,
  least: number,
): Bracketing {
  const size = tokens.length;
  const mean = meanMatrix(marginals, size);
  const spans = [...spansAbove(least, mean, size)];
  const weightsIn = (matrix: SpanMatrix) =>
    spans.map(([begin, end]) => rounded(matrix[spanIndex(size, begin, end)] as number));
  const beliefs = { brackets: spans, weights: weightsIn(mean), kinds: spans.map(() => BELIEF) };
  if (evidence.length === 0) return { tokens, source, id, ...beliefs };
  return {
    tokens,
    source,
    id,
    brackets: [...spans, ...spans],
    weights: [...beliefs.weights, ...weightsIn(meanMatrix(evidence, size))],
    kinds: [...beliefs.kinds, ...spans.map(() => EVIDENCE)],
  };
}

function rounded(probability: number): number {
  return Math.max(10 ** -DIGITS, Number(probability.toFixed(DIGITS)));
}

function* spansAbove(least: number, matrix: SpanMatrix, size: number): Generator<Bracket> {
  for (let begin = 0; begin < size; begin++) {
    for (let end = begin + 2; end <= size; end++) {
      const bracket: Bracket = [begin, end];
      const isLikely = (matrix[spanIndex(size, begin, end)] as number) >= least;
      if (isLikely && isMultiToken(bracket, size)) yield bracket;
    }
  }
}
