/**
 * Targets for the phrase probability: how strongly an example labels each span a phrase or not.
 *
 * From people's brackets: a bracket is a positive with weight 1, a span marked as no phrase a negative
 * with weight 1. Every other span is a weak negative: nobody bracketed it, but perhaps nobody was asked.
 * From a gold tree: each other span is a negative as far as trees that agree with the gold tree have it.
 * From soft labels: each span counts as far as the teachers' trees have it, split into positive and
 * negative by the teachers' own phrase probability.
 */

import { type PhraseTargets, type SpanMatrix, spanIndex } from "../chart/index.js";
import type { Span } from "../trees/tree.js";
import type { Example } from "./examples.js";

/**
 * Weight of a span that nobody bracketed, times its marginal probability, times the share of the
 * sentence's spans that have brackets. The share makes sparse links and dense answers say the same.
 */
const UNMARKED_WEIGHT = 0.2;

/** `marginals` are those of the trees that agree with the brackets. */
export function targetsFromBrackets(example: Example, marginals: SpanMatrix): PhraseTargets {
  const size = example.words.length;
  const share = example.complete ? 1 : UNMARKED_WEIGHT * bracketedShare(example);
  const negative = new Float32Array(marginals.length);
  for (let at = 0; at < negative.length; at++) negative[at] = (marginals[at] as number) * share;
  const positive = new Float32Array(marginals.length);
  for (const [{ begin, end }, isPhrase] of labelledSpans(example)) {
    const at = spanIndex(size, begin, end);
    positive[at] = isPhrase ? 1 : 0;
    negative[at] = isPhrase ? 0 : 1;
  }
  return { positive, negative };
}

function bracketedShare({ brackets, words }: Example): number {
  return Math.min(1, brackets.length / Math.max(1, words.length - 2));
}

/**
 * The spans that an example labels as phrase or not, where a later label overrides an earlier one: a
 * bracket inside a chunk is a phrase all the same, one marked as a fragment is not.
 */
export function* labelledSpans({
  brackets,
  chunks = [],
  fragments = [],
}: Example): Generator<[span: Span, isPhrase: boolean]> {
  for (const span of chunks.flatMap(spansWithin)) yield [span, false];
  for (const span of brackets) yield [span, true];
  for (const span of fragments) yield [span, false];
}

/** Soft labels without phrase probabilities give no targets. */
export function targetsFromSoftLabels(example: Example): PhraseTargets {
  const { words, brackets, weights, phraseProbabilities } = example;
  const size = words.length;
  const [positive, negative] = [new Float32Array(size * size), new Float32Array(size * size)];
  for (const [index, { begin, end }] of brackets.entries()) {
    const probability = phraseProbabilities?.[index];
    if (probability === undefined) continue;
    const at = spanIndex(size, begin, end);
    positive[at] = (weights[index] as number) * probability;
    negative[at] = (weights[index] as number) * (1 - probability);
  }
  return { positive, negative };
}

/** All spans of two or more tokens within a span, itself included. */
function spansWithin(outer: Span): Span[] {
  const spans: Span[] = [];
  for (let begin = outer.begin; begin < outer.end; begin++) {
    for (let end = begin + 2; end <= outer.end; end++) spans.push({ begin, end });
  }
  return spans;
}
