/** Writes the soft labels of teachers for files of Bracketings; a killed run continues where it stopped. */

import { readBracketings } from "../brackets/read-bracketings.js";
import { type Bracketing, toLine } from "../brackets/record.js";
import { Progress } from "../display/progress.js";
import type { RunKey } from "../files/resumable.js";
import { openSink, type Sink } from "../files/sink.js";
import { TextInput } from "../files/text-input.js";
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

/** How many sentences are done. */
interface DistilProgress {
  readonly sentences: number;
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
  const key: RunKey = { models, costFactor, least, maxTokens, labels, precision };
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
  const { threads, precision } = options;
  const progress = new Progress({ unit: "sentences" });
  const models: SpanModel[] = [];
  let done = sink.resumed?.sentences ?? 0;
  try {
    for (const teacher of teachers)
      models.push(await SpanModel.load(teacher, { threads, precision }));
    for await (const window of sink.isWhole ? [] : windows(files, options, done)) {
      const found = await softLabelsOf(models, window, options);
      done += window.length;
      await sink.write(found.map(toLine).join(""), { sentences: done });
      progress.advance(window.length);
    }
  } catch (error) {
    throw await sink.stop(error, { sentences: done });
  } finally {
    progress.finish();
    await Promise.all(models.map((model) => model.close()));
  }
  await sink.finish({ sentences: done });
}

async function* windows(
  files: readonly string[],
  options: DistilOptions,
  done: number,
): AsyncGenerator<Bracketing[]> {
  const left = skip(read(files, options), done);
  yield* cutWindows(left, { wordsOf: ({ tokens }) => tokens.length });
}

async function* skip<Item>(items: AsyncIterable<Item>, count: number): AsyncGenerator<Item> {
  let seen = 0;
  for await (const item of items) if (seen++ >= count) yield item;
}

async function* read(
  files: readonly string[],
  { maxTokens }: DistilOptions,
): AsyncGenerator<Bracketing> {
  for (const file of files) {
    for await (const bracketing of readBracketings(new TextInput(file))) {
      const { length } = bracketing.tokens;
      if (length > 2 && length <= maxTokens) yield bracketing;
    }
  }
}
