/**
 * Texts that may be looked at before they are read: files, pipes that can be read only once, and files
 * inside an archive, whose contents are in memory.
 */

import {
  decodeText,
  isRegularFile,
  type OpenOptions,
  readText,
  splitLines,
  tooLong,
} from "./input.js";

/** The largest text that is held as a whole, below what a JavaScript string can hold. */
export const LARGEST_TEXT = 1 << 28;

/** How many blanks are read to find the first other character. */
const BLANK_HEAD = 1 << 20;

/** A text that may be looked at before it is read, also where it can be read only once. */
export class TextInput {
  /** The path of the file, or `-` for standard input. */
  readonly name: string;
  readonly #options: OpenOptions;
  #head: string | undefined;
  /** What follows the head where it can be read only once; a file is opened again instead. */
  #rest: AsyncGenerator<string> | undefined;

  constructor(name: string, options: OpenOptions = {}) {
    this.name = name;
    this.#options = options;
  }

  /** Whether it can be opened again. */
  protected async isRepeatable(): Promise<boolean> {
    return isRegularFile(this.name);
  }

  /** Its text from the beginning, in chunks. */
  protected open(options: OpenOptions): AsyncGenerator<string> {
    return readText(this.name, options);
  }

  /** Whether its beginning was read and cannot be read again: the rest comes by `chunks` only. */
  get isBegun(): boolean {
    return this.#rest !== undefined;
  }

  /** The beginning: at least one chunk, up to and with the first that is more than blanks. */
  async head(): Promise<string> {
    if (this.#head !== undefined) return this.#head;
    const isRepeatable = await this.isRepeatable();
    const source = this.open(isRepeatable ? {} : this.#options);
    const parts: string[] = [];
    for (let size = 0; size < BLANK_HEAD; ) {
      const { done, value } = await source.next();
      if (done) break;
      parts.push(value);
      size += value.length;
      if (value.trim() !== "") break;
    }
    if (isRepeatable) await source.return(undefined);
    else this.#rest = source;
    this.#head = parts.join("");
    return this.#head;
  }

  /** The whole text, once. */
  async *chunks(): AsyncGenerator<string> {
    if (this.#rest) {
      yield this.#head as string;
      yield* this.#rest;
    } else {
      yield* this.open(this.#options);
    }
  }

  /** The lines, with their numbers. */
  lines(): AsyncGenerator<{
    /** The line without its end. */
    text: string;
    /** Its number, counted from 1. */
    line: number;
  }> {
    return splitLines(this.chunks(), this.name);
  }

  /** All of the text. */
  async text(): Promise<string> {
    const parts: string[] = [];
    let size = 0;
    for await (const chunk of this.chunks()) {
      parts.push(chunk);
      size += chunk.length;
      if (size > LARGEST_TEXT) {
        throw tooLong(`over ${LARGEST_TEXT} characters in one piece`, { file: this.name });
      }
    }
    return parts.join("");
  }
}

/** A file inside an archive. Its name is that of the archive with its own path after it. */
export class ArchivedText extends TextInput {
  readonly #bytes: Uint8Array;

  constructor(name: string, bytes: Uint8Array) {
    super(name);
    this.#bytes = bytes;
  }

  protected override async isRepeatable(): Promise<boolean> {
    return true;
  }

  protected override open(options: OpenOptions): AsyncGenerator<string> {
    return decodeText(this.#pieces(), this.name, options);
  }

  async *#pieces(): AsyncGenerator<Uint8Array> {
    const size = 1 << 18;
    for (let at = 0; at < this.#bytes.length; at += size) yield this.#bytes.subarray(at, at + size);
  }
}
