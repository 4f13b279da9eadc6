/**
 * Which spans of a binary tree are phrases. A binary tree has to split "the old wooden bridge" somewhere, but
 * "wooden bridge" is not a phrase in it. So each span has a second number beside its score: the log-odds that
 * it is a phrase, given that the tree has it.
 *
 * A biaffine scorer gives a number for every ordered pair of words, and the score of a span uses only the pair
 * (first word, last word). The reversed pair, below the diagonal, has the log-odds.
 */

import type { LossOptions } from "./losses.js";
import { checkMatrix, type SpanMatrix, spanIndex } from "./matrix.js";

/** The index of the phrase log-odds of the half-open span [begin, end), which has two or more tokens. */
export function phraseIndex(size: number, begin: number, end: number): number {
  return (end - 1) * size + begin;
}

/**
 * The probability that each span is a phrase, given that the tree has it.
 *
 * @param scores the scores of a model that has phrase log-odds.
 * @returns a matrix in the layout of the scores; single tokens have 1.
 */
export function phraseProbabilities(scores: SpanMatrix, size: number): Float32Array {
  checkMatrix(scores, size, "scores");
  const probabilities = new Float32Array(size * size);
  for (let begin = 0; begin < size; begin++) {
    probabilities[spanIndex(size, begin, begin + 1)] = 1;
    for (let end = begin + 2; end <= size; end++) {
      const logOdds = scores[phraseIndex(size, begin, end)] as number;
      probabilities[spanIndex(size, begin, end)] = 1 / (1 + Math.exp(-logOdds));
    }
  }
  return probabilities;
}

/**
 * Turns the probability that a tree has a span into the probability that the span is a phrase: the same as the product
 * with `phraseProbabilities`, without a matrix of its own.
 */
export function multiplyByPhrases(
  marginals: Float32Array,
  scores: SpanMatrix,
  size: number,
): Float32Array {
  for (let begin = 0; begin < size; begin++) {
    for (let end = begin + 2; end <= size; end++) {
      const at = spanIndex(size, begin, end);
      const logOdds = scores[phraseIndex(size, begin, end)] as number;
      marginals[at] = (marginals[at] as number) * Math.fround(1 / (1 + Math.exp(-logOdds)));
    }
  }
  return marginals;
}

/** Which spans are phrases and which are not, with weights in the layout of the scores. */
export interface PhraseTargets {
  /** How strongly each span counts as a phrase. */
  readonly positive: SpanMatrix;
  /** How strongly each span counts as no phrase. */
  readonly negative: SpanMatrix;
}

/**
 * The logistic loss of the phrase log-odds against weighted targets. A bracket has weight 1; the whole
 * sentence is left out. Like the other losses it adds `weight` times the gradient to `gradient`.
 */
export function phraseLoss(
  scores: SpanMatrix,
  { positive, negative }: PhraseTargets,
  size: number,
  gradient: SpanMatrix,
  { weight = 1 }: LossOptions = {},
): number {
  checkMatrix(positive, size, "positive targets");
  checkMatrix(negative, size, "negative targets");
  checkMatrix(gradient, size, "gradients");
  let loss = 0;
  for (let begin = 0; begin < size; begin++) {
    for (let end = begin + 2; end <= size; end++) {
      if (end - begin === size) continue;
      const at = spanIndex(size, begin, end);
      const place = phraseIndex(size, begin, end);
      const [pro, contra] = [positive[at] as number, negative[at] as number];
      const logOdds = scores[place] as number;
      // log(1 + exp(-x)) and log(1 + exp(x)) without overflow
      const least = Math.log1p(Math.exp(-Math.abs(logOdds)));
      loss += pro * (Math.max(0, -logOdds) + least) + contra * (Math.max(0, logOdds) + least);
      const slope = contra - (pro + contra) / (1 + Math.exp(logOdds));
      gradient[place] = (gradient[place] as number) + weight * slope;
    }
  }
  return loss;
}
