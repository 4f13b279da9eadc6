/**
 * Keys that tell whether two sentences are the same. Data sets escape brackets and quotes differently,
 * and treebanks are tokenised by other rules than running text.
 */

import { unescapeToken } from "../trees/labels.js";

/** A source with a table of sentences gives the same list of tokens again and again. */
const known = new WeakMap<readonly string[], string>();

/** Equal for sentences with the same tokens, apart from escapes and quotes: brackets of one fit the other. */
export function tokenKey(tokens: readonly string[]): string {
  const found = known.get(tokens) ?? tokens.map(plainToken).join(" ");
  known.set(tokens, found);
  return found;
}

/** Equal for sentences with the same letters and digits: the same sentence, however it is tokenised. */
export function textKey(tokens: readonly string[]): string {
  return tokens
    .map(unescapeToken)
    .join("")
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "");
}

const QUOTES = new Set(["``", "''", "“", "”", "„", "«", "»"]);

function plainToken(token: string): string {
  if (QUOTES.has(token)) return '"';
  return unescapeToken(token).replace(/[‘’`]/g, "'");
}
