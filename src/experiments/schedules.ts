/**
 * The paper's runs: four settings, each with several seeds, on one schedule. `paper` is the paper's
 * own; `short` differs only in length and learning rate, so that all settings take one evening on a few
 * processor cores. Nothing is chosen during or after training.
 */

import { PRESETS, type TrainSettings } from "../training/settings.js";
import type { DataName, SettingName } from "./paper-numbers.js";

export interface Setting {
  readonly name: SettingName;
  readonly data: DataName;
  readonly cost: "loose" | "strict";
}

/** In the order of the paper's tables. */
export const SETTINGS: readonly Setting[] = [
  { name: "qasrl-loose", data: "qasrl", cost: "loose" },
  { name: "qasrl-strict", data: "qasrl", cost: "strict" },
  { name: "wikipedia-loose", data: "wikipedia", cost: "loose" },
  { name: "wikipedia-strict", data: "wikipedia", cost: "strict" },
];

/** How many random runs the paper has of each setting. */
export const PAPER_SEEDS = 5;

export type ScheduleName = "paper" | "short";

const SHORT = { steps: 2_000, rate: 1e-4, decay: "linear" } as const;

/** Both warm up for the first tenth of the steps. */
const WARMUP_SHARE = 0.1;

export interface Schedule {
  readonly name: ScheduleName;
  readonly encoder: string;
  /** In place of the schedule's own; the rate is that of encoder and scorer alike, as in the paper. */
  readonly steps?: number | undefined;
  readonly rate?: number | undefined;
}

export function trainSettings(schedule: Schedule, setting: Setting, seed: number): TrainSettings {
  const base = schedule.name === "paper" ? PRESETS.paper : { ...PRESETS.paper, ...SHORT };
  const steps = schedule.steps ?? base.steps;
  const rate = schedule.rate ?? base.rate;
  return {
    ...base,
    cost: setting.cost,
    steps,
    warmup: Math.round(steps * WARMUP_SHARE),
    rate,
    headRate: rate,
    seed,
  };
}

/** A name for the folder of runs that belong into one table: `minilm-short`, `minilm-short-500-steps`. */
export function scheduleFolder({ name, encoder, steps, rate }: Schedule): string {
  const slug = (encoder.replace(/\/+$/, "").split("/").at(-1) ?? encoder).replace(/[^\w.]+/g, "-");
  return [
    slug,
    name,
    ...(steps === undefined ? [] : [`${steps}-steps`]),
    ...(rate === undefined ? [] : [`rate-${rate}`]),
  ].join("-");
}

export interface PlannedRun {
  readonly setting: Setting;
  readonly seed: number;
}

/** Seed 1 of all settings first, so that a table is whole early. */
export function planRuns(settings: readonly Setting[], seeds: number): PlannedRun[] {
  return Array.from({ length: seeds }, (_, index) =>
    settings.map((setting) => ({ setting, seed: index + 1 })),
  ).flat();
}
