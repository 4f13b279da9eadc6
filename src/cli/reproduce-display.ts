/** The output of `bracken reproduce`: the plan of its runs, and their progress on standard error. */

import { alignColumns } from "../display/columns.js";
import { clearStatus, StepStatus } from "../display/status-line.js";
import type { WorkFailure } from "../errors.js";
import type { DataRecipe, PreparedData } from "../experiments/data.js";
import { estimateSeconds, type Watcher } from "../experiments/reproduce.js";
import type { RunStatus } from "../experiments/runs.js";
import type { StepRecord } from "../training/log-record.js";
import { styleError } from "./style.js";

/** The answer to --dry-run. */
export function describePlan(
  data: readonly { recipe: DataRecipe; prepared: PreparedData | undefined }[],
  runs: readonly RunStatus[],
  steps: number,
): string {
  const rows = [
    ...data.map(({ recipe, prepared }) => [
      `data ${recipe.name}`,
      prepared ? describeData(prepared) : `to be made from ${recipe.files.length} files`,
    ]),
    ...runs.map((run) => [nameOf(run), describeState(run, steps)]),
  ];
  if (runs.length === 0) return alignColumns(rows);
  const left = runs.filter(({ scores }) => !scores).length;
  const estimate = estimateSeconds(runs, steps);
  const time = estimate === undefined || left === 0 ? "" : `, about ${duration(estimate)}`;
  return `${alignColumns(rows)}\n\n${left} of ${runs.length} runs to do${time}`;
}

function describeData({ sentences, trainingSentences, excluded }: PreparedData): string {
  const left = excluded > 0 ? `, ${excluded} left out for standing in the gold treebank` : "";
  return `${sentences} sentences, ${trainingSentences} to learn from${left}`;
}

function describeState({ model, scores, step, description }: RunStatus, steps: number): string {
  if (scores) return "done";
  if (model) return "trained, to be measured";
  return description ? `begun, at step ${step} of ${steps}` : `to do, ${steps} steps`;
}

function nameOf({ setting, seed }: RunStatus): string {
  return `${setting.name} seed ${seed}`;
}

export function duration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return `${Math.ceil(seconds)} s`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Of each run, where standard error is no terminal. */
const LINES = 10;

/** A line that is written over on a terminal; elsewhere one now and then. */
export class RunDisplay implements Watcher {
  readonly #steps: number;
  readonly isStopped: () => boolean;
  #all: RunStatus[] = [];
  #current: RunStatus | undefined;
  #status: StepStatus;

  constructor(steps: number, isStopped: () => boolean) {
    this.#steps = steps;
    this.#status = new StepStatus(steps, LINES);
    this.isStopped = isStopped;
  }

  data(prepared: PreparedData): void {
    this.#say(`${prepared.name}: ${describeData(prepared)}`);
  }

  training(run: RunStatus, all: readonly RunStatus[]): void {
    if (this.#all.length === 0) this.#all = [...all];
    this.#current = run;
    this.#status = new StepStatus(this.#steps, LINES, run.step);
    const number = this.#all.findIndex(({ folder }) => folder === run.folder) + 1;
    const from = run.step > 0 ? ` continues after step ${run.step}` : "";
    this.#say(`run ${number} of ${this.#all.length}: ${nameOf(run)}${from}`);
  }

  step({ step, loss, seconds }: StepRecord): void {
    const current = this.#current as RunStatus;
    const now = { ...current, step, spent: { seconds, steps: step } };
    this.#all = this.#all.map((run) => (run.folder === current.folder ? now : run));
    const left = estimateSeconds(this.#all, this.#steps) ?? 0;
    const own = (seconds / step) * (this.#steps - step);
    const line = [
      `${nameOf(current)}  step ${step}/${this.#steps}`,
      `loss ${loss.toFixed(3)}`,
      `${duration(own)} left`,
      `all runs ${duration(left)}`,
    ].join("  ");
    this.#status.show(step, line);
    if (step === this.#steps) this.#finish(current);
  }

  measured(run: RunStatus): void {
    this.#say(`${nameOf(run)}: sentence F1 ${run.scores?.sentenceF1.toFixed(2)}`);
  }

  failed(run: RunStatus, failure: WorkFailure): void {
    this.#say(`${styleError("failed:")} ${nameOf(run)}: ${failure.message}`);
  }

  stopped(run: RunStatus, step: number): void {
    this.#say(`stopped at step ${step} of ${nameOf(run)}; the same command continues from there`);
  }

  /** From here on it takes no more time, whatever its state was at the beginning. */
  #finish({ folder }: RunStatus): void {
    this.#all = this.#all.map((run) =>
      run.folder === folder ? { ...run, model: run.model ?? "finished" } : run,
    );
  }

  #say(text: string): void {
    clearStatus();
    process.stderr.write(`${text}\n`);
  }
}
