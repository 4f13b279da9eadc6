/**
 * Data sets with votes for induced categories, for a run with `--labels induced:K`. The categories come from the
 * weights that the run starts from. They are kept in the run's folder, so that a run that goes on has the same.
 */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readWordPieces } from "../encoder/files.js";
import { InputError } from "../errors.js";
import { writeWhole } from "../files/output.js";
import type { ModelConfig } from "../model/config.js";
import { modelTape } from "../model/graph.js";
import { SpanModel } from "../model/span-model.js";
import { Random } from "../random.js";
import type { SessionOptions } from "../tensor/index.js";
import { ParameterStore } from "../tensor/train.js";
import {
  Categories,
  categoriesText,
  checkCategories,
  SentenceSample,
  type SpannedSentence,
} from "./categories.js";
import type { DataSet, Example, LabelledSpan } from "./examples.js";
import { trainingFolder } from "./run-folder.js";
import type { TrainSettings } from "./settings.js";
import type { Start } from "./start.js";

/** The categories, to be read and named by people. */
export const CATEGORIES = "categories.txt";

/** The votes of each sentence, one line each, in the order of the data. */
const VOTES = "induced.jsonl";

/** How many sentences are looked at together. */
const WINDOW = 1024;

/** @throws InputError if categories cannot be induced from this data with these settings. */
export function checkInduced(
  { inducedLabels, labelWeight }: TrainSettings,
  sets: readonly DataSet[],
): void {
  if (inducedLabels === undefined) return;
  if (labelWeight === 0) {
    throw new InputError(
      "with a label weight of 0, no labels are learnt",
      {},
      "leave out --label-weight or --labels",
    );
  }
  const spans = examplesOf(sets).reduce((sum, { labelled = [] }) => sum + labelled.length, 0);
  checkCategories(inducedLabels, spans);
}

/** The data sets with votes, from the run's folder or newly induced; undefined if the run was stopped. */
export async function induceSets(
  out: string,
  { sets, start, config, settings }: InduceInputs,
  options: InduceSetsOptions,
): Promise<readonly DataSet[] | undefined> {
  const { inducedLabels: count } = settings;
  if (count === undefined) return sets;
  const file = join(trainingFolder(out), VOTES);
  const saved = await readFile(file, "utf8").catch(() => undefined);
  if (saved !== undefined) return withVotes(sets, parseVotes(saved));
  options.onNote?.(`clustering brackets into ${count} categories`);
  const stopped = new Error("stopped");
  const checkStop = () => {
    if (options.isStopped?.()) throw stopped;
  };
  const model = await startingModel(start, config, settings, options);
  try {
    const sentences = examplesOf(sets).map(toSentence);
    const sample = new SentenceSample(settings.seed);
    for (const sentence of sentences) sample.add(sentence);
    const categories = await Categories.induce(model, sample.sentences, count, {
      seed: settings.seed,
      onRound: checkStop,
    });
    const votes: LabelledSpan[][] = [];
    for (let at = 0; at < sentences.length; at += WINDOW) {
      checkStop();
      votes.push(...(await categories.label(model, sentences.slice(at, at + WINDOW))));
    }
    await writeWhole(join(out, CATEGORIES), categoriesText(categories.descriptions));
    // Last, because it says that the categories are there.
    await writeWhole(file, votes.map((each) => `${JSON.stringify(each)}\n`).join(""));
    return withVotes(sets, votes);
  } catch (error) {
    if (error === stopped) return undefined;
    throw error;
  } finally {
    await model.close();
  }
}

export interface InduceSetsOptions extends SessionOptions {
  readonly onNote?: ((note: string) => void) | undefined;
  readonly isStopped?: (() => boolean) | undefined;
}

export interface InduceInputs {
  readonly sets: readonly DataSet[];
  readonly start: Start;
  readonly config: ModelConfig;
  readonly settings: TrainSettings;
}

/** The model before its first step, without labels. */
async function startingModel(
  start: Start,
  { labels: _, ...config }: ModelConfig,
  settings: TrainSettings,
  options: SessionOptions,
): Promise<SpanModel> {
  const store = new ParameterStore(modelTape(config, { training: false }).parameters);
  await start.fill(store, new Random(settings.seed * 3), settings);
  const wordPieces = await readWordPieces(start.tokenizer);
  const weight = (name: string) => store.value(name);
  return SpanModel.fromWeights(config, wordPieces, weight, { ...options, vectors: true });
}

function examplesOf(sets: readonly DataSet[]): Example[] {
  return sets.flatMap(({ examples, validation }) => [...examples, ...validation]);
}

function toSentence({ words, labelled = [] }: Example): SpannedSentence {
  return { words, spans: labelled };
}

function parseVotes(text: string): LabelledSpan[][] {
  const lines = text.trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as LabelledSpan[]);
}

function withVotes(sets: readonly DataSet[], votes: readonly LabelledSpan[][]): DataSet[] {
  let next = 0;
  const labelled = (example: Example): Example => ({ ...example, labelled: votes[next++] ?? [] });
  return sets.map((set) => {
    const examples = set.examples.map(labelled);
    return { ...set, examples, validation: set.validation.map(labelled) };
  });
}
