/**
 * What answers to "is this a phrase?" tell about the other spans of a sentence, and what an answer is worth before it
 * is given.
 *
 * A tree has a span with its marginal probability, and the span is then a phrase with its phrase probability. "Yes"
 * leaves only trees that have the span. "No" leaves trees without it, and trees that have it though it is no phrase: a
 * tree that has it keeps the share 1 - φ of its weight.
 */

import type { Span } from "../trees/tree.js";
import { Chart } from "./chart.js";
import { constrain } from "./constraints.js";
import { expectedF1Tree } from "./expected-f1.js";
import { spanMarginals } from "./marginals.js";
import { type SpanMatrix, spanIndex } from "./matrix.js";
import { phraseProbabilities } from "./phrase-probability.js";

/** What is known about the spans of a sentence. */
export interface SpanAnswers {
  /** Spans that are phrases. */
  readonly phrases?: readonly Span[] | undefined;
  /** Spans that are none. */
  readonly fragments?: readonly Span[] | undefined;
}

/** How answers are taken. */
export interface AnswerOptions {
  /** Whether the scores have phrase log-odds; without them every span of a tree is a phrase. */
  readonly hasPhrases: boolean;
}

/** Without phrase probabilities a span of a tree is almost surely a phrase. */
const ALMOST_SURE = 1 - 1e-6;

/**
 * The probability that each span is a phrase, given the answers.
 *
 * @param scores one number per span, with phrase log-odds if the model has them.
 * @param size the number of tokens.
 * @throws InputError if no tree has all the phrases.
 */
export function answeredProbabilities(
  scores: SpanMatrix,
  size: number,
  { phrases = [], fragments = [] }: SpanAnswers,
  { hasPhrases }: AnswerOptions,
  chart = new Chart(),
): Float32Array {
  const given = phraseGivenTree(scores, size, hasPhrases);
  const weighted = Float32Array.from(scores);
  for (const { begin, end } of fragments) {
    const at = spanIndex(size, begin, end);
    weighted[at] = (weighted[at] as number) + Math.log1p(-(given[at] as number));
  }
  const allowed =
    phrases.length > 0 ? constrain(weighted, size, { required: phrases }, chart) : weighted;
  const { marginals } = spanMarginals(allowed, size, {}, chart);
  const probabilities = marginals.map((marginal, at) => marginal * (given[at] as number));
  for (const { begin, end } of phrases) probabilities[spanIndex(size, begin, end)] = 1;
  for (const { begin, end } of fragments) probabilities[spanIndex(size, begin, end)] = 0;
  return probabilities;
}

function phraseGivenTree(scores: SpanMatrix, size: number, hasPhrases: boolean): Float32Array {
  const given = hasPhrases
    ? phraseProbabilities(scores, size)
    : new Float32Array(size * size).fill(1);
  return given.map((probability) => Math.min(probability, ALMOST_SURE));
}

/**
 * By how much an answer about a span is expected to raise the expected F1 of the sentence's tree. It is 0 if the
 * answer is known beforehand, and also if it changes nothing.
 *
 * @param known what is known about the sentence already.
 */
export function answerValue(
  scores: SpanMatrix,
  size: number,
  span: Span,
  known: SpanAnswers,
  options: AnswerOptions,
  chart = new Chart(),
): number {
  const { phrases = [], fragments = [] } = known;
  const f1 = (answers: SpanAnswers) =>
    expectedF1Tree(answeredProbabilities(scores, size, answers, options, chart), size, chart).f1;
  const before = answeredProbabilities(scores, size, known, options, chart);
  const yes = before[spanIndex(size, span.begin, span.end)] as number;
  // Rounding may make a certain span a little uncertain, and no tree has what is impossible.
  if (yes < LEAST || yes > 1 - LEAST) return 0;
  return (
    yes * f1({ phrases: [...phrases, span], fragments }) +
    (1 - yes) * f1({ phrases, fragments: [...fragments, span] }) -
    expectedF1Tree(before, size, chart).f1
  );
}

const LEAST = 1e-4;
