/** Names for models: the one that comes with bracken is found without a path. */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { InputError } from "../errors.js";
import { MANIFEST } from "./source.js";

/** The models that are part of the package, the default one first. */
export const BUNDLED_MODELS = ["bracken-en"] as const;

/** The folder of a model: `default`, the name of a bundled one, or a path. */
export async function findModel(name = "default"): Promise<string> {
  const bundled = name === "default" ? BUNDLED_MODELS[0] : BUNDLED_MODELS.find((it) => it === name);
  const folder = bundled
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
    `name a model folder, or one of the bundled models: default, ${BUNDLED_MODELS.join(", ")}`,
  );
}

/** Whether a path is a folder with a model in it. */
export async function isModelFolder(path: string): Promise<boolean> {
  return stat(join(path, MANIFEST)).then(
    (found) => found.isFile(),
    () => false,
  );
}
