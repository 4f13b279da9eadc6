/**
 * Which spans of a binary tree are phrases. A binary tree has to split "the old wooden bridge"
 * somewhere, though nobody takes "wooden bridge" for a phrase of it. Each span has, beside its score,
 * an evidence: the log-odds that it is a phrase, given that a tree has it.
 *
 * The biaffine scorer delivers a number for each pair of words, and a span needs that of its first and
 * last word only. The same pair in the other order, below the diagonal, is where the evidence stands.
 */

import type { LossOptions } from "./losses.js";
import { checkMatrix, type SpanMatrix, spanIndex } from "./matrix.js";

/** Where the evidence of the half-open span [begin, end) stands in the scores; two tokens or more. */
export function evidenceIndex(size: number, begin: number, end: number): number {
  return (end - 1) * size + begin;
}

/** The probability, in the layout of scores, that each span is a phrase where a tree has it. */
export function evidenceProbabilities(scores: SpanMatrix, size: number): Float32Array {
  checkMatrix(scores, size, "scores");
  const probabilities = new Float32Array(size * size);
  for (let begin = 0; begin < size; begin++) {
    probabilities[spanIndex(size, begin, begin + 1)] = 1;
    for (let end = begin + 2; end <= size; end++) {
      const logOdds = scores[evidenceIndex(size, begin, end)] as number;
      probabilities[spanIndex(size, begin, end)] = 1 / (1 + Math.exp(-logOdds));
    }
  }
  return probabilities;
}

/** What speaks for each span's being a phrase, and against it, in the layout of scores. */
export interface Testimony {
  readonly support: SpanMatrix;
  readonly doubt: SpanMatrix;
}

/**
 * The logistic loss of the evidence: each span's log-odds of being a phrase, as far as something speaks
 * for it or against it; 1 is as much as one bracket says. The whole sentence is not asked. Adds
 * `weight` times the gradient, as the other losses.
 */
export function evidenceLoss(
  scores: SpanMatrix,
  { support, doubt }: Testimony,
  size: number,
  gradient: SpanMatrix,
  { weight = 1 }: LossOptions = {},
): number {
  checkMatrix(support, size, "supports");
  checkMatrix(doubt, size, "doubts");
  checkMatrix(gradient, size, "gradients");
  let loss = 0;
  for (let begin = 0; begin < size; begin++) {
    for (let end = begin + 2; end <= size; end++) {
      if (end - begin === size) continue;
      const at = spanIndex(size, begin, end);
      const place = evidenceIndex(size, begin, end);
      const [pro, contra] = [support[at] as number, doubt[at] as number];
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
