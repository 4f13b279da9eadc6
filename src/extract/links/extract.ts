/** `bracken extract` for links: the settings of a run, its output, and what is told meanwhile. */

import { stat } from "node:fs/promises";
import type { Progress } from "../../display/progress.js";
import { InputError } from "../../errors.js";
import { STDIN } from "../../files/input.js";
import { type DonePlace, NOTHING_DONE, type Shard } from "../../files/shard.js";
import { openSink, withNote } from "../../files/sink.js";
import type { ExtractReport } from "../extract.js";
import { addCounts, type JobCounts, noCounts } from "./job.js";
import { type RunOptions, type RunStep, runLinks, StoppedError } from "./run.js";

export interface LinkExtraction extends Omit<RunOptions, "onBytes" | "done"> {
  readonly output?: string | undefined;
  /** Files whose sentences are excluded: part of what makes two runs the same. */
  readonly excludeNames: readonly string[];
  readonly progress: Progress;
}

interface ExtractProgress {
  readonly done: DonePlace;
  readonly counts: JobCounts;
}

export async function extractLinks(
  extraction: LinkExtraction,
  report: ExtractReport,
): Promise<void> {
  const { progress, output, ...run } = extraction;
  const sizes = await Promise.all(run.files.map(sizeOf));
  const sink = await openSink<ExtractProgress>(output, runKey(extraction, sizes));
  const counts = sink.resumed?.counts ?? noCounts();
  let state: ExtractProgress = sink.resumed ?? { done: NOTHING_DONE, counts };
  const take = async ({ lines, counts: further, done }: RunStep) => {
    addCounts(counts, further);
    state = { done, counts };
    await sink.write(lines, state);
    progress.advance(further.pages);
  };
  const onBytes = countBytes(sizes, progress, run.shard, sink.resumed?.done);
  try {
    for await (const step of runLinks({ ...run, onBytes, done: sink.resumed?.done })) {
      await take(step);
    }
  } catch (error) {
    const kept = await sink.stop(state, error instanceof StoppedError ? error.step.lines : "");
    throw error instanceof InputError ? withNote(error, kept) : error;
  }
  await sink.finish();
  fillReport(report, counts);
}

async function sizeOf(file: string): Promise<number | undefined> {
  return file === STDIN ? undefined : (await stat(file)).size;
}

/** What must be the same for a run to be taken up: neither how many work nor what errors do. */
function runKey(extraction: LinkExtraction, sizes: readonly (number | undefined)[]): string {
  const { files, format, settings, shard, excludeNames } = extraction;
  const { exclude: _, skipBad: __, ...rest } = settings;
  return JSON.stringify({ files, sizes, format, settings: rest, shard, excludeNames });
}

/** How far along it is: of the bytes that this run reads, not those of other shards or runs. */
function countBytes(
  sizes: readonly (number | undefined)[],
  progress: Progress,
  shard: Shard = { number: 1, of: 1 },
  done?: DonePlace,
) {
  const total = sumOf(sizes);
  const resumed = done ? sumOf(sizes.slice(0, done.input)) + done.position : 0;
  const begin = Math.max(resumed, (total / shard.of) * (shard.number - 1));
  const end = (total / shard.of) * shard.number;
  let read = 0;
  return (count: number) => {
    read += count;
    progress.advance(0, end > begin ? read / (end - begin) : undefined);
  };
}

/** Not a number where a size is not known. */
function sumOf(sizes: readonly (number | undefined)[]): number {
  return sizes.reduce<number>((sum, size) => sum + (size ?? Number.NaN), 0);
}

function fillReport(report: ExtractReport, { dropped, ...numbers }: JobCounts): void {
  Object.assign(report, numbers);
  for (const [reason, count] of Object.entries(dropped)) report.drop(reason, count);
}
