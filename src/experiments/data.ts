/**
 * The two data sets of the paper, made once from the raw files: `all.jsonl`, which Table 1 counts, and
 * `training.jsonl`, which the runs learn from. The latter has the paper's filters (at most 100 tokens,
 * at least one bracket of two or more), each sentence once, and no sentence of the gold treebank.
 */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { readBracketings } from "../brackets/read-bracketings.js";
import { toLine } from "../brackets/record.js";
import { BracketStatistics } from "../brackets/statistics.js";
import { statisticsJson } from "../brackets/statistics-report.js";
import { InputError } from "../errors.js";
import { extract } from "../extract/extract.js";
import type { ExtractReport } from "../extract/report.js";
import { jsonl } from "../extract/sources/jsonl.js";
import { makeFolder } from "../files/folder.js";
import { withOutput } from "../files/output.js";
import { TextInput } from "../files/text-input.js";
import { GoldTrees } from "../treebanks/gold-trees.js";
import { readCache, writeCache } from "./cache.js";
import { gatherAnswers, gatherLinks } from "./gather.js";
import { contentHash, fingerprint } from "./inputs.js";
import type { DataName } from "./paper-numbers.js";

export interface DataRecipe {
  readonly name: DataName;
  readonly files: readonly string[];
  /** Treebanks whose sentences are left out of what is learnt from. */
  readonly exclude: readonly string[];
  readonly folder: string;
}

export interface PreparedData {
  readonly name: DataName;
  /** The files to be counted and to be learnt from. */
  readonly all: string;
  readonly training: string;
  readonly trainingHash: string;
  readonly sentences: number;
  readonly trainingSentences: number;
  /** Sentences that were left out since they stand in the gold treebank. */
  readonly excluded: number;
}

/** Raised when the making of the data changes. */
const VERSION = 2;

/** What was made before; undefined if it is not there, or was made from something else. */
export async function findData(recipe: DataRecipe): Promise<PreparedData | undefined> {
  const found = await readCache<PreparedData>(recordFile(recipe), await recipeKey(recipe));
  const isThere = found && (await exists(found.all)) && (await exists(found.training));
  return isThere ? found : undefined;
}

export async function prepareData(recipe: DataRecipe): Promise<PreparedData> {
  const known = await findData(recipe);
  if (known) return known;
  const { name, files, folder } = recipe;
  await makeFolder(folder);
  const [all, training] = [join(folder, "all.jsonl"), join(folder, "training.jsonl")];
  const gather = name === "qasrl" ? gatherAnswers : gatherLinks;
  let sentences = 0;
  await withOutput(all, async (output) => {
    sentences = await gather(files, output);
  });
  const report = await writeTraining(recipe, all, training);
  if (report.written === 0) {
    throw new InputError(
      "no sentence in it has a bracket of two or more tokens",
      { file: files[0] },
      `check the files of --${name}`,
    );
  }
  return writeCache<PreparedData>(recordFile(recipe), await recipeKey(recipe), {
    name,
    all,
    training,
    trainingHash: await contentHash([training]),
    sentences,
    trainingSentences: report.written,
    excluded: report.dropped.get("excluded sentences") ?? 0,
  });
}

async function writeTraining(
  { exclude }: DataRecipe,
  all: string,
  training: string,
): Promise<ExtractReport> {
  const extraction = extract(all, {
    source: jsonl.name,
    exclude,
    maxTokens: 100,
    requireMulti: true,
  });
  await withOutput(training, async (output) => {
    for await (const record of extraction) await output.write(toLine(record));
  });
  return extraction.report;
}

function recordFile({ folder }: DataRecipe): string {
  return join(folder, "data.json");
}

async function recipeKey({ files, exclude, folder }: DataRecipe): Promise<string> {
  return [VERSION, folder, await fingerprint(files), await contentHash(exclude)].join(" ");
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

export type DataStatistics = ReturnType<typeof statisticsJson>;

/** The numbers of Table 1; those that compare with trees only where there are such. */
export async function countData(
  data: PreparedData,
  reference: readonly string[],
  folder: string,
): Promise<DataStatistics> {
  const key = `${VERSION} ${await fingerprint([data.all])} ${await contentHash(reference)}`;
  const file = join(folder, "statistics.json");
  const known = await readCache<DataStatistics>(file, key);
  if (known) return known;
  const trees = reference.length > 0 ? await GoldTrees.read(reference) : undefined;
  const statistics = new BracketStatistics();
  for await (const bracketing of readBracketings(new TextInput(data.all))) {
    statistics.add(bracketing, trees?.find(bracketing));
  }
  return writeCache(file, key, statisticsJson(statistics));
}
