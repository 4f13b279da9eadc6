/**
 * A prepositional phrase has an object that is a phrase, so it is no likelier than its object. Models do not know this: of
 * "(moved it) to a house near Rome" they may find "to a house" and the whole likely, and "a house near Rome" unlikely, and
 * then join two phrases that are sisters. Teachers are corrected, and their student learns from them.
 */

import { type SpanMatrix, spanIndex } from "../chart/index.js";
import type { Grammar } from "../languages/grammar.js";

/**
 * Lowers the phrase probabilities of spans that begin with a preposition, so that none is likelier than its object.
 *
 * @param marginals the probability that a tree has the span.
 * @param phrases the probability that the span is a phrase if a tree has it; changed.
 * @param isPhrase whether people marked the span as a phrase; such spans keep their probability.
 */
export function limitToObjects(
  tokens: readonly string[],
  { marginals, phrases }: { readonly marginals: SpanMatrix; readonly phrases: SpanMatrix },
  grammar: Grammar,
  isPhrase: (begin: number, end: number) => boolean,
): void {
  const size = tokens.length;
  const valueAt = (matrix: SpanMatrix, at: number) => matrix[at] as number;
  // From the right, so that an object which is a prepositional phrase itself is limited first.
  for (let begin = size - 3; begin >= 0; begin--) {
    if (!hasObjectAfter(begin, tokens, grammar)) continue;
    for (let end = begin + 3; end <= size; end++) {
      const at = spanIndex(size, begin, end);
      const marginal = valueAt(marginals, at);
      if (marginal === 0 || isPhrase(begin, end)) continue;
      const inner = spanIndex(size, begin + 1, end);
      const most = (valueAt(marginals, inner) * valueAt(phrases, inner)) / marginal;
      if (valueAt(phrases, at) > most) phrases[at] = most;
    }
  }
}

/** Not in "because of Rome", whose first word has no object by itself, and not in "in which he lived", which is a clause. */
function hasObjectAfter(at: number, tokens: readonly string[], grammar: Grammar): boolean {
  const isPair = grammar.twoWordPrepositions.has(tokens.slice(at, at + 2).join(" "));
  return grammar.prepositions.has(tokens[at]) && !isPair && !grammar.whPronouns.has(tokens[at + 1]);
}
