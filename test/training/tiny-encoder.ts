/** A BERT small enough to train within a test, with words for pieces and random weights. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isPretrained } from "../../src/encoder/weights.js";
import { writeWhole } from "../../src/files/output.js";
import { newModelConfig } from "../../src/model/config.js";
import { modelTape } from "../../src/model/graph.js";
import { Random } from "../../src/random.js";
import { safetensorsBytes } from "../../src/safetensors/writer.js";
import { ParameterStore } from "../../src/tensor/train.js";

export const WORDS = [
  "the",
  "a",
  "old",
  "red",
  "man",
  "dog",
  "sat",
  "ran",
  "on",
  "by",
  "bench",
  "door",
  ".",
];

export const TINY_CONFIG = {
  model_type: "bert",
  hidden_act: "gelu",
  hidden_size: 16,
  num_hidden_layers: 2,
  num_attention_heads: 2,
  intermediate_size: 32,
  max_position_embeddings: 32,
  type_vocab_size: 2,
  vocab_size: 5 + WORDS.length,
  layer_norm_eps: 1e-12,
};

export async function writeTinyEncoder(
  folder: string,
  change?: (weights: Float32Array) => void,
): Promise<string> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.json"), JSON.stringify(TINY_CONFIG));
  const vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ...WORDS];
  const tokenizer = {
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(vocabulary.map((word, index) => [word, index])),
    },
    normalizer: {
      type: "BertNormalizer",
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: null,
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
    added_tokens: [],
  };
  writeFileSync(join(folder, "tokenizer.json"), JSON.stringify(tokenizer));
  const tape = modelTape(newModelConfig(TINY_CONFIG), { training: true });
  const parameters = tape.parameters.filter(({ name }) => isPretrained(name));
  const store = new ParameterStore(parameters);
  store.initialise(new Random(11));
  const tensors = parameters.map(({ name, shape }) => ({ name, shape, data: store.value(name) }));
  change?.(tensors[0]?.data as Float32Array);
  const bytes = safetensorsBytes(tensors, { type: "F32" });
  await writeWhole(join(folder, "model.safetensors"), bytes);
  return folder;
}

/** Sentences of one grammar: noun phrase, verb, preposition, noun phrase; both noun phrases marked. */
export function tinyData(sentences: number, seed = 1): string {
  const random = new Random(seed);
  const pick = (from: readonly string[]) => from[random.below(from.length)] as string;
  const lines: string[] = [];
  for (let index = 0; index < sentences; index++) {
    const tokens: string[] = [];
    const brackets: [number, number][] = [];
    const nounPhrase = () => {
      const begin = tokens.length;
      tokens.push(pick(["the", "a"]));
      if (random.coin()) tokens.push(pick(["old", "red"]));
      tokens.push(pick(["man", "dog", "bench", "door"]));
      brackets.push([begin, tokens.length]);
    };
    nounPhrase();
    tokens.push(pick(["sat", "ran"]), pick(["on", "by"]));
    nounPhrase();
    brackets.push([(brackets[1]?.[0] ?? 1) - 1, tokens.length]);
    tokens.push(".");
    lines.push(JSON.stringify({ tokens, brackets, source: "tiny", id: `${index}` }));
  }
  return `${lines.join("\n")}\n`;
}
