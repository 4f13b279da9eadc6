// A model and an encoder so small that a fault campaign can run them hundreds of times.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newModelConfig } from "../../dist/model/config.js";
import { modelTape } from "../../dist/model/graph.js";
import { saveModel } from "../../dist/model/save.js";
import { Random } from "../../dist/random.js";
import { safetensorsBytes } from "../../dist/safetensors/writer.js";
import { ParameterStore } from "../../dist/tensor/train.js";

export const WORDS = "the a old man dog sat ran by door red . , and".split(" ");

const CONFIG = {
  model_type: "bert",
  hidden_act: "gelu",
  hidden_size: 8,
  num_hidden_layers: 1,
  num_attention_heads: 2,
  intermediate_size: 16,
  max_position_embeddings: 64,
  type_vocab_size: 2,
  vocab_size: WORDS.length + 5,
};

const TOKENIZER = {
  version: "1.0",
  added_tokens: [],
  normalizer: { type: "BertNormalizer", lowercase: true, clean_text: true, strip_accents: null },
  pre_tokenizer: { type: "BertPreTokenizer" },
  post_processor: null,
  decoder: { type: "WordPiece", prefix: "##", cleanup: true },
  model: {
    type: "WordPiece",
    unk_token: "[UNK]",
    continuing_subword_prefix: "##",
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(
      ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ...WORDS].map((word, at) => [word, at]),
    ),
  },
};

/** Writes an encoder and a model; both are folders. */
export async function writeTiny(folder) {
  const encoder = join(folder, "encoder");
  mkdirSync(encoder, { recursive: true });
  writeFileSync(join(encoder, "config.json"), JSON.stringify(CONFIG));
  writeFileSync(join(encoder, "tokenizer.json"), JSON.stringify(TOKENIZER));
  const config = newModelConfig(CONFIG, {
    decoding: "phrases",
    labels: { classes: ["-", "NP", "VP", "S+VP"] },
  });
  const { parameters } = modelTape(config, { training: true });
  const store = new ParameterStore(parameters);
  store.initialise(new Random(3));
  const pretrained = parameters.filter(({ name }) => /^(embeddings|encoder)\./.test(name));
  const tensors = pretrained.map(({ name, shape }) => ({ name, shape, data: store.value(name) }));
  const bytes = safetensorsBytes(tensors, { type: "F32" });
  writeFileSync(join(encoder, "model.safetensors"), Buffer.concat([...bytes]));
  const model = join(folder, "model");
  await saveModel(model, {
    config,
    parameters,
    weight: (name) => store.value(name),
    tokenizer: join(encoder, "tokenizer.json"),
    card: "# Tiny\n",
  });
  return { encoder, model };
}
