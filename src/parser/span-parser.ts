/**
 * The trained model at work: sentences of words in, scores of all their spans out. Sentences go
 * through the encoder in batches of similar length, cut by what they cost, and come back as they are
 * done, each with its index.
 */

import { countPieces, makeBatch } from "../encoder/batch.js";
import type { WordPieces } from "../encoder/wordpiece.js";
import { compileInference, InferenceRunner, type SessionOptions } from "../tensor/index.js";
import type { ModelConfig } from "./model-config.js";
import { modelTape, SCORES } from "./model-graph.js";
import type { ModelSource } from "./model-source.js";

/** How many pieces, padding included, go through the encoder at once. */
const BATCH_PIECES = 2048;

export class SpanParser {
  readonly #runner: InferenceRunner;
  readonly #wordPieces: WordPieces;
  readonly #maximumPieces: number;

  private constructor(runner: InferenceRunner, wordPieces: WordPieces, maximumPieces: number) {
    this.#runner = runner;
    this.#wordPieces = wordPieces;
    this.#maximumPieces = maximumPieces;
  }

  static async load(folder: ModelSource, options: SessionOptions = {}): Promise<SpanParser> {
    const tape = modelTape(folder.config, { training: false });
    const weights = new Map(
      tape.parameters.map(({ name, shape }) => {
        return [name, new Float32Array(shape.reduce((product, dim) => product * dim, 1))];
      }),
    );
    const weightOf = (name: string) => weights.get(name) as Float32Array;
    await folder.readWeights(tape.parameters, weightOf);
    return SpanParser.fromWeights(folder.config, await folder.wordPieces(), weightOf, options);
  }

  /** A parser from weights in memory, such as those that are being trained. */
  static async fromWeights(
    config: ModelConfig,
    wordPieces: WordPieces,
    weight: (parameter: string) => Float32Array,
    options: SessionOptions = {},
  ): Promise<SpanParser> {
    const program = compileInference(modelTape(config, { training: false }), weight);
    const runner = await InferenceRunner.create(program, options);
    return new SpanParser(runner, wordPieces, config.bert.maximumPieces);
  }

  /** The scores of all spans of each sentence; see chart/matrix.ts for their layout. */
  async *scores(
    sentences: readonly (readonly string[])[],
  ): AsyncGenerator<{ index: number; scores: Float32Array }> {
    const costs = sentences.map((words) => countPieces(words, this.#wordPieces));
    for (const indices of cutBatches(costs, BATCH_PIECES)) {
      const words = indices.map((index) => sentences[index] as readonly string[]);
      const batch = makeBatch(words, this.#wordPieces, this.#maximumPieces);
      const result = (await this.#runner.run(batch.feeds))[SCORES];
      const longest = batch.feeds.words.dims[1] as number;
      for (const [at, index] of indices.entries()) {
        const size = (words[at] as readonly string[]).length;
        yield { index, scores: cutMatrix(result?.data as Float32Array, at, longest, size) };
      }
    }
  }

  close(): Promise<void> {
    return this.#runner.release();
  }
}

/** Batches of indices, from short to long, each within the budget when padded to its longest. */
export function cutBatches(costs: readonly number[], budget: number): number[][] {
  const order = [...costs.keys()].sort(
    (a, b) => (costs[a] as number) - (costs[b] as number) || a - b,
  );
  const batches: number[][] = [];
  let batch: number[] = [];
  for (const index of order) {
    if (batch.length > 0 && (batch.length + 1) * (costs[index] as number) > budget) {
      batches.push(batch);
      batch = [];
    }
    batch.push(index);
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
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
