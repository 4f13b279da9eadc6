/**
 * Which spans of a binary tree are phrases. A binary tree has to split "the old wooden bridge"
 * somewhere, though nobody would call "wooden bridge" a phrase of it. So each span has a second number
 * beside its score: the log-odds that it is a phrase, given that the tree has it.
 *
 * A biaffine scorer gives a number for every ordered pair of words, and a span uses only the pair
 * (first word, last word). The reversed pair, below the diagonal, holds the log-odds.
 */

import type { LossOptions } from "./losses.js";
import { checkMatrix, type SpanMatrix, spanIndex } from "./matrix.js";

/** Index of the phrase log-odds of the half-open span [begin, end), which has two tokens or more. */
export function phraseIndex(size: number, begin: number, end: number): number {
  return (end - 1) * size + begin;
}

/**
 * The probability that each span is a phrase, given that the tree has it. Same layout as the scores;
 * single tokens get 1.
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

/** How strongly each span is labelled a phrase, and how strongly not; same layout as the scores. */
export interface PhraseTargets {
  readonly positive: SpanMatrix;
  readonly negative: SpanMatrix;
}

/**
 * Logistic loss of the phrase log-odds against weighted targets. A weight of 1 is one bracket's worth;
 * the whole sentence is left out. Adds `weight` times the gradient, as the other losses do.
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
