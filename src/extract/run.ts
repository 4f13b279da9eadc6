/**
 * An extraction into a file or to standard output, for `bracken extract`. A run over documents that was
 * killed continues where it stopped. Answers are merged, so their result is not known before everything
 * is read: their file is written as a whole.
 */

import { createHash } from "node:crypto";
import { Progress } from "../display/progress.js";
import { sizeOnDisk } from "../files/input.js";
import { checkOutput } from "../files/output.js";
import type { RunKey } from "../files/resumable.js";
import { type DonePlace, NOTHING_DONE, type Shard } from "../files/shard.js";
import { openSink, openWholeSink } from "../files/sink.js";
import { StoppedError } from "./links/run.js";
import type { ExtractOptions } from "./options.js";
import { type ExtractPlan, extractSteps, planExtraction } from "./pipeline.js";
import { ExtractReport, type ReportCounts } from "./report.js";

/** How far a run has come. */
interface RunState {
  readonly done: DonePlace;
  readonly counts: ReportCounts;
}

/** `out` is the file to write, by default standard output. `onNote` is called with messages for the user. */
export async function runExtract(
  names: readonly string[],
  options: ExtractOptions,
  out: string | undefined,
  onNote?: (note: string) => void,
): Promise<ExtractReport> {
  await checkOutput(out, []);
  let onBytes = (_: number): void => {};
  const plan = await planExtraction(names, options, (count) => onBytes(count));
  const sizes = await Promise.all(plan.files.map(sizeOnDisk));
  const progress = new Progress({ unit: plan.resumable ? "pages" : "sentences" });
  const report = new ExtractReport();
  const sink = plan.resumable
    ? await openSink<RunState>(out, { inputs: plan.files, key: runKey(plan, options) })
    : await openWholeSink<RunState>(out, plan.files);
  if (sink.note) onNote?.(sink.note);
  const { resumed } = sink;
  if (resumed) report.add(resumed.counts);
  onBytes = countBytes(sizes, progress, options.shard, resumed?.done);
  let state: RunState = { done: resumed?.done ?? NOTHING_DONE, counts: report.toJSON() };
  try {
    const steps = sink.isWhole ? [] : extractSteps(plan, report, resumed?.done);
    for await (const { lines, size, done } of steps) {
      if (done) state = { done, counts: report.toJSON() };
      await sink.write(lines(), state);
      progress.advance(size);
    }
  } catch (error) {
    throw await sink.stop(error, state, error instanceof StoppedError ? error.step.lines : "");
  } finally {
    progress.finish();
  }
  await sink.finish(state);
  return report;
}

/** What must be the same for a run to go on: neither how many work nor what malformed parts do. */
function runKey({ resumable }: ExtractPlan, { shard }: ExtractOptions): RunKey {
  const { exclude, skipBad: _, ...settings } = resumable?.settings ?? {};
  const { format } = resumable?.source ?? {};
  return { format, settings, shard, exclude: exclude && hashOf(exclude) };
}

function hashOf(texts: Iterable<string>): string {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(text).update("\n");
  return hash.digest("hex");
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
