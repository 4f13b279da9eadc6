/**
 * The output folder of a run: the finished model, and under `training/` the settings, the log and,
 * while the run lasts, its checkpoint. The settings decide whether a stopped run can be continued.
 */

import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../errors.js";
import { makeFolder } from "../files/folder.js";
import { type Lock, lockOutput } from "../files/lock.js";
import { writeWhole } from "../files/output.js";
import { removeAbandoned } from "../files/owner.js";
import { checkpointStep } from "./checkpoint.js";
import type { DataSet } from "./examples.js";
import type { TrainSettings } from "./settings.js";
import type { Origin } from "./start.js";

/** What a model was made from, written down beside it. */
export interface RunDescription extends Origin {
  readonly data: readonly {
    readonly name: string;
    readonly weight: number;
    readonly sha256: string;
    readonly sentences: number;
  }[];
  readonly settings: TrainSettings;
}

export function describeRun(
  origin: Origin,
  sets: readonly DataSet[],
  settings: TrainSettings,
): RunDescription {
  const data = sets.map(({ name, weight, hash, examples }) => ({
    name,
    weight,
    sha256: hash,
    sentences: examples.length,
  }));
  return { ...origin, data, settings };
}

export function trainingFolder(out: string): string {
  return join(out, "training");
}

/** What a model was made from, where its folder says so in a way that this version knows. */
export async function readDescription(out: string): Promise<RunDescription | undefined> {
  try {
    const text = await readFile(join(trainingFolder(out), "settings.json"), "utf8");
    const found = JSON.parse(text) as Partial<RunDescription> | null;
    const isKnown = Array.isArray(found?.data) && typeof found.settings === "object";
    return isKnown ? (found as RunDescription) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a run has made all its steps: its model is there and no checkpoint to go on from. */
export async function isRunFinished(out: string): Promise<boolean> {
  const hasModel = await stat(join(out, "manifest.json")).then(
    (found) => found.isFile(),
    () => false,
  );
  return hasModel && (await checkpointStep(trainingFolder(out))) === 0;
}

/**
 * Locks the folder, so that two runs never write to it at once, and writes the description into it. In
 * a folder with a run it must be the same, but for the number of steps, which may grow as long as there
 * is a checkpoint to go on from.
 */
export async function claimFolder(out: string, description: RunDescription): Promise<Lock> {
  await makeFolder(trainingFolder(out));
  const lock = await lockOutput(trainingFolder(out));
  try {
    for (const folder of [out, trainingFolder(out)]) await removeAbandoned({ in: folder });
    await writeDescription(out, description);
  } catch (error) {
    await lock.release();
    throw error;
  }
  return lock;
}

/** Locks a folder against runs while something else in it is changed; undefined where none was trained. */
export async function lockRun(out: string): Promise<Lock | undefined> {
  const folder = trainingFolder(out);
  const isThere = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isThere ? lockOutput(folder) : undefined;
}

async function writeDescription(out: string, description: RunDescription): Promise<void> {
  const file = join(trainingFolder(out), "settings.json");
  const text = describe(description);
  const found = await readFile(file, "utf8").catch(() => undefined);
  if (found === text) return;
  if (found !== undefined) {
    const before = await readDescription(out);
    const steps = before?.settings.steps ?? Number.POSITIVE_INFINITY;
    const { settings } = description;
    const grows = settings.steps > steps;
    if (!grows || found !== describe({ ...description, settings: { ...settings, steps } })) {
      throw new InputError(
        `another run is in this folder: ${firstDifference(found, text)}`,
        { file },
        "use the same options to continue it, or choose another --out",
      );
    }
    await checkCanGoOn(out, file);
  }
  await writeWhole(file, text);
}

function describe(description: RunDescription): string {
  return `${JSON.stringify(description, null, 2)}\n`;
}

async function checkCanGoOn(out: string, file: string): Promise<void> {
  if ((await checkpointStep(trainingFolder(out))) > 0) return;
  throw new InputError(
    "the run is finished, and its checkpoint is gone",
    { file },
    "use --keep-checkpoint for runs that you may want to continue",
  );
}

function firstDifference(found: string, wanted: string): string {
  const [before, now] = [found.split("\n"), wanted.split("\n")];
  const at = now.findIndex((line, index) => line !== before[index]);
  return `it has ${before[at]?.trim() ?? "nothing"} where this one has ${now[at]?.trim() ?? "nothing"}`;
}
