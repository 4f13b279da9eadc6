/**
 * A run over inputs of any length: sentences are read, parsed by windows, and come out in order,
 * each with its parse or with what kept it from having one. After each window it is known up to which
 * place everything is done, which is what a run that is taken up again needs to know.
 */

import { InputError } from "../errors.js";
import { inputSize } from "../io/input.js";
import {
  beginOf,
  type DonePlace,
  doneWith,
  NOTHING_DONE,
  remaining,
  type Shard,
  stretchOf,
} from "../io/shard.js";
import { type PlacedItem, type ReadOptions, readSentences, type SentenceInput } from "./inputs.js";
import { type ParseOptions, type Parser, WINDOW } from "./parser.js";
import type { Parse, ParserInput } from "./sentence.js";

export interface ParseRun extends Pick<ReadOptions, "onBytes"> {
  readonly inputs: readonly SentenceInput[];
  readonly options: ParseOptions;
  /** Whether brackets in the input must be in the tree. */
  readonly constrain?: boolean | undefined;
  readonly shard?: Shard | undefined;
  readonly done?: DonePlace | undefined;
}

export type Outcome = PlacedItem & { readonly parse?: Parse };

export interface ParseStep {
  readonly outcomes: readonly Outcome[];
  readonly done: DonePlace;
}

export async function* runParser(parser: Parser, run: ParseRun): AsyncGenerator<ParseStep> {
  const { inputs, shard, constrain = false, onBytes } = run;
  const stretch = shard && stretchOf(shard, await Promise.all(inputs.map(sizeOf)));
  const left = { stretch, done: run.done };
  const sentences = readSentences(inputs, { markup: constrain, onBytes, from: beginOf(left) });
  let done = run.done ?? NOTHING_DONE;
  for await (const window of windows(remaining(sentences, left))) {
    const outcomes = await parseWindow(parser, window, run);
    for (const item of window) done = doneWith(item, done);
    yield { outcomes, done };
  }
}

function sizeOf({ name, text }: SentenceInput): number | Promise<number> {
  return text === undefined ? inputSize(name) : Buffer.byteLength(text);
}

/** A window has no more words than this, or one sentence only. */
const WINDOW_WORDS = 1 << 16;

/** Sentences of one place together: places are cut so that windows are the same in every run. */
async function* windows(items: AsyncIterable<PlacedItem>): AsyncGenerator<PlacedItem[]> {
  let window: PlacedItem[] = [];
  let words = 0;
  for await (const item of items) {
    const [first] = window;
    const size = item.sentence?.leaves.length ?? 0;
    const isFull = window.length === WINDOW || words + size > WINDOW_WORDS;
    if (first && (isFull || first.input !== item.input || first.position !== item.position)) {
      yield window;
      window = [];
      words = 0;
    }
    window.push(item);
    words += size;
  }
  if (window.length > 0) yield window;
}

/** Parses what can be parsed: what is wrong with one sentence must not cost the others. */
async function parseWindow(
  parser: Parser,
  window: readonly PlacedItem[],
  { options, constrain }: ParseRun,
): Promise<Outcome[]> {
  const wanted = window.flatMap(({ sentence }) =>
    sentence ? [constrain ? sentence : withoutConstraints(sentence)] : [],
  );
  const parses = await parser.parseAll(wanted, options).catch((error: unknown) => {
    if (problemOf(error) === undefined) throw error;
    return parseEach(parser, wanted, options);
  });
  let next = 0;
  return window.map((item) => {
    const found = item.sentence ? parses[next++] : undefined;
    if (typeof found !== "string") return found ? { ...item, parse: found } : item;
    const { input, position, place } = item;
    return { input, position, place, problem: found };
  });
}

/** For each sentence its parse, or why it has none. */
async function parseEach(
  parser: Parser,
  sentences: readonly ParserInput[],
  options: ParseOptions,
): Promise<(Parse | string)[]> {
  const parses: (Parse | string)[] = [];
  for (const sentence of sentences) {
    try {
      parses.push(...(await parser.parseAll([sentence], options)));
    } catch (error) {
      const problem = problemOf(error);
      if (problem === undefined) throw error;
      parses.push(problem);
    }
  }
  return parses;
}

/** What can be wrong with a sentence: its constraints conflict, or memory does not suffice for it. */
function problemOf(error: unknown): string | undefined {
  if (error instanceof InputError) return error.problem;
  const isMemory = error instanceof Error && /allocat/i.test(error.message);
  return isMemory ? `not enough memory for so many words (${error.message})` : undefined;
}

function withoutConstraints({ leaves, text, offsets }: ParserInput): ParserInput {
  return { leaves, text, offsets };
}
