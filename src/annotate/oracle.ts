/** Answers questions from gold trees, in place of a person. */

import { isEdgePunctuation } from "../brackets/clean.js";
import type { Bracketing } from "../brackets/record.js";
import type { Span } from "../trees/tree.js";

export class Oracle {
  readonly #phrases = new Map<string, ReadonlySet<string>>();

  /** @param records gold trees; see `bracken extract trees`. */
  constructor(records: readonly Bracketing[]) {
    for (const { id, tokens, brackets } of records) {
      const trimmed = brackets.map(([begin, end]) => keyOf(trim({ begin, end }, tokens)));
      this.#phrases.set(id, new Set(trimmed));
    }
  }

  /** Whether a span is a phrase, whatever punctuation the treebank puts at its ends. */
  isPhrase(sentence: string, span: Span): boolean {
    return this.#phrases.get(sentence)?.has(keyOf(span)) === true;
  }
}

function keyOf({ begin, end }: Span): string {
  return `${begin},${end}`;
}

function trim({ begin, end }: Span, tokens: readonly string[]): Span {
  let [from, to] = [begin, end];
  while (from < to && isEdgePunctuation(tokens[from] as string)) from += 1;
  while (to > from && isEdgePunctuation(tokens[to - 1] as string)) to -= 1;
  return { begin: from, end: to };
}
