/**
 * The library's parser. `loadParser` makes one (in a browser, `loadParserFromUrl`). It has no global
 * state, so a program can have several, also in worker threads.
 */

/// <reference lib="esnext.disposable" preserve="true" />

import { InputError } from "../errors.js";
import { AUTO } from "../languages/codes.js";
import type { Decoding } from "../model/config.js";
import { show } from "../options.js";
import { mapOrdered } from "../streams/map-ordered.js";
import { cutWindows, singly } from "../streams/windows.js";
import { closedError, commonDecoding, type Decoder } from "./decoder.js";
import { ParsedDocument } from "./document.js";
import { knowsLanguage, rulesFor, sentencesFromText, tellLanguage } from "./from-text.js";
import { checkParseOptions, type ParseOptions } from "./options.js";
import { parseEach } from "./parse-each.js";
import { labelsOf } from "./phrases.js";
import type { Parse, ParseProblem, SentenceInput } from "./sentence.js";

/** A text, the words of a sentence, or a sentence with tags, offsets or constraints. */
export type Parseable = string | readonly string[] | SentenceInput;

/**
 * Parses text, words, or a stream of either.
 *
 * @example
 * ```ts
 * import { drawText, loadParser } from "bracken";
 *
 * await using parser = await loadParser();
 * const document = await parser.parseText("He saw the dog. It ran.");
 * for (const { tree } of document.sentences) console.log(drawText(tree));
 * ```
 */
export class Parser {
  readonly #decoder: Decoder;
  #closing: Promise<void> | undefined;

  /** Use `loadParser`, unless you have your own decoder. */
  constructor(decoder: Decoder) {
    this.#decoder = decoder;
  }

