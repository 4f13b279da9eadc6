/** Writes a model folder. Kept apart from reading one, which is all that parsing needs. */

import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../files/folder.js";
import { writeWhole } from "../files/output.js";
import { safetensorsBytes } from "../safetensors/writer.js";
import type { Parameter } from "../tensor/index.js";
import { type LabelNames, type ModelConfig, modelConfigToJson } from "./config.js";
import { describeFile, type ModelFolder } from "./folder.js";
import { roundTensor } from "./rounded.js";
import { FILES, type FileDescription, MANIFEST } from "./source.js";
import { TRAINED_ON, trainedOnText } from "./trained-on.js";

export interface SavedModel {
  readonly config: ModelConfig;
  readonly parameters: readonly Parameter[];
  readonly weight: (parameter: string) => Float32Array;
  /** The path of the tokenizer.json to copy, or the contents of a new one. */
  readonly tokenizer: string | { readonly json: string };
  /** The model card, in Markdown. */
  readonly card: string;
  /** Hashes of the sentences whose gold trees it was trained on; see trained-on.ts. */
  readonly trainedOn?: ReadonlySet<string> | undefined;
  /** How numbers are stored; `I8` is for linear weights and embeddings, and `F16` for the others. */
  readonly type?: "F16" | "F32" | "I8" | undefined;
}

export async function saveModel(folder: string, model: SavedModel): Promise<void> {
  await makeFolder(folder);
  // Until the new manifest is there the folder holds files of two models.
  await rm(join(folder, MANIFEST), { force: true });
  const path = (name: keyof typeof FILES) => join(folder, FILES[name]);
  await writeWhole(path("config"), `${JSON.stringify(modelConfigToJson(model.config), null, 2)}\n`);
  const { tokenizer, type = "F16" } = model;
  const pieces = typeof tokenizer === "string" ? await readFile(tokenizer) : tokenizer.json;
  await writeWhole(path("tokenizer"), pieces);
  const tensors = model.parameters.map(({ name, shape }) => ({
    name,
    shape,
    data: model.weight(name),
  }));
  const bytes =
    type === "I8"
      ? safetensorsBytes(tensors.flatMap(roundTensor), { type: "F16" })
      : safetensorsBytes(tensors, { type });
  await writeWhole(path("weights"), bytes);
  await writeWhole(path("card"), model.card);
  if (model.trainedOn?.size) {
    await writeWhole(join(folder, TRAINED_ON), trainedOnText(model.trainedOn));
  } else {
    await rm(join(folder, TRAINED_ON), { force: true });
  }
  await writeManifest(folder, model.config.labels?.names);
}

/** Describes the files of a folder, which is a model from then on. */
export async function writeManifest(folder: string, names?: LabelNames): Promise<void> {
  const files: Record<string, FileDescription> = {};
  for (const name of Object.values(FILES)) files[name] = await describeFile(join(folder, name));
  if (existsSync(join(folder, TRAINED_ON))) {
    files[TRAINED_ON] = await describeFile(join(folder, TRAINED_ON));
  }
  await replaceManifest(folder, files, names);
}

async function replaceManifest(
  folder: string,
  files: Readonly<Record<string, FileDescription>>,
  names: LabelNames | undefined,
): Promise<void> {
  const manifest = { files, ...(names ? { names } : {}) };
  await writeWhole(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Gives names to the labels of a model, in place of all that it had. */
export async function nameLabels(model: ModelFolder, names: LabelNames): Promise<void> {
  await replaceManifest(model.folder, Object.fromEntries(model.files), names);
}

/** Copies a model, file by file, into another folder. */
export async function copyModel(model: ModelFolder, folder: string): Promise<void> {
  await makeFolder(folder);
  await rm(join(folder, MANIFEST), { force: true });
  if (!model.files.has(TRAINED_ON)) await rm(join(folder, TRAINED_ON), { force: true });
  for (const name of model.files.keys()) {
    await writeWhole(join(folder, name), await readFile(join(model.folder, name)));
  }
  await writeManifest(folder, model.config.labels?.names);
}
