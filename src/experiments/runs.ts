/**
 * One run of an experiment is a folder: a model from `bracken train`, and beside it its scores on a
 * gold treebank, with the hash of the model. What the folder has decides what is left to do.
 */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Evaluation, evaluateStreams, type LabelRecall } from "../evaluation/evaluate.js";
import { reportJson } from "../evaluation/report.js";
import { parseTreebank } from "../runs/parse-treebank.js";
import { checkpointStep } from "../training/checkpoint.js";
import { parseLog } from "../training/log-record.js";
import { isRunFinished, type RunDescription, trainingFolder } from "../training/run-folder.js";
import { readTreebank } from "../treebanks/read-treebank.js";
import { readCache, writeCache } from "./cache.js";
import type { Gold } from "./gold.js";
import type { PlannedRun } from "./schedules.js";

/** The paper's own way of scoring. */
export const PROTOCOL = "nob";

/** Percentages, and the counts that they are made from. */
export interface RunScores {
  readonly sentences: number;
  readonly sentenceF1: number;
  readonly corpusF1: number;
  readonly labels: readonly LabelRecall[];
}

export interface RunStatus extends PlannedRun {
  readonly folder: string;
  /** What it is made of, once it has begun. */
  readonly description: RunDescription | undefined;
  /** SHA-256 of the finished model's manifest, which has the hashes of its files. */
  readonly model: string | undefined;
  /** How far a run goes that is not finished. */
  readonly step: number;
  /** What training has taken so far, and how many steps that were. */
  readonly spent: { readonly seconds: number; readonly steps: number } | undefined;
  readonly scores: RunScores | undefined;
}

export function runFolder(out: string, { setting, seed }: PlannedRun): string {
  return join(out, setting.name, `seed-${seed}`);
}

export async function readRun(out: string, planned: PlannedRun, gold: Gold): Promise<RunStatus> {
  const folder = runFolder(out, planned);
  const training = trainingFolder(folder);
  const model = await modelHash(folder);
  const settings = await readFile(join(training, "settings.json"), "utf8").catch(() => undefined);
  return {
    ...planned,
    folder,
    description: settings === undefined ? undefined : (JSON.parse(settings) as RunDescription),
    model,
    step: await checkpointStep(training),
    spent: await timeSpent(join(training, "log.jsonl")),
    scores: model
      ? await readCache<RunScores>(scoresFile(folder, gold), scoresKey(model, gold))
      : undefined,
  };
}

async function modelHash(folder: string): Promise<string | undefined> {
  if (!(await isRunFinished(folder))) return undefined;
  const manifest = await readFile(join(folder, "manifest.json")).catch(() => undefined);
  return manifest && createHash("sha256").update(manifest).digest("hex");
}

/** The last line may be cut while the run goes on. */
async function timeSpent(log: string): Promise<RunStatus["spent"]> {
  const text = await readFile(log, "utf8").catch(() => "");
  const last = parseLog(text.slice(0, text.lastIndexOf("\n") + 1), log).at(-1);
  return last && { seconds: last.seconds, steps: last.step };
}

function scoresFile(folder: string, gold: Gold): string {
  return join(folder, `scores-${gold.hash.slice(0, 12)}.json`);
}

function scoresKey(model: string, gold: Gold): string {
  return `${PROTOCOL} ${gold.hash} ${model}`;
}

/** Measures a finished run, and keeps what came out. */
export async function measureRun({ folder, model }: RunStatus, gold: Gold): Promise<RunScores> {
  const predicted = parseTreebank(folder, readTreebank(gold.files));
  const [evaluation] = await evaluateStreams(readTreebank(gold.files), [predicted], PROTOCOL);
  return writeCache(
    scoresFile(folder, gold),
    scoresKey(model as string, gold),
    scoresOf(evaluation as Evaluation),
  );
}

function scoresOf(evaluation: Evaluation): RunScores {
  const { sentences, sentenceF1, corpusF1, labels = [] } = reportJson(evaluation, { labels: true });
  return { sentences, sentenceF1, corpusF1, labels };
}