  /** How trees are chosen unless `ParseOptions.decoding` says otherwise. */
  get decoding(): Decoding {
    return commonDecoding(this.#decoder.configs, undefined);
  }

  /**
   * Splits a text into sentences and words and parses each sentence.
   *
   * @returns the sentences; all offsets are places in `text`.
   * @throws InputError if `text` is not a string or an option is invalid.
   * @example
   * ```ts
   * import { loadParser } from "bracken";
   *
   * await using parser = await loadParser();
   * const { sentences } = await parser.parseText("He left. She stayed.", { marginals: true });
   * for (const { text, spans } of sentences) console.log(text, spans);
   * ```
   */
  async parseText(text: string, options: ParseOptions = {}): Promise<ParsedDocument> {
    if (typeof text !== "string")
      throw new InputError(`a text must be a string, not ${show(text)}`);
    this.#check(options);
    const language = await tellLanguage(text, options.language);
    const parses = await this.parseSentences(await this.#split(text, language), options);
    const supported = language === undefined || knowsLanguage(language, this.#decoder.configs);
    return new ParsedDocument(text, parses, { labels: this.labels, language, supported });
  }

  /**
   * Parses one sentence that is already split into words.
   *
   * @throws InputError if `words` is not a list of words, or an option is invalid.
   * @example
   * ```ts
   * import { loadParser, toPenn } from "bracken";
   *
   * await using parser = await loadParser();
   * const { tree } = await parser.parseWords(["He", "left", "."]);
   * console.log(toPenn(tree));
   * ```
   */
  async parseWords(words: readonly string[], options: ParseOptions = {}): Promise<Parse> {
    const [parse] = await this.parseSentences([words], options);
    return parse as Parse;
  }

  /**
   * Parses several sentences, each given as its words or with tags, offsets and constraints. This is
   * faster than parsing them one by one.
   *
   * @throws InputError that names the sentence, if it has no words or no tree satisfies its constraints.
   * @example
   * ```ts
   * import { loadParser, toPenn } from "bracken";
   *
   * await using parser = await loadParser();
   * const leaves = ["the", "old", "man", "left"].map((word) => ({ word }));
   * const sentences = [{ leaves, required: [{ begin: 0, end: 3 }] }, ["He", "stayed", "."]];
   * for (const { tree } of await parser.parseSentences(sentences)) console.log(toPenn(tree));
   * ```
   */
  async parseSentences(
    sentences: readonly (readonly string[] | SentenceInput)[],
    options: ParseOptions = {},
  ): Promise<Parse[]> {
    if (!Array.isArray(sentences)) {
      throw new InputError(`sentences must be a list, not ${show(sentences)}`);
    }
    const inputs = sentences.map((each, index) => toInput(each, `sentence ${index + 1}`));
    const parses = await this.parseEach(inputs, options);
    return parses.map((parse, index) => {
      if (!("problem" in parse)) return parse;
      throw new InputError(`sentence ${index + 1}: ${parse.problem}`);
    });
  }

  /**
   * Like `parseSentences`, but a sentence that cannot be parsed does not fail the call: it has a problem
   * in its place.
   *
   * @throws InputError if an option is invalid.
   */
  async parseEach(
    sentences: readonly SentenceInput[],
    options: ParseOptions = {},
  ): Promise<(Parse | ParseProblem)[]> {
    this.#check(options);
    const { signal, language = AUTO, ...rest } = options;
    const tasks = sentences.map((input) => ({
      input: language === AUTO ? input : { language, ...input },
      options: rest,
    }));
    return parseEach(this.#decoder, tasks, signal);
  }

  /**
   * Parses a stream of any length in bounded memory. The order is kept. A string is a text and may hold
   * several sentences, whose offsets are places in that string. A text that does not tell its language, such as a
   * short line, is taken for one in the language of the text before it.
   *
   * @throws InputError if an option is invalid, or for an item that cannot be parsed.
   * @example
   * ```ts no-run
   * import { open } from "node:fs/promises";
   * import { loadParser, toPenn } from "bracken";
   *
   * await using parser = await loadParser("default", { workers: 4 });
   * const file = await open("corpus.txt");
   * for await (const { tree } of parser.parseStream(file.readLines())) console.log(toPenn(tree));
   * ```
   */
  async *parseStream(
    items: AsyncIterable<Parseable> | Iterable<Parseable>,
    options: ParseOptions = {},
  ): AsyncGenerator<Parse> {
    this.#check(options);
    const windows = cutWindows(singly(this.#sentencesIn(items, options.language)), {
      wordsOf: ({ leaves }) => leaves.length,
      isLive: true,
    });
    const parses = mapOrdered(windows, this.width, (window) =>
      this.parseSentences(window, options),
    );
    for await (const window of parses) yield* window;
  }

  /** The names that the model has for phrases; none if it does not name them. */
  get labels(): readonly string[] {
    return labelsOf(this.#decoder.configs);
  }

  /** How many calls at a time keep the parser busy. */
  get width(): number {
    return this.#decoder.width;
  }

  /** Waits for running calls, then frees the model's memory and ends worker threads. */
  close(): Promise<void> {
    this.#closing ??= this.#decoder.close();
    return this.#closing;
  }

  /** Closes the parser at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** The sentences of a text in that language. */
  async #split(text: string, code: string | undefined): Promise<SentenceInput[]> {
    const language = await rulesFor(code, this.#decoder.configs);
    const sentences = sentencesFromText(text, { language });
    return code === undefined ? sentences : sentences.map((each) => ({ ...each, language: code }));
  }

  async *#sentencesIn(
    items: AsyncIterable<Parseable> | Iterable<Parseable>,
    asked: string | undefined,
  ): AsyncGenerator<SentenceInput> {
    let index = 0;
    let last: string | undefined;
    for await (const item of items) {
      index += 1;
      if (typeof item === "string") {
        last = (await tellLanguage(item, asked)) ?? last;
        yield* await this.#split(item, last);
      } else {
        yield toInput(item, `item ${index}`);
      }
    }
  }

  #check(options: ParseOptions): void {
    if (this.#closing) throw closedError();
    checkParseOptions(options);
    commonDecoding(this.#decoder.configs, options.decoding);
    options.signal?.throwIfAborted();
  }
}

/** `name` is what errors call the sentence. */
function toInput(sentence: readonly string[] | SentenceInput, name: string): SentenceInput {
  if (isInput(sentence)) return sentence;
  if (isWords(sentence)) return { leaves: sentence.map((word) => ({ word })) };
  throw new InputError(
    `${name} must be a list of words, not ${show(sentence)}`,
    {},
    "parseText takes a text; elsewhere a sentence is a list of words: ['He', 'left', '.']",
  );
}

function isInput(value: unknown): value is SentenceInput {
  return Array.isArray((value as SentenceInput | null)?.leaves);
}

function isWords(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((word) => typeof word === "string" && word !== "");
}
