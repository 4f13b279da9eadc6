/**
 * Runs the paper's experiments one after the other. Whatever an earlier call has left is used: data
 * that is made, runs that are finished or begun, models that are measured.
 */

import { join } from "node:path";
import { WorkFailure } from "../errors.js";
import type { StepRecord } from "../training/log-record.js";
import { train } from "../training/train.js";
import { type DataRecipe, findData, type PreparedData, prepareData } from "./data.js";
import type { Gold } from "./gold.js";
import { findInputs, type NamedInputs } from "./inputs.js";
import type { DataName } from "./paper-numbers.js";
import { measureRun, type RunStatus, readRun } from "./runs.js";
import {
  type PlannedRun,
  planRuns,
  type Schedule,
  type Setting,
  scheduleFolder,
  trainSettings,
} from "./schedules.js";
import type { SettingResult } from "./tables.js";

export interface Experiment {
  readonly out: string;
  readonly inputs: NamedInputs;
  readonly gold: Gold;
  readonly schedule: Schedule;
  readonly settings: readonly Setting[];
  readonly seeds: number;
  readonly threads?: number | undefined;
  readonly checkpointEvery?: number | undefined;
}

/** Told what happens; asked whether to go on. */
export interface Watcher {
  isStopped(): boolean;
  data(prepared: PreparedData): void;
  /** Before a run is trained; `all` are the states of all runs as they were at the beginning. */
  training(run: RunStatus, all: readonly RunStatus[]): void;
  step(record: StepRecord): void;
  measured(run: RunStatus): void;
  failed(run: RunStatus, failure: WorkFailure): void;
}

export interface Outcome {
  /** The run that was stopped in the middle, and where. */
  readonly stopped?: { readonly run: RunStatus; readonly step: number };
  readonly failures: number;
}

export function dataNames(settings: readonly Setting[]): DataName[] {
  return [...new Set(settings.map(({ data }) => data))];
}

export async function dataRecipe(
  out: string,
  inputs: NamedInputs,
  name: DataName,
  exclude: readonly string[],
): Promise<DataRecipe> {
  const files = await findInputs(name, inputs);
  return { name, files, exclude, folder: join(out, "data", name) };
}

/** What there is of all runs. */
export async function readRuns(experiment: Experiment): Promise<RunStatus[]> {
  const { settings, seeds } = experiment;
  const states: RunStatus[] = [];
  for (const planned of planRuns(settings, seeds)) states.push(await readOne(experiment, planned));
  return states;
}

function readOne({ out, schedule, gold }: Experiment, planned: PlannedRun): Promise<RunStatus> {
  return readRun(join(out, scheduleFolder(schedule)), planned, gold);
}

/** Which data sets are ready, and which are still to be made. */
export async function findPrepared(
  experiment: Experiment,
): Promise<{ recipe: DataRecipe; prepared: PreparedData | undefined }[]> {
  const { out, inputs, gold, settings } = experiment;
  const found = [];
  for (const name of dataNames(settings)) {
    const recipe = await dataRecipe(out, inputs, name, gold.files);
    found.push({ recipe, prepared: await findData(recipe) });
  }
  return found;
}

export async function runExperiment(experiment: Experiment, watcher: Watcher): Promise<Outcome> {
  const data = new Map<DataName, PreparedData>();
  for (const { recipe } of await findPrepared(experiment)) {
    const prepared = await prepareData(recipe);
    data.set(recipe.name, prepared);
    watcher.data(prepared);
  }
  const all = await readRuns(experiment);
  let failures = 0;
  for (const run of all) {
    if (watcher.isStopped()) return { stopped: { run, step: run.step }, failures };
    try {
      const prepared = data.get(run.setting.data) as PreparedData;
      const step = await trainOne(experiment, run, prepared, watcher, all);
      if (step !== undefined) return { stopped: { run, step }, failures };
    } catch (error) {
      // A run that diverges must not keep the others from a long night's work.
      if (!(error instanceof WorkFailure)) throw error;
      failures += 1;
      watcher.failed(run, error);
      continue;
    }
    const trained = await readOne(experiment, run);
    if (trained.scores) continue;
    await measureRun(trained, experiment.gold);
    watcher.measured(await readOne(experiment, run));
  }
  return { failures };
}

/** Trains to the end; returns the step where it was stopped before. */
async function trainOne(
  { schedule, threads, checkpointEvery }: Experiment,
  run: RunStatus,
  data: PreparedData,
  watcher: Watcher,
  all: readonly RunStatus[],
): Promise<number | undefined> {
  const settings = trainSettings(schedule, run.setting, run.seed);
  if (run.model && isOf(run, data, schedule, settings)) return undefined;
  watcher.training(run, all);
  const { finished, step } = await train([data.training], run.folder, settings, {
    encoder: schedule.encoder,
    threads,
    checkpointEvery,
    isStopped: () => watcher.isStopped(),
    onRecord: (record) => watcher.step(record),
  });
  return finished ? undefined : step;
}

/** Whether a finished run is the requested one; otherwise `train` refuses its folder. */
function isOf(
  { description }: RunStatus,
  data: PreparedData,
  schedule: Schedule,
  settings: ReturnType<typeof trainSettings>,
): boolean {
  return (
    description?.encoder === schedule.encoder &&
    description.data.length === 1 &&
    description.data[0]?.sha256 === data.trainingHash &&
    JSON.stringify(description.settings) === JSON.stringify(settings)
  );
}

/** What is finished and measured, setting by setting. */
export function collectResults(
  { settings, schedule }: Pick<Experiment, "settings" | "schedule">,
  runs: readonly RunStatus[],
): SettingResult[] {
  return settings.map((setting) => {
    const own = runs.filter((run) => run.setting.name === setting.name);
    return {
      setting: setting.name,
      data: setting.data,
      cost: setting.cost,
      encoder: schedule.encoder,
      sentences: own.find(({ description }) => description)?.description?.data[0]?.sentences,
      runs: own.flatMap(({ seed, scores }) => (scores ? [{ seed, scores }] : [])),
    };
  });
}

/** Seconds that training will still take, by what it took so far; undefined before the first step. */
export function estimateSeconds(
  runs: readonly Pick<RunStatus, "model" | "step" | "spent">[],
  steps: number,
): number | undefined {
  let [seconds, done, left] = [0, 0, 0];
  for (const { model, step, spent } of runs) {
    seconds += spent?.seconds ?? 0;
    done += spent?.steps ?? 0;
    if (!model) left += steps - step;
  }
  return done === 0 ? undefined : (seconds / done) * left;
}
