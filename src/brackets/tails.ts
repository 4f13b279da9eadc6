/**
 * What stands at the end of a bracket. People answer "the roof of the house", hardly ever "of the
 * house": such phrases are missing among brackets, as if they were none. But where a bracket ends,
 * the phrase that its last preposition or conjunction began ends, too, whatever it depends on: "the
 * man | in the park | with the telescope" ends with one phrase, read either way.
 */

import type { Span } from "../trees/tree.js";
import { AUXILIARIES, CONJUNCTIONS, PREPOSITIONS } from "./english.js";

/** The kind of brackets that are the tails of others. */
export const TAIL = "tail";

/**
 * The phrase that the last preposition or conjunction of the bracket begins. `verbs` are the places of
 * verbs as far as known: in "rings of cells known as plasmids" what "of" begins ends before "known".
 */
export function tailOf(
  { begin, end }: Span,
  tokens: readonly string[],
  verbs: ReadonlySet<number>,
): Span | undefined {
  let at = end - 1;
  let hasVerb = false;
  while (at > begin && !isIntroducing(tokens[at] as string)) {
    hasVerb ||= verbs.has(at) || AUXILIARIES.has((tokens[at] as string).toLowerCase());
    at -= 1;
  }
  const endsEarly = hasVerb && PREPOSITIONS.has((tokens[at] as string).toLowerCase());
  const isPhrase = at > begin && end - at >= 2 && !endsEarly && !isRange(at, tokens);
  return isPhrase ? { begin: at, end } : undefined;
}

function isIntroducing(token: string): boolean {
  const word = token.toLowerCase();
  return PREPOSITIONS.has(word) || CONJUNCTIONS.has(word);
}

/** "2 to 3 weeks" is no phrase from "to" on. */
function isRange(at: number, tokens: readonly string[]): boolean {
  return /\d/.test(tokens[at - 1] ?? "") && /\d/.test(tokens[at + 1] ?? "");
}
