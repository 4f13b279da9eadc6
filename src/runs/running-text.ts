/**
 * Reads running text one paragraph at a time. Blank lines separate paragraphs, but a file may be one
 * endless paragraph: beyond a limit it is cut where a sentence begins, far enough from the end of what
 * was read that more text could not change that place.
 */

import type { LinePiece, LineStart } from "../files/lines.js";
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
  /** The line that it begins with, if reading could begin there and give this and all that follow. */
  readonly start?: LineStart | undefined;
}

/** From this many characters on a paragraph is cut. */
const LONG = 1 << 16;
/** So many characters that a sentence's end does not depend on what comes after them. */
const AHEAD = 1 << 10;
/** A sentence that is longer is cut at a blank, or anywhere. */
const LONGEST = 1 << 20;

/** @param begin the place of the first piece in the text of the input. */
export async function* passages(
  lists: AsyncIterable<readonly LinePiece[]>,
  language?: Language | undefined,
  begin = 0,
): AsyncGenerator<Passage> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const held = new HeldText(language, begin);
  for await (const pieces of lists) {
    for (const piece of pieces) {
      const { bytes, begins, ends, terminator } = piece;
      const text = decoder.decode(bytes, { stream: !ends });
      const isBlank = begins && ends && text.trim() === "";
      if (!isBlank) held.add(text, piece);
      const passage = isBlank ? held.take() : held.takeLong();
      if (passage) yield passage;
      if (isBlank) held.skip(text.length + terminator);
      else if (ends) held.endLine(terminator);
    }
  }
  const passage = held.take();
  if (passage) yield passage;
}

/** Where a piece of a line begins within the text that is held. */
interface HeldPiece {
  readonly at: number;
  readonly start: LineStart;
  /** Whether it is the beginning of its line. */
  readonly begins: boolean;
}

class HeldText {
  #text = "";
  /** The end of the last line, which is part of the text if another line follows. */
  #lineEnd = "";
  /** Where the text begins in that of the input. */
  #begin: number;
  /** What the text was put together from; the first holds its beginning. */
  #pieces: HeldPiece[] = [];
  /** The length at which it is tried next to cut it. */
  #limit = LONG;
  /** Whether the text was short when it began, so that nothing was tried before. */
  #isFresh = true;
  readonly #language: Language | undefined;

  constructor(language: Language | undefined, begin: number) {
    this.#language = language;
    this.#begin = begin;
  }

  add(text: string, piece: LinePiece): void {
    if (this.#text === "") {
      this.skip(this.#lineEnd.length);
      this.#pieces = [];
      this.#isFresh = true;
    } else {
      this.#text += this.#lineEnd;
    }
    this.#lineEnd = "";
    const { line, position, within, withReturns, begins } = piece;
    const start = { line, position, within, withReturns };
    this.#pieces.push({ at: this.#text.length, start, begins });
    this.#text += text;
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
    const passage = text === "" ? undefined : this.#passage(text);
    this.#text = this.#text.slice(length);
    this.skip(length);
    if (this.#text === "") {
      this.skip(this.#lineEnd.length);
      this.#lineEnd = "";
    }
    const first = this.#pieces.findLastIndex(({ at }) => at <= length);
    this.#pieces = this.#pieces
      .slice(Math.max(0, first))
      .map((piece) => ({ ...piece, at: piece.at - length }));
    this.#limit = LONG;
    this.#isFresh = this.#text.length < LONG;
    return passage;
  }

  #passage(text: string): Passage {
    const { at, start, begins } = this.#pieces[0] as HeldPiece;
    const { line, position } = start;
    const isStart = at === 0 && begins && this.#isFresh;
    return { text, begin: this.#begin, line, position, start: isStart ? start : undefined };
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
    const last = text.length - AHEAD;
    // Best where a line begins: from there on, the text can be read by itself.
    const isLine = (begin: number) => begin > last / 2 && text[begin - 1] === "\n";
    const next =
      sentences.findLast(({ begin }) => begin <= last && isLine(begin)) ??
      sentences.findLast(({ begin }) => begin <= last);
    if (next && next.begin > 0) return next.begin;
    if (text.length < LONGEST) return 0;
    const blank = text.search(/\s\S*$/);
    if (blank > 0) return blank;
    const isPair = /[\ud800-\udbff]$/.test(text);
    return text.length - (isPair ? 1 : 0);
  }
}
