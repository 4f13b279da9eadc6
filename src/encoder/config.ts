/**
 * The shape of a BERT model, from its config.json. RoBERTa and its multilingual kin are the same network; only their
 * places are counted from the number of the padding token on.
 */

import { InputError } from "../errors.js";

/** The shape of a BERT model; the names in config.json are in brackets. */
export interface BertConfig {
  /** The size of its vectors (`hidden_size`). */
  readonly hiddenSize: number;
  /** The number of layers (`num_hidden_layers`). */
  readonly layers: number;
  /** Attention heads per layer (`num_attention_heads`). */
  readonly heads: number;
  /** The size of the vectors inside the feed-forward layers (`intermediate_size`). */
  readonly intermediateSize: number;
  /** Added to the variance in layer normalisation (`layer_norm_eps`). */
  readonly layerNormEpsilon: number;
  /** The number of places that it has vectors for (`max_position_embeddings`). */
  readonly positions: number;
  /** The number of the first place: 0, in RoBERTa `pad_token_id` + 1. */
  readonly firstPosition: number;
  /** The most pieces it can take at once. */
  readonly maximumPieces: number;
  /** The number of segment types (`type_vocab_size`). */
  readonly typeVocabularySize: number;
  /** The number of pieces it knows (`vocab_size`). */
  readonly vocabularySize: number;
  /** Dropout of hidden vectors in training (`hidden_dropout_prob`). */
  readonly hiddenDropout: number;
  /** Dropout of attention weights in training (`attention_probs_dropout_prob`). */
  readonly attentionDropout: number;
}

const ROBERTA: ReadonlySet<unknown> = new Set(["roberta", "xlm-roberta", "camembert"]);

export function parseConfig(parsed: unknown, file?: string): BertConfig {
  if (typeof parsed !== "object" || parsed === null) {
    throw new InputError("not a JSON object", { file });
  }
  const fields = parsed as Readonly<Record<string, unknown>>;
  const expect = (name: string, expected: string) => {
    const found = fields[name] ?? expected;
    if (found === expected) return;
    throw new InputError(`"${name}" is ${JSON.stringify(found)}; only "${expected}" is supported`, {
      file,
    });
  };
  const kind = fields.model_type ?? "bert";
  if (kind !== "bert" && !ROBERTA.has(kind)) {
    throw new InputError(
      `"model_type" is ${JSON.stringify(kind)}; only "bert", ${[...ROBERTA].map((name) => `"${name}"`).join(", ")} are supported`,
      { file },
    );
  }
  expect("hidden_act", "gelu");
  expect("position_embedding_type", "absolute");
  const positions = count(fields, "max_position_embeddings", file);
  const firstPosition = ROBERTA.has(kind) ? place(fields, "pad_token_id", 1, file) + 1 : 0;
  if (firstPosition + 2 >= positions) {
    throw new InputError('"max_position_embeddings" leaves no place for a piece', { file });
  }
  const config: BertConfig = {
    hiddenSize: count(fields, "hidden_size", file),
    layers: count(fields, "num_hidden_layers", file),
    heads: count(fields, "num_attention_heads", file),
    intermediateSize: count(fields, "intermediate_size", file),
    layerNormEpsilon: share(fields, "layer_norm_eps", 1e-12, file),
    positions,
    firstPosition,
    maximumPieces: positions - firstPosition,
    typeVocabularySize: count(fields, "type_vocab_size", file),
    vocabularySize: count(fields, "vocab_size", file),
    hiddenDropout: share(fields, "hidden_dropout_prob", 0.1, file),
    attentionDropout: share(fields, "attention_probs_dropout_prob", 0.1, file),
  };
  if (config.hiddenSize % config.heads !== 0) {
    throw new InputError('"hidden_size" is not a multiple of "num_attention_heads"', { file });
  }
  checkSize(config, file);
  return config;
}

/** Far beyond every BERT: larger numbers are a mistake, and would fill the memory. */
const MOST_LAYERS = 1000;
const MOST_PARAMETERS = 4e9;

function checkSize(config: BertConfig, file: string | undefined): void {
  const { layers, hiddenSize, intermediateSize, vocabularySize, positions } = config;
  const embeddings = (vocabularySize + positions + config.typeVocabularySize) * hiddenSize;
  const layer = 4 * hiddenSize ** 2 + 2 * hiddenSize * intermediateSize;
  const parameters = embeddings + layers * layer;
  if (layers <= MOST_LAYERS && parameters <= MOST_PARAMETERS) return;
  throw new InputError(
    `it has ${layers} layers and ${parameters} parameters; at most ${MOST_LAYERS} and ` +
      `${MOST_PARAMETERS} are supported`,
    { file },
    "the file is damaged, or for another kind of model",
  );
}

type Fields = Readonly<Record<string, unknown>>;

function count(fields: Fields, name: string, file: string | undefined): number {
  const value = fields[name];
  if (Number.isInteger(value) && (value as number) > 0) return value as number;
  throw new InputError(`"${name}" must be a whole number above 0, not ${JSON.stringify(value)}`, {
    file,
  });
}

/** A whole number, 0 included. */
function place(fields: Fields, name: string, otherwise: number, file: string | undefined): number {
  const value = fields[name] ?? otherwise;
  if (Number.isInteger(value) && (value as number) >= 0) return value as number;
  throw new InputError(`"${name}" must be a whole number, not ${JSON.stringify(value)}`, { file });
}

function share(fields: Fields, name: string, otherwise: number, file: string | undefined): number {
  const value = fields[name] ?? otherwise;
  if (typeof value === "number" && value >= 0 && value < 1) return value;
  throw new InputError(`"${name}" must be a number from 0 to 1, not ${JSON.stringify(value)}`, {
    file,
  });
}
