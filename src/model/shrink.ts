/**
 * A smaller model to start a training from: fewer layers, narrower ones, fewer pieces. It keeps the weights that are
 * likely to matter most, and is a poor parser until it has been trained, best on the soft labels of the larger one.
 */

import type { PrunedPieces } from "../encoder/prune-pieces.js";
import { InputError } from "../errors.js";
import { type ModelConfig, newModelConfig } from "./config.js";
import type { ModelFolder } from "./folder.js";
import { modelTape } from "./graph.js";
import type { SavedModel } from "./save.js";

/** What to keep; by default all of it. */
export interface ShrinkOptions {
  /** The number of layers, taken at equal distances from the bottom on. */
  readonly layers?: number | undefined;
  /** The size of the vectors inside the feed-forward layers. */
  readonly innerWidth?: number | undefined;
  /** The pieces to keep. */
  readonly pieces?: PrunedPieces | undefined;
}

/** @throws InputError if the model is no larger than what is asked for. */
export async function shrinkModel(
  model: ModelFolder,
  options: ShrinkOptions,
): Promise<Pick<SavedModel, "config" | "parameters" | "weight" | "tokenizer">> {
  const config = shrunkConfig(model, options);
  const weights = await readAll(model);
  const shrink = new Shrinking(model.config, config, options, weights);
  const { parameters } = modelTape(config, { training: false });
  return {
    config,
    parameters,
    weight: (name) => shrink.weight(name),
    tokenizer: options.pieces ?? model.tokenizer,
  };
}

function shrunkConfig({ config, folder }: ModelFolder, options: ShrinkOptions): ModelConfig {
  const { bert, published, ...own } = config;
  const { layers = config.layers, innerWidth = bert.intermediateSize, pieces } = options;
  const check = (what: string, asked: number, has: number) => {
    if (asked <= has) return;
    throw new InputError(`the model has ${has} ${what}, not ${asked}`, { file: folder });
  };
  check("layers", layers, config.layers);
  check("numbers inside a feed-forward layer", innerWidth, bert.intermediateSize);
  const shape = {
    num_hidden_layers: layers,
    intermediate_size: innerWidth,
    vocab_size: pieces?.kept.length ?? bert.vocabularySize,
  };
  if (config.mix && layers < config.layers) {
    throw new InputError(
      "the model's word vectors are a mix of all its layers, so none can be left out",
      { file: folder },
      "shrink a model that was trained without --mix",
    );
  }
  const { labels, languages: language, ...others } = own;
  const kept = { ...others, language, ...(labels ? { labels } : {}), layers };
  return newModelConfig({ ...published, ...shape }, kept, folder);
}

async function readAll(model: ModelFolder): Promise<ReadonlyMap<string, Float32Array>> {
  const { parameters } = modelTape(model.config, { training: false });
  const sizeOf = (shape: readonly number[]) => shape.reduce((product, dim) => product * dim, 1);
  const weights = new Map(
    parameters.map(({ name, shape }) => [name, new Float32Array(sizeOf(shape))]),
  );
  await model.readWeights(parameters, (name) => weights.get(name) as Float32Array);
  return weights;
}

class Shrinking {
  readonly #from: ModelConfig;
  readonly #to: ModelConfig;
  readonly #pieces: readonly number[] | undefined;
  readonly #weights: ReadonlyMap<string, Float32Array>;
  /** The inner numbers that each layer keeps. */
  readonly #inner = new Map<number, readonly number[]>();

  constructor(
    from: ModelConfig,
    to: ModelConfig,
    { pieces }: ShrinkOptions,
    weights: ReadonlyMap<string, Float32Array>,
  ) {
    this.#from = from;
    this.#to = to;
    this.#pieces = pieces?.kept;
    this.#weights = weights;
  }

  weight(name: string): Float32Array {
    const [, place, part = ""] = /^encoder\.layer\.(\d+)\.(.*)$/.exec(name) ?? [];
    if (place !== undefined) return this.#layerWeight(Number(place), part);
    const all = this.#weights.get(name) as Float32Array;
    const isPieces = name === "embeddings.word_embeddings.weight" && this.#pieces;
    return isPieces ? rows(all, this.#pieces, this.#from.bert.hiddenSize) : all;
  }

  #layerWeight(place: number, part: string): Float32Array {
    const layer = Math.floor((place * this.#from.layers) / this.#to.layers);
    const all = this.#weights.get(`encoder.layer.${layer}.${part}`) as Float32Array;
    const { hiddenSize, intermediateSize } = this.#from.bert;
    if (intermediateSize === this.#to.bert.intermediateSize) return all;
    const inner = this.#inner.get(layer) ?? this.#strongest(layer);
    this.#inner.set(layer, inner);
    if (part === "intermediate.dense.weight") return rows(all, inner, hiddenSize);
    if (part === "intermediate.dense.bias") return rows(all, inner, 1);
    return part === "output.dense.weight" ? columns(all, inner, intermediateSize) : all;
  }

  /** The inner numbers with the largest weights before and after them. */
  #strongest(layer: number): number[] {
    const prefix = `encoder.layer.${layer}`;
    const before = this.#weights.get(`${prefix}.intermediate.dense.weight`) as Float32Array;
    const after = this.#weights.get(`${prefix}.output.dense.weight`) as Float32Array;
    const { hiddenSize, intermediateSize } = this.#from.bert;
    const strength = Array.from({ length: intermediateSize }, (_, inner) => {
      let [into, out] = [0, 0];
      for (let at = 0; at < hiddenSize; at++) {
        into += (before[inner * hiddenSize + at] as number) ** 2;
        out += (after[at * intermediateSize + inner] as number) ** 2;
      }
      return into * out;
    });
    return [...strength.keys()]
      .sort((a, b) => (strength[b] as number) - (strength[a] as number) || a - b)
      .slice(0, this.#to.bert.intermediateSize)
      .sort((a, b) => a - b);
  }
}

function rows(matrix: Float32Array, kept: readonly number[], width: number): Float32Array {
  const some = new Float32Array(kept.length * width);
  for (const [now, before] of kept.entries()) {
    some.set(matrix.subarray(before * width, (before + 1) * width), now * width);
  }
  return some;
}

function columns(matrix: Float32Array, kept: readonly number[], width: number): Float32Array {
  const height = matrix.length / width;
  const some = new Float32Array(height * kept.length);
  for (let row = 0; row < height; row++) {
    for (const [now, before] of kept.entries()) {
      some[row * kept.length + now] = matrix[row * width + before] as number;
    }
  }
  return some;
}
