/**
 * A run over inputs of any length: sentences are read, parsed in windows, and returned in order, each
 * with its parse or with the reason why it has none. After each window the run knows up to which place
 * everything is done, so that it can be resumed.
 */

import { canSeek, inputSize } from "../files/input.js";
import {
  beginOf,
  type DonePlace,
  doneWith,
  NOTHING_DONE,
  remaining,
  type Shard,
  type Stretch,
  stretchOf,
} from "../files/shard.js";
import type { Parse, ParseProblem, SentenceInput } from "../parser/sentence.js";
import { mapOrdered } from "../streams/map-ordered.js";
import { cutWindows } from "../streams/windows.js";
import { type PlacedItem, type ReadOptions, type RunInput, readSentences } from "./inputs.js";

export interface ParseRun
  extends Pick<ReadOptions, "onBytes" | "openBytes" | "language" | "checkpoint"> {
  readonly inputs: readonly RunInput[];
  /** Parses the sentences of a window, in order. */
  readonly parse: (sentences: readonly SentenceInput[]) => Promise<(Parse | ParseProblem)[]>;
  /** How many windows may be at work. */
  readonly width?: number | undefined;
  /** Whether brackets in the input must be in the tree. */
  readonly constrain?: boolean | undefined;
  readonly shard?: Shard | undefined;
  /** What to take of the inputs, where that is known without their sizes. */
  readonly stretch?: Stretch | undefined;
  readonly done?: DonePlace | undefined;
}

export type Outcome = PlacedItem & { readonly parse?: Parse };

export interface ParseStep {
  readonly outcomes: readonly Outcome[];
  readonly done: DonePlace;
}

export async function* runParser(run: ParseRun): AsyncGenerator<ParseStep> {
  const { inputs, shard, constrain: markup = false, language, width = 1 } = run;
  const { onBytes, openBytes, checkpoint } = run;
  const stretch = run.stretch ?? (shard && stretchOf(shard, await Promise.all(inputs.map(sizeOf))));
  const left = { stretch, done: run.done };
  const open = { onBytes, openBytes, checkpoint, from: beginOf(left) };
  const sentences = readSentences(inputs, { markup, language, ...open });
  const isLive = (await Promise.all(inputs.map((input) => isAtHand(input, run)))).includes(false);
  const cut = cutWindows(remaining(sentences, left), { wordsOf, isLive });
  let done = run.done ?? NOTHING_DONE;
  for await (const outcomes of mapOrdered(cut, width, (window) => parseWindow(window, run))) {
    for (const item of outcomes) done = doneWith(item, done);
    yield { outcomes, done };
  }
}

/** Whether all of it can be read at once: what a pipe gives may have to be waited for. */
async function isAtHand({ name, text }: RunInput, { openBytes }: ParseRun): Promise<boolean> {
  return text !== undefined || canSeek(name, { openBytes });
}

function sizeOf({ name, text }: RunInput): number | Promise<number> {
  return text === undefined ? inputSize(name) : Buffer.byteLength(text);
}

function wordsOf({ sentence }: PlacedItem): number {
  return sentence?.leaves.length ?? 0;
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

function withoutConstraints(sentence: SentenceInput): SentenceInput {
  if (!sentence.required && !sentence.forbidden) return sentence;
  const { required: _, forbidden: __, ...rest } = sentence;
  return rest;
}
