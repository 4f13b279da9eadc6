/**
 * The parser as a library: `loadParser` gives one, or in a browser `loadParserFromUrl`; `parse` takes
 * text, words or a stream of either and gives trees. It has no state outside itself, so several can
 * live together, also in worker threads.
 */

import { InputError } from "../errors.js";
import { mapOrdered } from "../streams/map-ordered.js";
import { cutWindows } from "../streams/windows.js";
import { splitSentences, tokenise } from "../text/index.js";
import { INDUCED } from "../trees/labels.js";
import { assembleParse, type DecodeOptions } from "./decode-sentence.js";
import type { DecodeOutcome, Decoder, DecodeTask } from "./decoder.js";
import type { Parse, ParserInput } from "./sentence.js";

export interface ParseOptions extends DecodeOptions {
  /** Longer sentences get a right-branching tree: charts take memory with the square of the words. */
  readonly maxTokens?: number | undefined;
}

/** 1,000 words take 4 MB of scores and some 32 MB of charts; 100 a hundredth of that. */
export const DEFAULT_MAX_TOKENS = 1000;

/** A text, the words of a sentence, or a sentence with tags, places or constraints. */
export type Parseable = string | readonly string[] | ParserInput;

/** Why a sentence has no parse. */
export interface ParseProblem {
  readonly problem: string;
}

export class Parser {
  readonly #decoder: Decoder;

  constructor(decoder: Decoder) {
    this.#decoder = decoder;
  }

  /** The sentences of a text. */
  parse(text: string, options?: ParseOptions): Promise<Parse[]>;
  /** One sentence, given as its words. */
  parse(words: readonly string[], options?: ParseOptions): Promise<Parse>;
  /** Several sentences, each as its words or with more. */
  parse(
    sentences: readonly (readonly string[] | ParserInput)[],
    options?: ParseOptions,
  ): Promise<Parse[]>;
  /** A stream of texts or sentences; the parses come in its order. */
  parse(stream: AsyncIterable<Parseable>, options?: ParseOptions): AsyncGenerator<Parse>;
  parse(
    input:
      | string
      | readonly (string | readonly string[] | ParserInput)[]
      | AsyncIterable<Parseable>,
    options: ParseOptions = {},
  ): Promise<Parse | Parse[]> | AsyncGenerator<Parse> {
    if (typeof input === "string") return this.parseAll(sentencesOf(input), options);
    if (!Array.isArray(input))
      return this.parseStream(flatStream(input as AsyncIterable<Parseable>), options);
    if (input.length > 0 && input.every((each) => typeof each === "string")) {
      const one = toInput(input as readonly string[]);
      return this.parseAll([one], options).then(([parse]) => parse as Parse);
    }
    return this.parseAll(
      input.map((each) => toInput(each as readonly string[] | ParserInput)),
      options,
    );
  }

  /** All of them, in order. Constraints that no tree can meet are an InputError. */
  async parseAll(sentences: readonly ParserInput[], options: ParseOptions = {}): Promise<Parse[]> {
    const parses = await this.parseEach(sentences, options);
    return parses.map((parse, index) => {
      if (!("problem" in parse)) return parse;
      throw new InputError(`sentence ${index + 1}: ${parse.problem}`);
    });
  }

  /** The same, with what cannot be parsed as a problem in its place. */
  async parseEach(
    sentences: readonly ParserInput[],
    { maxTokens = DEFAULT_MAX_TOKENS, ...options }: ParseOptions = {},
  ): Promise<(Parse | ParseProblem)[]> {
    const tasks = new Map<number, DecodeTask>();
    const parses = sentences.map((sentence, index): Parse | ParseProblem => {
      const { leaves, required, forbidden } = sentence;
      if (leaves.length === 0) return { problem: "it has no words" };
      if (leaves.length > maxTokens) return tooLong(sentence, maxTokens);
      tasks.set(index, { words: leaves.map(({ word }) => word), required, forbidden });
      return { problem: "it was not parsed" };
    });
    const outcomes = await this.#decoder.decodeAll([...tasks.values()], options);
    for (const [at, index] of [...tasks.keys()].entries()) {
      const outcome = outcomes[at] as DecodeOutcome;
      parses[index] =
        "problem" in outcome ? outcome : assembleParse(sentences[index] as ParserInput, outcome);
    }
    return parses;
  }

  /** Parses windows of a stream, so that memory does not grow with it. */
  async *parseStream(
    sentences: AsyncIterable<ParserInput>,
    options: ParseOptions = {},
  ): AsyncGenerator<Parse> {
    const windows = cutWindows(sentences, {
      wordsOf: ({ leaves }) => leaves.length,
      isLive: true,
    });
    const parses = mapOrdered(windows, this.width, (window) => this.parseAll(window, options));
    for await (const window of parses) yield* window;
  }

  /** How many calls at a time keep it busy. */
  get width(): number {
    return this.#decoder.width;
  }

  close(): Promise<void> {
    return this.#decoder.close();
  }
}

/** The sentences of a text, as the parser takes them. */
export function sentencesOf(text: string): ParserInput[] {
  return splitSentences(text).map(({ begin, end }) => {
    const tokens = tokenise(text, { sentences: [{ begin, end }] });
    return {
      leaves: tokens.map((token) => ({ word: token.text })),
      text: text.slice(begin, end),
      offsets: tokens.map((token): [number, number] => [token.begin - begin, token.end - begin]),
    };
  });
}

function toInput(sentence: readonly string[] | ParserInput): ParserInput {
  return "leaves" in sentence ? sentence : { leaves: sentence.map((word) => ({ word })) };
}

async function* flatStream(stream: AsyncIterable<Parseable>): AsyncGenerator<ParserInput> {
  for await (const each of stream) {
    if (typeof each === "string") yield* sentencesOf(each);
    else yield toInput(each);
  }
}

function tooLong(input: ParserInput, limit: number): Parse {
  const [first, ...rest] = [...input.leaves].reverse();
  const tree = rest.reduce<Parse["tree"]>(
    (whole, leaf) => ({ label: INDUCED, children: [leaf, whole] }),
    first as Parse["tree"],
  );
  const fallback = `over ${limit} words: right-branching`;
  return { ...input, tree, spans: [], score: Number.NaN, fallback };
}
