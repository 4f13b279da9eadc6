/**
 * Which spans of a binary tree are phrases. A binary tree has to split "the old wooden bridge"
 * somewhere, though nobody takes "wooden bridge" for a phrase of it. Each span has, beside its score,
 * an evidence: the log-odds that it is a phrase, given that a tree has it.
 *
 * The biaffine scorer delivers a number for each pair of words, and a span needs that of its first and
 * last word only. The same pair in the other order, below the diagonal, is where the evidence stands.
 */

import type { Span } from "../trees/tree.js";
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

/**
 * The logistic loss of the evidence. Brackets speak for themselves; a span that is none speaks against
 * itself as far as it is doubted: 0 for not at all, 1 for as much as a bracket speaks for itself. The
 * whole sentence is not asked. Adds `weight` times the gradient, as the other losses.
 */
export function evidenceLoss(
  scores: SpanMatrix,
  brackets: readonly Span[],
  doubts: SpanMatrix,
  size: number,
  gradient: SpanMatrix,
  { weight = 1 }: LossOptions = {},
): number {
  checkMatrix(doubts, size, "doubts");
  checkMatrix(gradient, size, "gradients");
  const isBracket = new Uint8Array(size * size);
  for (const { begin, end } of brackets) isBracket[spanIndex(size, begin, end)] = 1;
  let loss = 0;
  for (let begin = 0; begin < size; begin++) {
    for (let end = begin + 2; end <= size; end++) {
      if (end - begin === size) continue;
      const at = spanIndex(size, begin, end);
      const place = evidenceIndex(size, begin, end);
      const sign = isBracket[at] ? 1 : -1;
      const share = sign > 0 ? 1 : (doubts[at] as number);
      const logOdds = sign * (scores[place] as number);
      // log(1 + exp(-x)) without overflow
      loss += share * (Math.max(0, -logOdds) + Math.log1p(Math.exp(-Math.abs(logOdds))));
      const slope = -sign / (1 + Math.exp(logOdds));
      gradient[place] = (gradient[place] as number) + weight * share * slope;
    }
  }
  return loss;
}
