/** Writes the soft labels of teachers for files of Bracketings; a killed run continues where it stopped. */

import type { RunKey } from "../files/resumable.js";
import { openSink } from "../files/sink.js";
import { grammarOf } from "../languages/grammar-of.js";
import type { ModelFolder } from "../model/folder.js";
import { SpanModel, type SpanModelOptions } from "../model/span-model.js";
import { commonLanguage } from "../parser/from-text.js";
import {
  type RewriteProgress,
  type RewriteRun,
  type RewriteStep,
  rewriteSteps,
  writeSteps,
} from "./rewrite.js";
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
  await checkTeachers(teachers, options);
  const { costFactor, least, maxTokens, labels = true, english, precision = "fp32" } = options;
  const models = teachers.map(({ identity }) => identity);
  // Places count what is done; runs that were begun before counted sentences.
  const shared = { models, costFactor, least, maxTokens, labels, precision };
  const key: RunKey = { ...shared, ...(english ? { english } : {}), by: "places" };
  const sink = await openSink<RewriteProgress>(out, { inputs: files, key });
  if (sink.note) options.onNote?.(sink.note);
  await writeSteps(sink, async function* (done) {
    const loaded = await loadTeachers(teachers, options);
    try {
      yield* distilSteps(loaded, { files, done }, options);
    } finally {
      await Promise.all(loaded.map((model) => model.close()));
    }
  });
}

/**
 * Checks that the teachers know one language, and that it has the rules that the options ask for.
 *
 * @throws InputError if not.
 */
export async function checkTeachers(
  teachers: readonly ModelFolder[],
  { english }: Pick<SoftLabelOptions, "english">,
): Promise<void> {
  const language = await commonLanguage(teachers.map(({ config }) => config));
  if (english) grammarOf(language);
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

/** The soft labels of a window at a time, in the order of the files. */
export function distilSteps(
  models: readonly SpanModel[],
  run: RewriteRun,
  options: Pick<DistilOptions, "maxTokens"> & SoftLabelOptions,
): AsyncGenerator<RewriteStep> {
  return rewriteSteps(run, {
    isWanted: ({ tokens: { length } }) => length > 2 && length <= options.maxTokens,
    rewrite: (records) => softLabelsOf(models, records, options),
  });
}
