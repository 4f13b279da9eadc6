/** The models of a plan: wherever they are on a worker's machine, they must be the same. */

import { resolve } from "node:path";
import { InputError } from "../errors.js";
import { findModel, isBundled, isPackaged } from "../model/find-model.js";
import { ModelFolder } from "../model/folder.js";

export interface PlannedModel {
  /** The name of a bundled model, or the path of a folder. */
  readonly name: string;
  /** Equal only for models that give the same trees. */
  readonly identity: string;
}

/** Opens the models that a plan is made with. */
export async function openModels(names: readonly string[]): Promise<ModelFolder[]> {
  return Promise.all(names.map(async (name) => ModelFolder.open(await findModel(name))));
}

/** What the plan says of them: workers may be in another folder. */
export function describeModels(
  names: readonly string[],
  folders: readonly ModelFolder[],
): PlannedModel[] {
  return folders.map(({ identity }, index) => {
    const name = names[index] as string;
    return { name: isBundled(name) || isPackaged(name) ? name : resolve(name), identity };
  });
}

/**
 * Opens the models of a plan.
 *
 * @param elsewhere where they are, if not where they were when the plan was made.
 * @throws InputError if one is missing or is another.
 */
export async function openPlannedModels(
  planned: readonly PlannedModel[],
  elsewhere?: readonly string[] | undefined,
): Promise<ModelFolder[]> {
  if (elsewhere && elsewhere.length !== planned.length) {
    throw new InputError(
      `the plan has ${planned.length} models, and --model names ${elsewhere.length}`,
      {},
      "give as many as you gave to bracken plan, in the same order",
    );
  }
  const names = elsewhere ?? planned.map(({ name }) => name);
  const folders = await openModels(names);
  for (const [index, { identity }] of folders.entries()) {
    if (identity === planned[index]?.identity) continue;
    throw new InputError(
      "this is not the model that the plan was made with",
      { file: names[index] },
      "copy that model here, give its folder with --model, or make a new plan",
    );
  }
  return folders;
}
