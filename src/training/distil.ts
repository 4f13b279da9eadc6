/** Writes the soft labels of teachers for files of Bracketings; a killed run continues where it stopped. */

import { type PlacedBracketing, readPlacedBracketings } from "../brackets/read-bracketings.js";
import { toLine } from "../brackets/record.js";
import { Progress } from "../display/progress.js";
import type { Checkpoint } from "../files/checkpoint.js";
import type { OpenOptions } from "../files/input.js";
import type { RunKey } from "../files/resumable.js";
import {
  beginOf,
  type DonePlace,
  doneWith,
  type InputPlace,
  NOTHING_DONE,
  remaining,
  type Stretch,
} from "../files/shard.js";
import { openSink, type Sink } from "../files/sink.js";
import type { ModelFolder } from "../model/folder.js";
import { SpanModel, type SpanModelOptions } from "../model/span-model.js";
import { commonLanguage } from "../parser/from-text.js";
import { cutWindows } from "../streams/windows.js";
import { type SoftLabelOptions, softLabelsOf } from "./soft-labels.js";

/** Options of `distil`. */
export interface DistilOptions
  extends SoftLabelOptions,
    Pick<SpanModelOptions, "precision" | "threads"> {
  /** Leave out longer sentences. */
  readonly maxTokens: number;
  /** Called with messages for the user. */
  readonly onNote?: ((note: string) => void) | undefined;
}

/** What is read, and from where on. */
export interface DistilRun extends Pick<OpenOptions, "openBytes"> {
  readonly files: readonly string[];
  /** What to take of the files, if not all. */
  readonly stretch?: Stretch | undefined;
  /** Where to open the file that it begins in, if not at its first byte. */
  readonly checkpoint?: Checkpoint | undefined;
  readonly done?: DonePlace | undefined;
}

interface DistilProgress {
  readonly done: DonePlace;
}

/**
 * Writes the teachers' soft labels for all sentences of the files.
 *
 * @param out the file to write; by default standard output.
 */
export async function distil(
  files: readonly string[],
  teachers: readonly ModelFolder[],
  out: string | undefined,
  options: DistilOptions,
): Promise<void> {
  await commonLanguage(teachers.map(({ config }) => config));
  const { costFactor, least, maxTokens, labels = true, precision = "fp32" } = options;
  const models = teachers.map(({ identity }) => identity);
  // Places count what is done; runs that were begun before counted sentences.
  const key: RunKey = { models, costFactor, least, maxTokens, labels, precision, by: "places" };
  const sink = await openSink<DistilProgress>(out, { inputs: files, key });
  if (sink.note) options.onNote?.(sink.note);
  await writeSoftLabels(sink, teachers, files, options);
}

async function writeSoftLabels(
  sink: Sink<DistilProgress>,
  teachers: readonly ModelFolder[],
  files: readonly string[],
  options: DistilOptions,
): Promise<void> {
  const progress = new Progress({ unit: "sentences" });
  let models: readonly SpanModel[] = [];
  let done = sink.resumed?.done ?? NOTHING_DONE;
  try {
    models = await loadTeachers(teachers, options);
    const run = { files, done: sink.resumed?.done };
    for await (const step of sink.isWhole ? [] : distilSteps(models, run, options)) {
      done = step.done;
      await sink.write(step.lines, { done });
      progress.advance(step.sentences);
    }
  } catch (error) {
    throw await sink.stop(error, { done });
  } finally {
    progress.finish();
    await Promise.all(models.map((model) => model.close()));
  }
  await sink.finish({ done });
}

/** All teachers, or none if one of them cannot be loaded. */
export async function loadTeachers(
  teachers: readonly ModelFolder[],
  { threads, precision }: Pick<DistilOptions, "threads" | "precision">,
): Promise<SpanModel[]> {
  const models: SpanModel[] = [];
  try {
    for (const teacher of teachers)
      models.push(await SpanModel.load(teacher, { threads, precision }));
    return models;
  } catch (error) {
    await Promise.all(models.map((model) => model.close()));
    throw error;
  }
}

export interface DistilStep {
  readonly lines: string;
  readonly sentences: number;
  readonly done: DonePlace;
}

/** The soft labels of a window at a time, in the order of the files. */
export async function* distilSteps(
  models: readonly SpanModel[],
  run: DistilRun,
  options: Pick<DistilOptions, "maxTokens"> & SoftLabelOptions,
): AsyncGenerator<DistilStep> {
  const wordsOf = ({ record }: PlacedBracketing) => record.tokens.length;
  let done = run.done ?? NOTHING_DONE;
  for await (const window of cutWindows(remaining(read(run, options), run), { wordsOf })) {
    const records = window.map(({ record }) => record);
    const found = await softLabelsOf(models, records, options);
    for (const place of window) done = doneWith(place, done);
    yield { lines: found.map(toLine).join(""), sentences: found.length, done };
  }
}

async function* read(
  run: DistilRun,
  { maxTokens }: Pick<DistilOptions, "maxTokens">,
): AsyncGenerator<PlacedBracketing & InputPlace> {
  const { files, checkpoint, openBytes } = run;
  const { input: first, position: begin } = beginOf(run);
  for (const [input, file] of files.entries()) {
    if (input < first) continue;
    const start = input === first ? checkpoint : undefined;
    for await (const { record, position } of readPlacedBracketings(file, { openBytes }, start)) {
      const { length } = record.tokens;
      const isLeft = input > first || position >= begin;
      if (isLeft && length > 2 && length <= maxTokens) yield { record, input, position };
    }
  }
}
