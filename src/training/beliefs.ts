/**
 * What models believe of sentences, as brackets to learn from: each span with the mean of the
 * probabilities that the models give it, and with the mean of their evidence, where they have it. Where
 * people gave brackets, the trees that cross them are believed the less, and so on, so that beliefs and
 * brackets mend each other. A model that learns from the beliefs of several knows nearly what they know
 * together, and of sentences that nobody bracketed.
 */

import {
  BELIEF,
  type Bracket,
  type Bracketing,
  CHUNK,
  distinctSpans,
  EVIDENCE,
  FRAGMENT,
  isMultiToken,
  toSpan,
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
import type { Span } from "../trees/tree.js";
import { spansWithin } from "./testimony.js";

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
  for (const model of models) {
    const hasEvidence = model.config.decoding === "phrases";
    for await (const { index, scores } of model.scores(words)) {
      const sentence = sentences[index] as Bracketing;
      const { marginals, evidence } = views[index] as Views;
      const size = sentence.tokens.length;
      const costs = countedCosts(distinctSpans(sentence).map(toSpan), size);
      const options = { costs, costFactor: -costFactor };
      marginals.push(spanMarginals(scores, size, options, chart).marginals);
      if (hasEvidence) evidence.push(heedingEvidence(scores, sentence, costFactor));
    }
  }
  return sentences.map((sentence, index) => toBeliefs(sentence, views[index] as Views, least));
}

/** The models' evidence, the more for brackets and the less for what is marked as no phrase. */
function heedingEvidence(
  scores: SpanMatrix,
  sentence: Bracketing,
  costFactor: number,
): Float32Array {
  const size = sentence.tokens.length;
  const changes = new Map<number, number>();
  const change = ({ begin, end }: Span, by: number) =>
    changes.set(evidenceIndex(size, begin, end), by);
  for (const span of spansOf(sentence, CHUNK).flatMap(spansWithin)) change(span, -costFactor);
  for (const bracket of distinctSpans(sentence)) {
    if (isMultiToken(bracket, size)) change(toSpan(bracket), costFactor);
  }
  for (const span of spansOf(sentence, FRAGMENT)) change(span, -costFactor);
  const heeding = Float32Array.from(scores);
  for (const [at, by] of changes) heeding[at] = (heeding[at] as number) + by;
  return evidenceProbabilities(heeding, size);
}

function spansOf({ brackets, kinds }: Bracketing, kind: string): Span[] {
  return brackets.filter((_, index) => kinds?.[index] === kind).map(toSpan);
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
