/**
 * What models believe of sentences, as brackets to learn from: each span with the mean of the
 * probabilities that the models give it. Where people gave brackets, the trees that cross them are
 * believed the less, so that beliefs and brackets mend each other. A model that learns from the
 * beliefs of several knows nearly what they know together, and of sentences that nobody bracketed.
 */

import {
  BELIEF,
  type Bracket,
  type Bracketing,
  distinctSpans,
  isMultiToken,
  toSpan,
} from "../brackets/record.js";
import { Chart, countedCosts, meanMatrix, spanIndex, spanMarginals } from "../chart/index.js";
import type { SpanParser } from "../parser/span-parser.js";

export interface BeliefOptions {
  /** What a crossed bracket takes from a tree's score; with 0 brackets are not heeded. */
  readonly costFactor: number;
  /** Spans less probable than this are left out. */
  readonly least: number;
}

/** Probabilities are written with so many digits. */
const DIGITS = 3;

/** The beliefs of all models about each of the sentences, in order. */
export async function beliefsOf(
  models: readonly SpanParser[],
  sentences: readonly Bracketing[],
  { costFactor, least }: BeliefOptions,
): Promise<Bracketing[]> {
  const chart = new Chart();
  const marginals = sentences.map((): Float32Array[] => []);
  const words = sentences.map(({ tokens }) => tokens);
  for (const model of models) {
    for await (const { index, scores } of model.scores(words)) {
      const sentence = sentences[index] as Bracketing;
      const { tokens } = sentence;
      const spans = distinctSpans(sentence).map(toSpan);
      const costs = countedCosts(spans, tokens.length);
      const options = { costs, costFactor: -costFactor };
      marginals[index]?.push(spanMarginals(scores, tokens.length, options, chart).marginals);
    }
  }
  return sentences.map(({ tokens, source, id }, index) => {
    const mean = meanMatrix(marginals[index] as Float32Array[], tokens.length);
    const brackets = [...spansAbove(least, mean, tokens.length)];
    return {
      tokens,
      brackets,
      source,
      id,
      weights: brackets.map(([begin, end]) =>
        Number((mean[spanIndex(tokens.length, begin, end)] as number).toFixed(DIGITS)),
      ),
      kinds: brackets.map(() => BELIEF),
    };
  });
}

function* spansAbove(least: number, matrix: Float64Array, size: number): Generator<Bracket> {
  for (let begin = 0; begin < size; begin++) {
    for (let end = begin + 2; end <= size; end++) {
      const bracket: Bracket = [begin, end];
      const isLikely = (matrix[spanIndex(size, begin, end)] as number) >= least;
      if (isLikely && isMultiToken(bracket, size)) yield bracket;
    }
  }
}
