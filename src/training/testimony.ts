/**
 * What an example says of which spans are phrases, for a model to learn its evidence from.
 *
 * Of people's brackets: each speaks for itself; what is known to be no phrase speaks against itself as
 * much, and the spans of trees that agree with the brackets a little, since nobody bracketed them. Of
 * models' beliefs: each span speaks as far as it is believed, for itself and against, in shares of what
 * the models had as evidence.
 */

import { type SpanMatrix, spanIndex, type Testimony } from "../chart/index.js";
import type { Span } from "../trees/tree.js";
import type { Example } from "./examples.js";

/**
 * How much it says against a span of a tree that nobody bracketed it, where it is not known to be no
 * phrase: little, since nobody may have been asked for it, and the less the fewer of the sentence's
 * spans have brackets. With this factor links, which are few, speak the same as answers, which are many.
 */
const DOUBT = 0.2;

/** `marginals` are those of the trees that agree with the brackets. */
export function testimonyOfBrackets(example: Example, marginals: SpanMatrix): Testimony {
  const size = example.words.length;
  const share = DOUBT * Math.min(1, example.brackets.length / Math.max(1, size - 2));
  const doubt = new Float32Array(marginals.length);
  for (let at = 0; at < doubt.length; at++) doubt[at] = (marginals[at] as number) * share;
  const support = new Float32Array(marginals.length);
  for (const [{ begin, end }, isPhrase] of verdicts(example)) {
    const at = spanIndex(size, begin, end);
    support[at] = isPhrase ? 1 : 0;
    doubt[at] = isPhrase ? 0 : 1;
  }
  return { support, doubt };
}

/**
 * The spans that an example calls phrases or no phrases, where the last word counts: brackets that stand
 * in a chunk are phrases nevertheless, those marked as fragments are not.
 */
export function* verdicts({
  brackets,
  chunks = [],
  fragments = [],
}: Example): Generator<[span: Span, isPhrase: boolean]> {
  for (const span of chunks.flatMap(spansWithin)) yield [span, false];
  for (const span of brackets) yield [span, true];
  for (const span of fragments) yield [span, false];
}

/** Beliefs without evidence say nothing. */
export function testimonyOfBeliefs({ words, brackets, weights, evidence }: Example): Testimony {
  const size = words.length;
  const [support, doubt] = [new Float32Array(size * size), new Float32Array(size * size)];
  for (const [index, { begin, end }] of brackets.entries()) {
    const share = evidence?.[index];
    if (share === undefined) continue;
    const at = spanIndex(size, begin, end);
    support[at] = (weights[index] as number) * share;
    doubt[at] = (weights[index] as number) * (1 - share);
  }
  return { support, doubt };
}

/** All spans of two or more tokens within a span, itself included. */
function spansWithin(outer: Span): Span[] {
  const spans: Span[] = [];
  for (let begin = outer.begin; begin < outer.end; begin++) {
    for (let end = begin + 2; end <= outer.end; end++) spans.push({ begin, end });
  }
  return spans;
}
