/** A parsed text: its sentences, each with its place in the text. */

import type { Parse } from "./sentence.js";

/** A parsed text. */
export class ParsedDocument {
  /** The text that was given. All offsets of the sentences are places in it. */
  readonly text: string;
  readonly sentences: readonly Parse[];

  constructor(text: string, sentences: readonly Parse[]) {
    this.text = text;
    this.sentences = sentences;
  }

  /** The sentences, in order. */
  [Symbol.iterator](): Iterator<Parse> {
    return this.sentences[Symbol.iterator]();
  }
}
