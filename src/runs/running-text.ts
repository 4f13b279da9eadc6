/**
 * Reads running text one paragraph at a time. Blank lines separate paragraphs, but a file may be one
 * endless paragraph: beyond a limit it is cut where a sentence begins, far enough from the end of what
 * was read that more text could not change that place.
 */

import type { LinePiece } from "../files/lines.js";
import type { Language } from "../languages/index.js";
import { splitSentences } from "../text/index.js";

/** Text that sentences are found in by itself. */
export interface Passage {
  readonly text: string;
  /** Where it begins in the text of the input, in UTF-16 code units. */
  readonly begin: number;
  /** The line that it begins on. */
  readonly line: number;
  /** No later passage has a lesser one. */
  readonly position: number;
}

/** From this many characters on a paragraph is cut. */
const LONG = 1 << 16;
/** So many characters that a sentence's end does not depend on what comes after them. */
const AHEAD = 1 << 10;
/** A sentence that is longer is cut at a blank, or anywhere. */
const LONGEST = 1 << 20;

export async function* passages(
  pieces: AsyncIterable<LinePiece>,
  language?: Language | undefined,
): AsyncGenerator<Passage> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const held = new HeldText(language);
  for await (const piece of pieces) {
    const { bytes, begins, ends, terminator } = piece;
    const text = decoder.decode(bytes, { stream: !ends });
    const isBlank = begins && ends && text.trim() === "";
    if (!isBlank) held.add(text, piece);
    const passage = isBlank ? held.take() : held.takeLong();
    if (passage) yield passage;
    if (isBlank) held.skip(text.length + terminator);
    else if (ends) held.endLine(terminator);
  }
  const passage = held.take();
  if (passage) yield passage;
}

class HeldText {
  #text = "";
  /** The end of the last line, which is part of the text if another line follows. */
  #lineEnd = "";
  /** Where the text begins in that of the input. */
  #begin = 0;
  #line = 1;
  #position = 0;
  /** The position of what was added last. */
  #latest = 0;
  /** The length at which it is tried next to cut it. */
  #limit = LONG;
  readonly #language: Language | undefined;

  constructor(language: Language | undefined) {
    this.#language = language;
  }

  add(text: string, { line, position }: LinePiece): void {
    if (this.#text === "") {
      this.skip(this.#lineEnd.length);
      [this.#line, this.#position] = [line, position];
    } else {
      this.#text += this.#lineEnd;
    }
    this.#lineEnd = "";
    this.#text += text;
    this.#latest = position;
  }

  /** A lone carriage return becomes a newline, which is as long and is known as a line's end. */
  endLine(terminator: LinePiece["terminator"]): void {
    this.#lineEnd = ["", "\n", "\r\n"][terminator] as string;
  }

  /** Passes over text that is in no passage. */
  skip(length: number): void {
    this.#begin += length;
  }

  take(length = this.#text.length): Passage | undefined {
    const text = this.#text.slice(0, length);
    const passage = { text, begin: this.#begin, line: this.#line, position: this.#position };
    this.#text = this.#text.slice(length);
    this.skip(length);
    if (this.#text === "") {
      this.skip(this.#lineEnd.length);
      this.#lineEnd = "";
    }
    this.#line += text.split("\n").length - 1;
    this.#position = this.#latest;
    this.#limit = LONG;
    return text === "" ? undefined : passage;
  }

  /** What can be cut off where the text has become long. */
  takeLong(): Passage | undefined {
    if (this.#text.length < this.#limit) return undefined;
    const cut = this.#cut();
    if (cut > 0) return this.take(cut);
    this.#limit += LONG;
    return undefined;
  }

  #cut(): number {
    const text = this.#text;
    const sentences = splitSentences(text, { language: this.#language });
    const next = sentences.findLast(({ begin }) => begin <= text.length - AHEAD);
    if (next && next.begin > 0) return next.begin;
    if (text.length < LONGEST) return 0;
    const blank = text.search(/\s\S*$/);
    if (blank > 0) return blank;
    const isPair = /[\ud800-\udbff]$/.test(text);
    return text.length - (isPair ? 1 : 0);
  }
}
