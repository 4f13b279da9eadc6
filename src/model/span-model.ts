/**
 * The trained model at work: sentences of words in, scores of all their spans out. Sentences go
 * through the encoder in batches of similar length, cut by what they cost, and come back as they are
 * done, each with its index.
 */

import { countPieces, makeBatch } from "../encoder/batch.js";
import type { WordPieces } from "../encoder/wordpiece.js";
import { compileInference, InferenceRunner, type SessionOptions } from "../tensor/index.js";
import type { ModelConfig, Precision } from "./config.js";
import { modelTape, SCORES } from "./graph.js";
import type { ModelSource } from "./source.js";

/** How many pieces, padding included, go through the encoder at once: more are no faster. */
const BATCH_PIECES = 512;

/** What a batch costs beside its pieces, measured in pieces. */
const BATCH_OVERHEAD = 32;

/** How a model is computed. */
export interface SpanModelOptions extends SessionOptions {
  readonly precision?: Precision | undefined;
}

/** A trained model at work: words in, the scores of all spans out. */
export class SpanModel {
  readonly #runner: InferenceRunner;
  readonly #wordPieces: WordPieces;
  readonly config: ModelConfig;

  private constructor(runner: InferenceRunner, wordPieces: WordPieces, config: ModelConfig) {
    this.#runner = runner;
    this.#wordPieces = wordPieces;
    this.config = config;
  }

  /**
   * Loads the weights of a model.
   * @internal
   */
  static async load(folder: ModelSource, options: SpanModelOptions = {}): Promise<SpanModel> {
    const tape = modelTape(folder.config, { training: false });
    const weights = new Map(
      tape.parameters.map(({ name, shape }) => {
        return [name, new Float32Array(shape.reduce((product, dim) => product * dim, 1))];
      }),
    );
    const weightOf = (name: string) => weights.get(name) as Float32Array;
    await folder.readWeights(tape.parameters, weightOf);
    return SpanModel.fromWeights(folder.config, await folder.wordPieces(), weightOf, options);
  }

  /**
   * A model from weights in memory, such as those that are being trained.
   * @internal
   */
  static async fromWeights(
    config: ModelConfig,
    wordPieces: WordPieces,
    weight: (parameter: string) => Float32Array,
    { precision = "fp32", ...options }: SpanModelOptions = {},
  ): Promise<SpanModel> {
    const isQuantised = precision === "int8" ? isEncoderMatrix : undefined;
    const tape = modelTape(config, { training: false, isQuantised });
    const program = compileInference(tape, weight);
    const runner = await InferenceRunner.create(program, options);
    return new SpanModel(runner, wordPieces, config);
  }

  /** The scores of all spans of each sentence; see chart/matrix.ts for their layout. */
  async *scores(
    sentences: readonly (readonly string[])[],
    signal?: AbortSignal,
  ): AsyncGenerator<{ index: number; scores: Float32Array }> {
    const costs = sentences.map((words) => countPieces(words, this.#wordPieces));
    for (const indices of cutBatches(costs, BATCH_PIECES, BATCH_OVERHEAD)) {
      signal?.throwIfAborted();
      const words = indices.map((index) => sentences[index] as readonly string[]);
      const batch = makeBatch(words, this.#wordPieces, this.config.bert.maximumPieces);
      const result = (await this.#runner.run(batch.feeds))[SCORES];
      const longest = batch.feeds.words.dims[1] as number;
      for (const [at, index] of indices.entries()) {
        const size = (words[at] as readonly string[]).length;
        yield { index, scores: cutMatrix(result?.data as Float32Array, at, longest, size) };
      }
    }
  }

  /** Frees the memory of the model. */
  close(): Promise<void> {
    return this.#runner.release();
  }
}

/** The scorer is left as it is: it is small, and its rounding would go straight into the scores. */
function isEncoderMatrix(parameter: string): boolean {
  return /^encoder\..*dense\.weight$|^encoder\..*self\.\w+\.weight$/.test(parameter);
}

/**
 * Batches of indices, from short to long, each within the budget when padded to its longest, such
 * that all together cost the least: their pieces, padding included, and the overhead of each.
 */
export function cutBatches(costs: readonly number[], budget: number, overhead: number): number[][] {
  const order = [...costs.keys()].sort(
    (a, b) => (costs[a] as number) - (costs[b] as number) || a - b,
  );
  const least = new Float64Array(order.length + 1).fill(Number.POSITIVE_INFINITY);
  const begins = new Int32Array(order.length + 1);
  least[0] = 0;
  for (let end = 1; end <= order.length; end++) {
    const longest = costs[order[end - 1] as number] as number;
    for (let begin = end - 1; begin >= 0; begin--) {
      const pieces = (end - begin) * longest;
      if (pieces > budget && end - begin > 1) break;
      const cost = (least[begin] as number) + pieces + overhead;
      if (cost >= (least[end] as number)) continue;
      least[end] = cost;
      begins[end] = begin;
    }
  }
  const batches: number[][] = [];
  for (let end = order.length; end > 0; end = begins[end] as number) {
    batches.push(order.slice(begins[end], end));
  }
  return batches.reverse();
}

/** One sentence's matrix out of a batch that is padded to its longest. */
export function cutMatrix(
  data: Float32Array,
  sentence: number,
  longest: number,
  size: number,
): Float32Array {
  const matrix = new Float32Array(size * size);
  for (let row = 0; row < size; row++) {
    const from = (sentence * longest + row) * longest;
    matrix.set(data.subarray(from, from + size), row * size);
  }
  return matrix;
}
