/**
 * A run over inputs of any length: sentences are read, parsed by windows, and come out in order,
 * each with its parse or with what kept it from having one. After each window it is known up to which
 * place everything is done, which is what a run that is taken up again needs to know.
 */

import { inputSize } from "../io/input.js";
import {
  beginOf,
  type DonePlace,
  doneWith,
  isSamePlace,
  NOTHING_DONE,
  remaining,
  type Shard,
  stretchOf,
} from "../io/shard.js";
import { mapOrdered } from "../links/ordered.js";
import { type PlacedItem, type ReadOptions, readSentences, type SentenceInput } from "./inputs.js";
import { WINDOW } from "./parser.js";
import type { Parse, ParserInput } from "./sentence.js";

/** Why a sentence has no parse. */
export interface ParseProblem {
  readonly problem: string;
}

export interface ParseRun extends Pick<ReadOptions, "onBytes"> {
  readonly inputs: readonly SentenceInput[];
  /** Parses the sentences of a window, in order. */
  readonly parse: (sentences: readonly ParserInput[]) => Promise<(Parse | ParseProblem)[]>;
  /** How many windows may be at work. */
  readonly width?: number | undefined;
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

export async function* runParser(run: ParseRun): AsyncGenerator<ParseStep> {
  const { inputs, shard, constrain = false, onBytes, width = 1 } = run;
  const stretch = shard && stretchOf(shard, await Promise.all(inputs.map(sizeOf)));
  const left = { stretch, done: run.done };
  const sentences = readSentences(inputs, { markup: constrain, onBytes, from: beginOf(left) });
  const cut = windows(remaining(sentences, left));
  let done = run.done ?? NOTHING_DONE;
  for await (const outcomes of mapOrdered(cut, width, (window) => parseWindow(window, run))) {
    for (const item of outcomes) done = doneWith(item, done);
    yield { outcomes, done };
  }
}

function sizeOf({ name, text }: SentenceInput): number | Promise<number> {
  return text === undefined ? inputSize(name) : Buffer.byteLength(text);
}

/** A window has no more words than this, or one sentence only. */
const WINDOW_WORDS = 1 << 16;

/**
 * Sentences of one place together: places are cut so that windows are the same in every run. An error
 * comes after what was read before it.
 */
async function* windows(items: AsyncIterable<PlacedItem>): AsyncGenerator<PlacedItem[]> {
  let window: PlacedItem[] = [];
  let words = 0;
  let failure: { readonly error: unknown } | undefined;
  try {
    for await (const item of items) {
      const [first] = window;
      const size = item.sentence?.leaves.length ?? 0;
      const isFull = window.length === WINDOW || words + size > WINDOW_WORDS;
      if (first && (isFull || !isSamePlace(first, item))) {
        yield window;
        window = [];
        words = 0;
      }
      window.push(item);
      words += size;
    }
  } catch (error) {
    failure = { error };
  }
  if (window.length > 0) yield window;
  if (failure) throw failure.error;
}

async function parseWindow(
  window: readonly PlacedItem[],
  { parse, constrain }: ParseRun,
): Promise<Outcome[]> {
  const wanted = window.flatMap(({ sentence }) =>
    sentence ? [constrain ? sentence : withoutConstraints(sentence)] : [],
  );
  const parses = await parse(wanted);
  let next = 0;
  return window.map((item) => {
    const found = item.sentence ? parses[next++] : undefined;
    if (!found) return item;
    if (!("problem" in found)) return { ...item, parse: found };
    const { input, position, place } = item;
    return { input, position, place, problem: found.problem };
  });
}

function withoutConstraints({ leaves, text, offsets }: ParserInput): ParserInput {
  return { leaves, text, offsets };
}
