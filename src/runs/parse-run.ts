/**
 * A run over inputs of any length: sentences are read, parsed in windows, and returned in order, each
 * with its parse or with the reason why it has none. After each window the run knows up to which place
 * everything is done, so that it can be resumed.
 */

import { inputSize, isRegularFile } from "../files/input.js";
import {
  beginOf,
  type DonePlace,
  doneWith,
  NOTHING_DONE,
  remaining,
  type Shard,
  stretchOf,
} from "../files/shard.js";
import type { Parse, ParseProblem, SentenceInput } from "../parser/sentence.js";
import { mapOrdered } from "../streams/map-ordered.js";
import { cutWindows, type WindowOptions } from "../streams/windows.js";
import { type PlacedItem, type ReadOptions, type RunInput, readSentences } from "./inputs.js";

export interface ParseRun extends Pick<ReadOptions, "onBytes" | "language"> {
  readonly inputs: readonly RunInput[];
  /** Parses the sentences of a window, in order. */
  readonly parse: (sentences: readonly SentenceInput[]) => Promise<(Parse | ParseProblem)[]>;
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
  const { inputs, shard, constrain: markup = false, language, onBytes, width = 1 } = run;
  const stretch = shard && stretchOf(shard, await Promise.all(inputs.map(sizeOf)));
  const left = { stretch, done: run.done };
  const sentences = readSentences(inputs, { markup, language, onBytes, from: beginOf(left) });
  const isLive = (await Promise.all(inputs.map(isAtHand))).includes(false);
  const cut = cutWindows(remaining(sentences, left), { ...WINDOWS, isLive });
  let done = run.done ?? NOTHING_DONE;
  for await (const outcomes of mapOrdered(cut, width, (window) => parseWindow(window, run))) {
    for (const item of outcomes) done = doneWith(item, done);
    yield { outcomes, done };
  }
}

/** Whether all of it can be read at once: what a pipe gives may have to be waited for. */
async function isAtHand({ name, text }: RunInput): Promise<boolean> {
  return text !== undefined || isRegularFile(name);
}

function sizeOf({ name, text }: RunInput): number | Promise<number> {
  return text === undefined ? inputSize(name) : Buffer.byteLength(text);
}

/** Sentences of one place together: places are cut so that windows are the same in every run. */
const WINDOWS: WindowOptions<PlacedItem> = {
  wordsOf: ({ sentence }) => sentence?.leaves.length ?? 0,
  belongs: (item, first) => item.input === first.input && item.position === first.position,
};

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

function withoutConstraints({
  required: _,
  forbidden: __,
  ...sentence
}: SentenceInput): SentenceInput {
  return sentence;
}
