/**
 * An extraction into a file or to standard output, as `bracken extract` does it. A run over documents
 * that was killed goes on where it stopped. Answers are merged, so nothing is known of the result
 * before all is read: their file is written as a whole.
 */

import { stat } from "node:fs/promises";
import { Progress } from "../display/progress.js";
import { InputError } from "../errors.js";
import { STDIN } from "../files/input.js";
import { openOutput } from "../files/output.js";
import { type DonePlace, NOTHING_DONE, type Shard } from "../files/shard.js";
import { openSink, type Sink, withNote } from "../files/sink.js";
import { StoppedError } from "./links/run.js";
import type { ExtractOptions } from "./options.js";
import { type ExtractPlan, extractSteps, planExtraction } from "./pipeline.js";
import { ExtractReport, type ReportCounts } from "./report.js";

/** How far a run has come. */
interface RunState {
  readonly done: DonePlace;
  readonly counts: ReportCounts;
}

/** `out` is the file to write; standard output if not given. */
export async function runExtract(
  names: readonly string[],
  options: ExtractOptions,
  out: string | undefined,
): Promise<ExtractReport> {
  let onBytes = (_: number): void => {};
  const plan = await planExtraction(names, options, (count) => onBytes(count));
  const sizes = await Promise.all(plan.files.map(sizeOf));
  const progress = new Progress({ unit: plan.resumable ? "pages" : "sentences" });
  const report = new ExtractReport();
  const sink = plan.resumable
    ? await openSink<RunState>(out, runKey(plan, options, sizes))
    : await openWhole(out);
  const { resumed } = sink;
  if (resumed) report.add(resumed.counts);
  onBytes = countBytes(sizes, progress, options.shard, resumed?.done);
  let state: RunState = { done: resumed?.done ?? NOTHING_DONE, counts: report.toJSON() };
  try {
    for await (const { lines, size, done } of extractSteps(plan, report, resumed?.done)) {
      if (done) state = { done, counts: report.toJSON() };
      await sink.write(lines(), state);
      progress.advance(size);
    }
  } catch (error) {
    const note = await sink.stop(state, error instanceof StoppedError ? error.step.lines : "");
    throw note && error instanceof InputError ? withNote(error, note) : error;
  } finally {
    progress.finish();
  }
  await sink.finish();
  return report;
}

/** For a run that cannot go on: its file is written as a whole or not at all. */
async function openWhole(out: string | undefined): Promise<Sink<RunState>> {
  const output = await openOutput(out);
  return {
    resumed: undefined,
    write: (text) => output.write(text),
    finish: () => output.close(),
    stop: async () => {
      await output.discard();
      return "";
    },
  };
}

async function sizeOf(file: string): Promise<number | undefined> {
  return file === STDIN ? undefined : (await stat(file)).size;
}

/** What must be the same for a run to go on: neither how many work nor what malformed parts do. */
function runKey(
  { files, resumable }: ExtractPlan,
  { shard, exclude }: ExtractOptions,
  sizes: readonly (number | undefined)[],
): string {
  const { exclude: _, skipBad: __, ...settings } = resumable?.settings ?? {};
  const { format } = resumable?.source ?? {};
  return JSON.stringify({ files, sizes, format, settings, shard, excludeNames: exclude ?? [] });
}

/** How far along it is: of the bytes that this run reads, not those of other shards or runs. */
function countBytes(
  sizes: readonly (number | undefined)[],
  progress: Progress,
  shard: Shard = { number: 1, of: 1 },
  done?: DonePlace,
): (count: number) => void {
  const total = sumOf(sizes);
  const resumed = done ? sumOf(sizes.slice(0, done.input)) + done.position : 0;
  const begin = Math.max(resumed, (total / shard.of) * (shard.number - 1));
  const end = (total / shard.of) * shard.number;
  let read = 0;
  return (count) => {
    read += count;
    progress.advance(0, end > begin ? read / (end - begin) : undefined);
  };
}

/** Not a number where a size is not known. */
function sumOf(sizes: readonly (number | undefined)[]): number {
  return sizes.reduce<number>((sum, size) => sum + (size ?? Number.NaN), 0);
}
