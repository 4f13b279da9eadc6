/** Finds models by name, so that the bundled one needs no path. */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { InputError } from "../errors.js";
import { MANIFEST } from "./source.js";

/** The models in the package, the default one first. */
export const BUNDLED_MODELS = ["bracken-en"] as const;

/**
 * The folder of a model.
 *
 * @param name `default`, the name of a bundled model, or a path.
 * @throws InputError if there is no such folder.
 */
export async function findModel(name = "default"): Promise<string> {
  const bundled = name === "default" ? BUNDLED_MODELS[0] : name;
  const folder = isBundled(name)
    ? fileURLToPath(new URL(`../../models/${bundled}`, import.meta.url))
    : name;
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) return folder;
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

/** Whether a path is a folder with a model in it. */
export async function isModelFolder(path: string): Promise<boolean> {
  return stat(join(path, MANIFEST)).then(
    (found) => found.isFile(),
    () => false,
  );
}
