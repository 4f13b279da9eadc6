/** The served models: their names, their descriptions, and the files that a browser may fetch. */

import { basename, resolve } from "node:path";
import { InputError } from "../errors.js";
import { findModel, installedModels, isPackaged } from "../model/find-model.js";
import { ModelFolder } from "../model/folder.js";
import { labelsOf } from "../parser/phrases.js";
import type { ModelRecord } from "./wire.js";

/** A model as clients see it, with its folder. */
export interface ServedModel extends Omit<ModelRecord, "files"> {
  readonly folder: string;
  /** Those of the manifest; routes add the addresses. */
  readonly files: readonly Omit<ModelRecord["files"][number], "url">[];
}

/** The models to serve: those that are named, or all that are installed. */
export function servedNames(named: readonly string[] | undefined): readonly string[] {
  return named ?? installedModels();
}

/** The models by those names or in those folders, checked; each is served under its folder's name. */
export async function openModels(names: readonly string[]): Promise<ServedModel[]> {
  const models: ServedModel[] = [];
  for (const given of names) {
    const model = await openModel(given);
    if (models.some(({ name }) => name === model.name)) {
      throw new InputError(
        `two models are called ${model.name}`,
        { file: given },
        "models are served under the names of their folders: rename one",
      );
    }
    models.push(model);
  }
  return models;
}

async function openModel(given: string): Promise<ServedModel> {
  const folder = resolve(await findModel(given));
  const { config, files } = await ModelFolder.open(folder);
  return {
    // The folder of an npm package is called `model`.
    name: isPackaged(given) ? given : basename(folder),
    folder,
    language: config.language,
    languages: config.languages,
    layers: config.layers,
    width: config.bert.hiddenSize,
    labels: labelsOf([config]),
    // A manifest is untrusted: its names must not lead out of the folder.
    files: [...files]
      .filter(([name]) => /^\w[\w.-]*$/.test(name))
      .map(([name, { bytes, sha256 }]) => ({ name, bytes, sha256 })),
  };
}
