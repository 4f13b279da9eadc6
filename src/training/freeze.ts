/** Which parameters a run leaves as they are: the embeddings and the lower layers of the encoder. */

import { InputError } from "../errors.js";
import type { ModelConfig } from "../model/config.js";
import type { TrainSettings } from "./settings.js";

/** Refuses to freeze more layers than the model has. */
export function checkFreeze(
  { freeze }: Pick<TrainSettings, "freeze">,
  { layers }: ModelConfig,
): void {
  if (freeze === undefined || (Number.isInteger(freeze) && freeze >= 0 && freeze <= layers)) return;
  throw new InputError(
    `the model has ${layers} layers: ${freeze} cannot be frozen`,
    {},
    `use --freeze with a number from 0 to ${layers}`,
  );
}

/** Whether a parameter is not updated. */
export function isFrozen(parameter: string, { freeze }: Pick<TrainSettings, "freeze">): boolean {
  if (freeze === undefined) return false;
  const layer = /^encoder\.layer\.(\d+)\./.exec(parameter)?.[1];
  return layer === undefined ? parameter.startsWith("embeddings.") : Number(layer) < freeze;
}
