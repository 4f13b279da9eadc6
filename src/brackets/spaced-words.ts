/** A sentence for people to read: its words with the space between them as it was written. */

import type { Bracketing } from "./record.js";

/** A word and what stands before it: nothing or a blank. */
export interface SpacedWord {
  readonly space: "" | " ";
  readonly word: string;
}

/** The words of a sentence; with blanks between all of them where its text is not known. */
export function spacedWords({
  tokens,
  text,
  offsets,
}: Pick<Bracketing, "tokens" | "text" | "offsets">): SpacedWord[] {
  return tokens.map((token, at) => {
    const [begin, end] = offsets?.[at] ?? [0, 0];
    const before = offsets?.[at - 1]?.[1] ?? 0;
    const isApart = at > 0 && (text === undefined || text.slice(before, begin) !== "");
    return { space: isApart ? " " : "", word: text?.slice(begin, end) || token };
  });
}
