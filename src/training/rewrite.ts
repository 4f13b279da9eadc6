/**
 * Reads files of Bracketings and writes a Bracketing for each, by windows of sentences that models look at together. A
 * killed run continues where it stopped.
 */

import { type PlacedBracketing, readPlacedBracketings } from "../brackets/read-bracketings.js";
import { type Bracketing, toLine } from "../brackets/record.js";
import { Progress } from "../display/progress.js";
import type { Checkpoint } from "../files/checkpoint.js";
import type { OpenOptions } from "../files/input.js";
import {
  beginOf,
  type DonePlace,
  doneWith,
  type InputPlace,
  NOTHING_DONE,
  remaining,
  type Stretch,
} from "../files/shard.js";
import type { Sink } from "../files/sink.js";
import { cutWindows, singly } from "../streams/windows.js";

/** What is read, and from where on. */
export interface RewriteRun extends Pick<OpenOptions, "openBytes"> {
  readonly files: readonly string[];
  /** What to take of the files, if not all. */
  readonly stretch?: Stretch | undefined;
  /** Where to open the file that it begins in, if not at its first byte. */
  readonly checkpoint?: Checkpoint | undefined;
  readonly done?: DonePlace | undefined;
}

export interface RewriteStep {
  readonly lines: string;
  readonly sentences: number;
  readonly done: DonePlace;
}

/** What is saved of a run that did not end. */
export interface RewriteProgress {
  readonly done: DonePlace;
}

/** What becomes of sentences. */
export interface Rewriting {
  /** Which sentences are taken. */
  isWanted(record: Bracketing): boolean;
  rewrite(records: readonly Bracketing[]): Promise<Bracketing[]>;
}

/** A window at a time, in the order of the files. */
export async function* rewriteSteps(
  run: RewriteRun,
  { isWanted, rewrite }: Rewriting,
): AsyncGenerator<RewriteStep> {
  const wordsOf = ({ record }: PlacedBracketing) => record.tokens.length;
  let done = run.done ?? NOTHING_DONE;
  const records = remaining(singly(read(run, isWanted)), run);
  for await (const window of cutWindows(records, { wordsOf })) {
    const found = await rewrite(window.map(({ record }) => record));
    for (const place of window) done = doneWith(place, done);
    yield { lines: found.map(toLine).join(""), sentences: found.length, done };
  }
}

async function* read(
  run: RewriteRun,
  isWanted: Rewriting["isWanted"],
): AsyncGenerator<PlacedBracketing & InputPlace> {
  const { files, checkpoint, openBytes } = run;
  const { input: first, position: begin } = beginOf(run);
  for (const [input, file] of files.entries()) {
    if (input < first) continue;
    const start = input === first ? checkpoint : undefined;
    for await (const { record, position } of readPlacedBracketings(file, { openBytes }, start)) {
      const isLeft = input > first || position >= begin;
      if (isLeft && isWanted(record)) yield { record, input, position };
    }
  }
}

/**
 * Writes all steps that are left to the output.
 *
 * @param steps begins the work; called when the output is open, with the place that is done.
 */
export async function writeSteps(
  sink: Sink<RewriteProgress>,
  steps: (done: DonePlace | undefined) => AsyncIterable<RewriteStep>,
): Promise<void> {
  const progress = new Progress({ unit: "sentences" });
  let done = sink.resumed?.done ?? NOTHING_DONE;
  try {
    for await (const step of sink.isWhole ? [] : steps(sink.resumed?.done)) {
      done = step.done;
      await sink.write(step.lines, { done });
      progress.advance(step.sentences);
    }
  } catch (error) {
    throw await sink.stop(error, { done });
  } finally {
    progress.finish();
  }
  await sink.finish({ done });
}
