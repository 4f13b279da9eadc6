/** A parsed text: its sentences, each with its place in the text, and their phrases by name. */

import {
  checkLabels,
  checkPhraseOptions,
  type DocumentPhrase,
  type PhraseOptions,
  phrasesOf,
} from "./phrases.js";
import type { Parse } from "./sentence.js";

/** A parsed text. */
export class ParsedDocument {
  /** The text that was parsed. All offsets of the sentences are places in it. */
  readonly text: string;
  /** The parsed sentences, in order. */
  readonly sentences: readonly Parse[];
  /** The BCP 47 code of the text's language; undefined if nobody is sure of it. */
  readonly language: string | undefined;
  /** Whether the models know that language; true if it is undefined. */
  readonly supported: boolean;
  readonly #labels: readonly string[];

  /** @internal */
  constructor(
    text: string,
    sentences: readonly Parse[],
    {
      labels,
      language,
      supported,
    }: Pick<ParsedDocument, "language" | "supported"> & { readonly labels: readonly string[] },
  ) {
    this.text = text;
    this.sentences = sentences;
    this.language = language;
    this.supported = supported;
    this.#labels = labels;
  }

  /**
   * The phrases of the text with a label, from left to right, outer ones first.
   *
   * @param label a label, such as "NP", or several; all by default.
   * @throws InputError if the model does not name phrases, or has no such label.
   * @example
   * ```ts no-run
   * import { loadParser } from "bracken";
   *
   * await using parser = await loadParser("models/named");
   * const document = await parser.parseText("She crossed the old bridge by the river.");
   * for (const { text, head } of document.phrases("NP", { nesting: "maximal" })) {
   *   console.log(text, head);
   * }
   * ```
   */
  phrases(label?: string | readonly string[], options: PhraseOptions = {}): DocumentPhrase[] {
    const wanted = label === undefined ? this.#labels : [label].flat();
    checkLabels(wanted, this.#labels);
    checkPhraseOptions(options);
    const names = new Set(wanted);
    return this.sentences.flatMap((parse, index) => phrasesOf(parse, names, options, index));
  }

  /** Iterates over the sentences. */
  [Symbol.iterator](): Iterator<Parse> {
    return this.sentences[Symbol.iterator]();
  }
}
