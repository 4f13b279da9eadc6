/** Loads the models with the first sentences, whose number tells whether worker threads pay. */

import { availableParallelism } from "node:os";
import type { Precision } from "../model/config.js";
import type { ModelFolder } from "../model/folder.js";
import { openDecoder } from "../parser/load-parser.js";
import type { ParseOptions } from "../parser/options.js";
import { Parser } from "../parser/parser.js";
import type { Parse, ParseProblem, SentenceInput } from "../parser/sentence.js";
import { WINDOW_ITEMS } from "../streams/windows.js";

export interface LazyParserOptions {
  readonly precision: Precision;
  /** Processors to use; all if not given. */
  readonly threads?: number | undefined;
  readonly parse: Omit<ParseOptions, "signal">;
  /** Whether there is much to parse, however little comes first. */
  readonly isLong?: boolean | undefined;
}

export class LazyParser {
  readonly #folders: readonly ModelFolder[];
  readonly #options: LazyParserOptions;
  readonly #threads: number;
  readonly #closing = new AbortController();
  #parser: Promise<Parser> | undefined;

  constructor(folders: readonly ModelFolder[], options: LazyParserOptions) {
    this.#folders = folders;
    this.#options = options;
    this.#threads = options.threads ?? availableParallelism();
  }

  /** One window more than threads, so that there is work at hand when one ends. */
  get width(): number {
    return this.#threads + 1;
  }

  async parse(
    sentences: readonly SentenceInput[],
    signal: AbortSignal = this.#closing.signal,
  ): Promise<(Parse | ParseProblem)[]> {
    this.#parser ??= this.#load(sentences.length);
    return (await this.#parser).parseEach(sentences, { ...this.#options.parse, signal });
  }

  /** Many sentences in the first window are a sign of more to come. */
  async #load(sentences: number): Promise<Parser> {
    const { precision, isLong = sentences >= WINDOW_ITEMS / 2 } = this.#options;
    const threads = this.#threads;
    const workers = isLong && threads > 1 ? threads : 0;
    return new Parser(await openDecoder(this.#folders, { threads, workers, precision }));
  }

  /** After an error, nobody wants the windows still at work. */
  async close(): Promise<void> {
    this.#closing.abort();
    await (await this.#parser)?.close();
  }
}
