/**
 * Everything that a run needs to continue as if it had not been stopped: parameters, Adam's moments,
 * averages, the step, and the states of all random numbers. A checkpoint is a pair of files; the small
 * one with the numbers is written last, so if it exists, the checkpoint is complete. Only then is the
 * previous one removed.
 */

import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../errors.js";
import { writeWhole } from "../files/output.js";
import type { RandomState } from "../random.js";
import { openSafetensors } from "../safetensors/open.js";
import { type FloatTensor, safetensorsBytes } from "../safetensors/writer.js";
import type { Parameter } from "../tensor/index.js";
import type { ParameterStore } from "../tensor/train.js";
import type { SamplerState } from "./sampler.js";

export interface CheckpointState {
  readonly step: number;
  /** How many steps changed the parameters, which Adam's bias correction counts. */
  readonly updates: number;
  readonly seconds: number;
  readonly dropout: RandomState;
  readonly sampler: SamplerState;
}

const STATE = /^checkpoint-(\d+)\.json$/;

export async function saveCheckpoint(
  folder: string,
  store: ParameterStore,
  state: CheckpointState,
  averages: boolean,
): Promise<void> {
  const stem = join(folder, `checkpoint-${state.step}`);
  const tensors = checkpointTensors(store, averages);
  await writeWhole(`${stem}.safetensors`, safetensorsBytes(tensors, { type: "F32" }));
  await writeWhole(`${stem}.json`, JSON.stringify(state));
  for (const { step } of await listCheckpoints(folder)) {
    if (step !== state.step) await removeCheckpoint(folder, step);
  }
}

/** Restores the newest checkpoint into the store; undefined if there is none. */
export async function loadCheckpoint(
  folder: string,
  store: ParameterStore,
  averages: boolean,
): Promise<CheckpointState | undefined> {
  const newest = (await listCheckpoints(folder)).at(-1);
  if (!newest) return undefined;
  const stem = join(folder, `checkpoint-${newest.step}`);
  const file = await openSafetensors(`${stem}.safetensors`);
  try {
    for (const { name, data } of checkpointTensors(store, averages)) await file.read(name, data);
  } finally {
    await file.close();
  }
  try {
    return JSON.parse(await readFile(`${stem}.json`, "utf8")) as CheckpointState;
  } catch {
    throw new InputError(
      "the checkpoint cannot be read",
      { file: `${stem}.json` },
      "remove the folder and train again",
    );
  }
}

/** The step of the newest checkpoint; 0 if there is none. */
export async function checkpointStep(folder: string): Promise<number> {
  return (await listCheckpoints(folder)).at(-1)?.step ?? 0;
}

/** Gives the space back once the model is saved. */
export async function removeCheckpoints(folder: string): Promise<void> {
  for (const { step } of await listCheckpoints(folder)) await removeCheckpoint(folder, step);
}

async function listCheckpoints(folder: string): Promise<{ step: number }[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .flatMap((name) => {
      const step = STATE.exec(name)?.[1];
      return step === undefined ? [] : [{ step: Number(step) }];
    })
    .sort((a, b) => a.step - b.step);
}

/** The small file goes first: without it the large one is no checkpoint. */
async function removeCheckpoint(folder: string, step: number): Promise<void> {
  await rm(join(folder, `checkpoint-${step}.json`), { force: true });
  await rm(join(folder, `checkpoint-${step}.safetensors`), { force: true });
}

function checkpointTensors(store: ParameterStore, averages: boolean): FloatTensor[] {
  return store.trainable.flatMap(({ name, shape }: Parameter) => [
    { name: `value/${name}`, shape, data: store.value(name) },
    { name: `first/${name}`, shape, data: store.firstMoment(name) },
    { name: `second/${name}`, shape, data: store.secondMoment(name) },
    ...(averages ? [{ name: `average/${name}`, shape, data: store.average(name) }] : []),
  ]);
}
