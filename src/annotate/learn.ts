/**
 * Trains a parser on a few answers or a few trees. With so little data a model would forget more than it learns, so the
 * model to start from labels the sentences, too: those with answers, corrected by the answers, and others of the same
 * corpus.
 */

import { join } from "node:path";
import { readBracketings } from "../brackets/read-bracketings.js";
import { type Bracketing, toLine } from "../brackets/record.js";
import { tokenKey } from "../brackets/sentence-keys.js";
import { makeFolder } from "../files/folder.js";
import { writeWhole } from "../files/output.js";
import { TextInput } from "../files/text-input.js";
import { openModel } from "../model/open-model.js";
import { distil } from "../training/distil.js";
import type { StepRecord } from "../training/log-record.js";
import { PRESETS, type TrainSettings } from "../training/settings.js";
import { type TrainOutcome, train } from "../training/train.js";

/** What a parser is trained on. */
export interface Lesson {
  /** The model to start from. */
  readonly from?: string | undefined;
  /** An encoder to start from, in place of a model. */
  readonly encoder?: string | undefined;
  /** Sentences with answers, or gold trees. */
  readonly records: readonly Bracketing[];
  /** Soft labels of the model to start from, for other sentences; see `writeGuard`. */
  readonly guard?: string | undefined;
  readonly seed: number;
}

/** Options of `learn`. */
export interface LearnOptions {
  readonly threads?: number | undefined;
  /** Settings that differ from the preset. */
  readonly settings?: Partial<TrainSettings> | undefined;
  readonly onRecord?: ((record: StepRecord, steps: number) => void) | undefined;
  readonly isStopped?: (() => boolean) | undefined;
}

/** Answers are not to be doubted much. */
const ANSWERED = { costFactor: 10, least: 0.02, maxTokens: 100 } as const;
const GUARD = { costFactor: 3, least: 0.02, maxTokens: 100 } as const;

/** Gold trees often differ from the model's idea of a phrase, and then it must give way. */
const GUARD_WEIGHTS = { answers: 1, trees: 0.25 } as const;

/** How often each sentence is learnt, if that is within the bounds. */
const EPOCHS = 20;
const STEPS = {
  continue: { fewest: 60, most: 600 },
  small: { fewest: 300, most: 2_000 },
} as const;

/** Trains a model into `folder/model`; a run that was stopped goes on. */
export async function learn(
  folder: string,
  lesson: Lesson,
  options: LearnOptions = {},
): Promise<TrainOutcome> {
  await makeFolder(folder);
  const records = join(folder, "records.jsonl");
  await writeWhole(records, lesson.records.map(toLine).join(""));
  const sets = [records];
  const isGold = lesson.records.some(({ complete }) => complete);
  if (lesson.from !== undefined && !isGold) {
    const soft = join(folder, "soft.jsonl");
    await distil([records], [await openModel(lesson.from)], soft, {
      ...ANSWERED,
      threads: options.threads,
    });
    sets.push(soft);
  }
  if (lesson.guard !== undefined) {
    const guard = join(folder, "guard.jsonl");
    await writeWhole(guard, await otherSentences(lesson.guard, lesson.records));
    sets.push(`${guard}@${isGold ? GUARD_WEIGHTS.trees : GUARD_WEIGHTS.answers}`);
  }
  const settings = settingsFor(lesson, options);
  const { from, encoder } = lesson;
  return train(sets, join(folder, "model"), settings, {
    from,
    encoder,
    threads: options.threads,
    isStopped: options.isStopped,
    onRecord: (record) => options.onRecord?.(record, settings.steps),
  });
}

/** Lines of a file whose sentences are not among the records: what is known about those must not be contradicted. */
async function otherSentences(file: string, records: readonly Bracketing[]): Promise<string> {
  const known = new Set(records.map(({ tokens }) => tokenKey(tokens)));
  const others: string[] = [];
  for await (const record of readBracketings(new TextInput(file))) {
    if (!known.has(tokenKey(record.tokens))) others.push(toLine(record));
  }
  return others.join("");
}

/** The settings of a lesson: the less there is to learn, the fewer steps. */
function settingsFor({ from, records, seed }: Lesson, { settings }: LearnOptions): TrainSettings {
  const preset = from === undefined ? "small" : "continue";
  const { fewest, most } = STEPS[preset];
  const { batch } = PRESETS[preset];
  const wanted = Math.ceil((records.length * EPOCHS) / batch);
  const steps = Math.min(most, Math.max(fewest, wanted));
  return {
    ...PRESETS[preset],
    steps,
    warmup: Math.ceil(steps / 10),
    validationShare: 0,
    ...settings,
    seed,
  };
}

/** Writes the soft labels of a model for sentences that nothing is known about; once for all lessons. */
export async function writeGuard(
  file: string,
  sentences: readonly Bracketing[],
  model: string,
  threads: number | undefined,
): Promise<void> {
  const bare = sentences.map(({ tokens, source, id }) => ({ tokens, brackets: [], source, id }));
  const input = file.replace(/\.jsonl$/, "-sentences.jsonl");
  await writeWhole(input, bare.map(toLine).join(""));
  await distil([input], [await openModel(model)], file, { ...GUARD, threads });
}
