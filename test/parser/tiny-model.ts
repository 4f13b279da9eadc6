/** A model folder with random weights: it parses badly, but the same way every time. */

import { join } from "node:path";
import { type ModelOptions, newModelConfig } from "../../src/parser/model-config.js";
import { saveModel } from "../../src/parser/model-folder.js";
import { modelTape } from "../../src/parser/model-graph.js";
import { Random } from "../../src/random.js";
import { ParameterStore } from "../../src/tensor/index.js";
import { TINY_CONFIG, writeTinyEncoder } from "../training/tiny-encoder.js";

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
