/** A parsed text. */

import type { Parse } from "./sentence.js";

/** A parsed text: its sentences, each with its place in the text. */
export class ParsedDocument {
  /** The text that was parsed. All offsets of the sentences are places in it. */
  readonly text: string;
  /** The parsed sentences, in order. */
  readonly sentences: readonly Parse[];

  constructor(text: string, sentences: readonly Parse[]) {
    this.text = text;
    this.sentences = sentences;
  }

  /** Iterates over the sentences. */
  [Symbol.iterator](): Iterator<Parse> {
    return this.sentences[Symbol.iterator]();
  }
}
