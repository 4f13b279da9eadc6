/** A model folder with random weights: it parses badly, but the same way every time. */

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelOptions, newModelConfig } from "../../src/model/config.js";
import { modelTape } from "../../src/model/graph.js";
import { saveModel } from "../../src/model/save.js";
import { Random } from "../../src/random.js";
import { ParameterStore } from "../../src/tensor/train.js";
import { TINY_CONFIG, writeTinyEncoder } from "../training/tiny-encoder.js";

/** For models that name phrases, chains included. */
export const TINY_LABELS = { classes: ["-", "NP", "VP", "S+VP", "PP", "S"] };

export async function writeTinyModel(folder: string, options: ModelOptions = {}): Promise<string> {
  const encoder = await writeTinyEncoder(join(folder, "encoder"));
  const model = join(folder, "model");
  const config = newModelConfig(TINY_CONFIG, options);
  const { parameters } = modelTape(config, { training: true });
  const store = new ParameterStore(parameters);
  store.initialise(new Random(3));
  await saveModel(model, {
    config,
    parameters,
    weight: (name) => store.value(name),
    tokenizer: join(encoder, "tokenizer.json"),
    card: "# Card\n",
  });
  return model;
}

/** Changes a file of a model and makes the manifest true again, as if the model had been made so. */
export function remake(model: string, file: string, change: (text: string) => string): void {
  const text = change(readFileSync(join(model, file), "utf8"));
  writeFileSync(join(model, file), text);
  const path = join(model, "manifest.json");
  const manifest = JSON.parse(readFileSync(path, "utf8"));
  const sha256 = createHash("sha256").update(text).digest("hex");
  manifest.files[file] = { bytes: Buffer.byteLength(text), sha256 };
  writeFileSync(path, JSON.stringify(manifest));
}
