/**
 * Brackets with no phrase inside. "The old wooden bridge" is a phrase, "wooden bridge" in it is none by
 * the usage of treebanks; whereas in "the bridge over the river" there is one that nobody bracketed.
 * A bracket of nothing but nouns, adjectives, numbers and a determiner is a chunk, which is told by the
 * words that are not in it, and learners may take what is within it for no phrase.
 */

import type { Span } from "../trees/tree.js";
import { AUXILIARIES, CONJUNCTIONS, COORDINATORS, JOINTS, PREPOSITIONS } from "./english.js";

/** The kind of a second entry for a bracket, which says that it is a chunk. */
export const CHUNK = "chunk";

const OTHERS = [AUXILIARIES, CONJUNCTIONS, COORDINATORS, JOINTS, PREPOSITIONS];

/** `verbs` are the places of verbs as far as known. */
export function isChunk(
  { begin, end }: Span,
  tokens: readonly string[],
  verbs: ReadonlySet<number>,
): boolean {
  if (end - begin < 3) return false;
  for (let at = begin; at < end; at++) {
    const word = (tokens[at] as string).toLowerCase();
    if (verbs.has(at) || !/[\p{L}\p{N}$%]/u.test(word)) return false;
    if (OTHERS.some((set) => set.has(word))) return false;
  }
  return true;
}
