/**
 * BERT (Devlin et al. 2019) or RoBERTa of any size on the tape, under the parameter names that published weights
 * have. Hidden vectors are rows of one matrix, [rows*pieces, width] or [packed, width], so that every layer is one product.
 */

import {
  type AttentionInputs,
  add,
  attention,
  dropout,
  embed,
  gatherRows,
  gelu,
  hidingMask,
  layerNorm,
  linear,
  mix,
  type Packing,
  type Shape,
  type Tape,
  type Value,
} from "../tensor/index.js";
import type { BertConfig } from "./config.js";

export interface BertOptions {
  /** How many layers are kept, from the bottom: an inner layer is what remains on top. */
  readonly layers?: number | undefined;
  /** A learnt mix of all kept layers and the embeddings, instead of the top layer. */
  readonly mix?: boolean | undefined;
}

/** The graph's inputs; see `PieceBatch` and `PackedBatch` for what they hold. */
export interface BertInputs {
  readonly ids: Value;
  readonly positions: Value;
  readonly types: Value;
  /** Absent where no row is padded. */
  readonly seen?: Value | undefined;
  readonly words: Value;
  /** Present where the pieces are without padding. */
  readonly packing?: Packing | undefined;
}

export const ROWS = "rows";
export const PIECES = "pieces";
export const PACKED = "packed";
export const SENTENCES = "sentences";
export const WORDS = "words";

/** Without `padded`, all rows of a batch must have the same number of pieces. */
export function declareInputs(tape: Tape, { padded = true } = {}): BertInputs {
  const pieces = pieceInputs(tape, [ROWS, PIECES]);
  const seen = padded ? tape.input("seen", "float32", [ROWS, PIECES]) : undefined;
  return { ...pieces, seen, words: wordInput(tape) };
}

/** For batches without padding, as `packBatch` makes them. */
export function declarePackedInputs(tape: Tape, { heads }: Pick<BertConfig, "heads">): BertInputs {
  const pieces = pieceInputs(tape, [PACKED]);
  const seen = tape.input("seen", "float32", [ROWS, PIECES]);
  const packing = {
    padded: tape.input("padded", "int32", [ROWS, heads, PIECES]),
    packed: tape.input("packed", "int32", [PACKED, heads]),
  };
  return { ...pieces, seen, packing, words: wordInput(tape) };
}

function pieceInputs(tape: Tape, pieces: Shape): Pick<BertInputs, "ids" | "positions" | "types"> {
  return {
    ids: tape.input("ids", "int32", pieces),
    positions: tape.input("positions", "int32", pieces),
    types: tape.input("types", "int32", pieces),
  };
}

function wordInput(tape: Tape): Value {
  return tape.input("words", "int32", [SENTENCES, WORDS]);
}

/** How many layers the options keep. */
export function keptLayers(config: BertConfig, { layers = config.layers }: BertOptions): number {
  if (Number.isInteger(layers) && layers >= 0 && layers <= config.layers) return layers;
  throw new RangeError(`this BERT has ${config.layers} layers: cannot keep ${layers}`);
}

/** The vector of each piece, [rows*pieces, width] or [packed, width]. */
export function bert(
  tape: Tape,
  config: BertConfig,
  inputs: BertInputs,
  options: BertOptions = {},
): Value {
  const hidden = [tape.scope("embeddings", () => embeddings(tape, config, inputs))];
  const hiding = inputs.seen && hidingMask(tape, inputs.seen, [ROWS, 1, 1, PIECES]);
  const layers = keptLayers(config, options);
  for (let index = 0; index < layers; index++) {
    const below = hidden[index] as Value;
    hidden.push(
      tape.scope(`encoder.layer.${index}`, () =>
        layer(tape, config, below, { hiding, packing: inputs.packing }, index),
      ),
    );
  }
  if (!options.mix) return hidden.at(-1) as Value;
  return tape.scope("mix", () => {
    const weights = tape.parameter("mix.weights", [hidden.length], "zeros");
    return mix(tape, hidden, weights, tape.parameter("mix.factor", [1], "ones"));
  });
}

/** The vector of each word, which is that of its last piece: [sentences*words, width]. */
export function wordVectors(tape: Tape, pieces: Value, { words }: BertInputs): Value {
  return tape.scope("words", () => gatherRows(tape, pieces, words));
}

function embeddings(tape: Tape, config: BertConfig, inputs: BertInputs): Value {
  const table = (kind: string, entries: number, indices: Value) => {
    const name = `embeddings.${kind}_embeddings.weight`;
    return embed(tape, tape.parameter(name, [entries, config.hiddenSize], "glorot"), indices);
  };
  const words = table("word", config.vocabularySize, inputs.ids);
  const types = table("token_type", config.typeVocabularySize, inputs.types);
  const positions = table("position", config.positions, inputs.positions);
  const sum = add(tape, add(tape, words, types), positions);
  return dropout(tape, normed(tape, config, sum, "embeddings"), config.hiddenDropout);
}

function layer(
  tape: Tape,
  config: BertConfig,
  x: Value,
  padding: Pick<AttentionInputs, "hiding" | "packing">,
  index: number,
): Value {
  const { hiddenSize, intermediateSize, hiddenDropout } = config;
  const prefix = `encoder.layer.${index}`;
  const attended = tape.scope("attention", () => {
    const dense = (kind: string) =>
      layerDense(tape, x, `${prefix}.attention.self.${kind}`, hiddenSize);
    const triple = { query: dense("query"), key: dense("key"), value: dense("value"), ...padding };
    const shape = { rows: ROWS, pieces: PIECES, heads: config.heads };
    const context = attention(tape, triple, shape, config.attentionDropout);
    const output = layerDense(tape, context, `${prefix}.attention.output.dense`, hiddenSize);
    const sum = add(tape, dropout(tape, output, hiddenDropout), x);
    return normed(tape, config, sum, `${prefix}.attention.output`);
  });
  const wide = layerDense(tape, attended, `${prefix}.intermediate.dense`, intermediateSize);
  const narrow = layerDense(tape, gelu(tape, wide), `${prefix}.output.dense`, hiddenSize);
  const sum = add(tape, dropout(tape, narrow, hiddenDropout), attended);
  return normed(tape, config, sum, `${prefix}.output`);
}

function layerDense(tape: Tape, x: Value, name: string, width: number): Value {
  const weight = tape.parameter(`${name}.weight`, [width, x.shape[1] as number], "glorot");
  return linear(tape, x, weight, tape.parameter(`${name}.bias`, [width], "zeros"));
}

function normed(tape: Tape, config: BertConfig, x: Value, place: string): Value {
  const gamma = tape.parameter(`${place}.LayerNorm.weight`, [config.hiddenSize], "ones");
  const beta = tape.parameter(`${place}.LayerNorm.bias`, [config.hiddenSize], "zeros");
  return layerNorm(tape, x, gamma, beta, config.layerNormEpsilon);
}
