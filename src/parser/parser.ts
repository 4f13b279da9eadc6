/**
 * The parser as a library: `loadParser` gives one, `parse` takes text, words or a stream of either and
 * gives trees. It has no state outside itself, so several can live together, also in worker threads.
 */

import { Chart } from "../chart/index.js";
import { InputError } from "../errors.js";
import type { SessionOptions } from "../tensor/index.js";
import { splitSentences, tokenise } from "../text/index.js";
import { type DecodeOptions, decodeSentence, INDUCED } from "./decode-sentence.js";
import { ModelFolder } from "./model-folder.js";
import { findModel } from "./models.js";
import type { Parse, ParserInput } from "./sentence.js";
import { SpanParser } from "./span-parser.js";

export interface ParserOptions {
  readonly threads?: number | undefined;
}

export interface ParseOptions extends DecodeOptions {
  /** Longer sentences get a right-branching tree: charts take memory with the square of the words. */
  readonly maxTokens?: number | undefined;
}

/** 1,000 words take 4 MB of scores and some 32 MB of charts; 100 a hundredth of that. */
export const DEFAULT_MAX_TOKENS = 1000;

/** How many sentences are looked at together, so that those of similar length share a batch. */
const WINDOW = 256;

/** A text, the words of a sentence, or a sentence with tags, places or constraints. */
export type Parseable = string | readonly string[] | ParserInput;

export class Parser {
  readonly #spans: SpanParser;
  readonly #chart = new Chart();

  constructor(spans: SpanParser) {
    this.#spans = spans;
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

  async parseAll(sentences: readonly ParserInput[], options: ParseOptions = {}): Promise<Parse[]> {
    const { maxTokens = DEFAULT_MAX_TOKENS } = options;
    const parses = new Array<Parse>(sentences.length);
    const indices: number[] = [];
    for (const [index, sentence] of sentences.entries()) {
      if (sentence.leaves.length === 0) {
        throw new InputError(`sentence ${index + 1} has no words`, {}, "leave empty sentences out");
      }
      if (sentence.leaves.length <= maxTokens) indices.push(index);
      else parses[index] = tooLong(sentence, maxTokens);
    }
    const inputs = indices.map((index) => sentences[index] as ParserInput);
    const words = inputs.map(({ leaves }) => leaves.map(({ word }) => word));
    for await (const { index, scores } of this.#spans.scores(words)) {
      const input = inputs[index] as ParserInput;
      parses[indices[index] as number] = decodeSentence(input, scores, options, this.#chart);
    }
    return parses;
  }

  /** Parses windows of a stream, so that memory does not grow with it. */
  async *parseStream(
    sentences: AsyncIterable<ParserInput>,
    options: ParseOptions = {},
  ): AsyncGenerator<Parse> {
    let window: ParserInput[] = [];
    for await (const sentence of sentences) {
      window.push(sentence);
      if (window.length < WINDOW) continue;
      yield* await this.parseAll(window, options);
      window = [];
    }
    yield* await this.parseAll(window, options);
  }

  close(): Promise<void> {
    return this.#spans.close();
  }
}

/** Loads the bundled English model, or the model with that name or in that folder. */
export async function loadParser(model?: string, options: ParserOptions = {}): Promise<Parser> {
  const session: SessionOptions = { threads: options.threads };
  const folder = await ModelFolder.open(await findModel(model));
  return new Parser(await SpanParser.load(folder, session));
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
