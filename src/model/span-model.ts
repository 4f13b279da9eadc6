/**
 * Runs a trained model: words in, scores of all spans out. Sentences go through the encoder in batches and
 * are returned as they are done, each with its index.
 *
 * A sentence has the same scores, to the bit, alone and in any batch. All sentences of a batch have the same
 * length, so every size except the number of sentences depends on the sentence alone, and ONNX Runtime adds
 * the same numbers in the same order. No number of one sentence influences another.
 */

import { batchOfPieces, countOfPieces } from "../encoder/batch.js";
import type { Pieces, WordPieces } from "../encoder/wordpiece.js";
import {
  canSkipCopies,
  compileInference,
  InferenceRunner,
  type Result,
  type SessionOptions,
} from "../tensor/index.js";
import { processors } from "../tensor/processors.js";
import type { ModelConfig, Precision } from "./config.js";
import { isLinearWeight, modelTape, SCORES, VECTORS } from "./graph.js";
import { LABELS_LEFT, LABELS_RIGHT, type LabelFactors } from "./label-scorer.js";
import type { ModelSource } from "./source.js";

/** How many pieces go through the encoder at once, for each thread. More would not be faster. */
const BATCH_PIECES = 512;

/** For more threads than this, batches do not grow: they take memory. */
const MOST_SHARING = 4;

/** ONNX Runtime computes a product with a single row differently from one with several. */
const FEWEST_WORDS = 2;

/** How a model computes. */
export interface SpanModelOptions extends SessionOptions {
  /** The precision of the weights; `fp32` by default. */
  readonly precision?: Precision | undefined;
  /**
   * Whether the vectors of words are wanted beside the scores.
   * @internal
   */
  readonly vectors?: boolean | undefined;
}

/** The scores of a sentence. */
export interface SentenceScores {
  /** The scores of all spans, in the layout of `bracken/chart` (`spanIndex`). */
  readonly scores: Float32Array;
  /** The factors of label scores, if the model labels phrases. */
  readonly labels?: LabelFactors;
  /**
   * The vectors of its words one after the other, if they were asked for.
   * @internal
   */
  readonly vectors?: Float32Array;
}

/** A loaded model: words in, the scores of all spans out. */
export class SpanModel {
  readonly #runner: InferenceRunner;
  readonly #wordPieces: WordPieces;
  readonly #batchPieces: number;
  /** The model's configuration. */
  readonly config: ModelConfig;

  private constructor(
    runner: InferenceRunner,
    wordPieces: WordPieces,
    config: ModelConfig,
    threads: number,
  ) {
    this.#runner = runner;
    this.#wordPieces = wordPieces;
    this.#batchPieces = BATCH_PIECES * Math.max(1, Math.min(threads, MOST_SHARING));
    this.config = config;
  }

  /**
   * Loads the weights of a model.
   * @internal
   */
  static async load(folder: ModelSource, options: SpanModelOptions = {}): Promise<SpanModel> {
    const tape = modelTape(folder.config, { training: false });
    const shapes = new Map(tape.parameters.map(({ name, shape }) => [name, shape]));
    const weights = new Map<string, Float32Array>();
    await folder.readWeights(tape.parameters, (name) => {
      const size = (shapes.get(name) ?? []).reduce((product, dim) => product * dim, 1);
      const weight = new Float32Array(size);
      weights.set(name, weight);
      return weight;
    });
    const weightOf = (name: string) => weights.get(name) as Float32Array;
    return SpanModel.fromWeights(folder.config, await folder.wordPieces(), weightOf, options);
  }

  /**
   * Makes a model from weights in memory, for example during training.
   * @internal
   */
  static async fromWeights(
    config: ModelConfig,
    wordPieces: WordPieces,
    weight: (parameter: string) => Float32Array,
    { precision = "fp32", vectors, ...options }: SpanModelOptions = {},
  ): Promise<SpanModel> {
    const isQuantised = precision === "int8" ? isLinearWeight : undefined;
    const tape = modelTape(config, { training: false, padded: false, isQuantised, vectors });
    const program = compileInference(tape, weight, { withoutCopies: await canSkipCopies(options) });
    const runner = await InferenceRunner.create(program, options);
    return new SpanModel(runner, wordPieces, config, options.threads ?? processors());
  }

  /**
   * Scores all spans of each sentence. Sentences are yielded as they are done, not in order.
   *
   * @param sentences the words of each sentence.
   * @returns the index of each sentence and its scores, in the layout of `bracken/chart` (`spanIndex`).
   * @example
   * ```ts browser no-run
   * import { loadModelFromUrl } from "bracken/browser";
   * import { decode, toSpans } from "bracken/chart";
   *
   * const { spans } = await loadModelFromUrl(new URL("/models/bracken-en/", location.href));
   * const sentences = [["He", "left", "."]];
   * for await (const { index, scores } of spans.scores(sentences)) {
   *   console.log(sentences[index], toSpans(decode(scores, 3).spans));
   * }
   * ```
   */
  async *scores(
    sentences: readonly (readonly string[])[],
    signal?: AbortSignal,
  ): AsyncGenerator<
    SentenceScores & {
      /** The index of the sentence. */
      readonly index: number;
    }
  > {
    for await (const { labels, vectors, ...rest } of this.passingScores(sentences, signal)) {
      yield {
        ...rest,
        scores: rest.scores.slice(),
        ...(labels ? { labels: { left: labels.left.slice(), right: labels.right.slice() } } : {}),
        ...(vectors ? { vectors: vectors.slice() } : {}),
      };
    }
  }

  /**
   * Like `scores`, but the numbers of a sentence are valid only until the next is asked for: their memory is used again.
   * @internal
   */
  async *passingScores(
    sentences: readonly (readonly string[])[],
    signal?: AbortSignal,
  ): AsyncGenerator<SentenceScores & { readonly index: number }> {
    const { maximumPieces, firstPosition } = this.config.bert;
    const cut = sentences.map((words) => this.#wordPieces.sentence(words));
    const pieces = cut.map((words) => countOfPieces(words, maximumPieces));
    let matrix = new Float32Array(0);
    for (const indices of cutBatches(pieces, this.#batchPieces)) {
      signal?.throwIfAborted();
      const words = indices.map((index) => cut[index] as readonly Pieces[]);
      const paddedWords = Math.max(FEWEST_WORDS, (pieces[indices[0] as number] as number) - 2);
      const batch = batchOfPieces(words, this.#wordPieces, maximumPieces, {
        paddedWords,
        firstPosition,
      });
      const { results, giveBack } = await this.#runner.lend(batch.feeds);
      const longest = batch.feeds.words.dims[1] as number;
      for (const [at, index] of indices.entries()) {
        const size = (words[at] as readonly Pieces[]).length;
        if (matrix.length < size * size) matrix = new Float32Array(size * size);
        const scores = matrix.subarray(0, size * size);
        cutMatrix(results[SCORES]?.data as Float32Array, at, longest, size, scores);
        const labels = this.config.labels && cutFactors(results, at, longest, size);
        const vectors = results[VECTORS] && cutRows(results[VECTORS], at, longest, size);
        yield {
          index,
          scores,
          ...(labels ? { labels } : {}),
          ...(vectors ? { vectors } : {}),
        };
      }
      giveBack();
    }
  }

  /** Frees the memory of the model. */
  close(): Promise<void> {
    return this.#runner.release();
  }
}

/**
 * Batches of indices, from short to long sentences. All sentences of a batch have the same number of pieces,
 * so nothing is padded. A batch is within the budget, unless a single sentence exceeds it.
 */
export function cutBatches(pieces: readonly number[], budget: number): number[][] {
  const groups = new Map<number, number[]>();
  for (const [index, count] of pieces.entries()) {
    const group = groups.get(count);
    if (group) group.push(index);
    else groups.set(count, [index]);
  }
  return [...groups]
    .sort(([a], [b]) => a - b)
    .flatMap(([count, group]) => {
      const most = Math.max(1, Math.floor(budget / count));
      const batches = Math.ceil(group.length / most);
      const bound = (batch: number) => Math.round((batch * group.length) / batches);
      return Array.from({ length: batches }, (_, batch) =>
        group.slice(bound(batch), bound(batch + 1)),
      );
    });
}

/** One sentence's label vectors, in the memory of the batch's. */
function cutFactors(
  results: Readonly<Record<string, Result>>,
  sentence: number,
  longest: number,
  size: number,
): LabelFactors {
  const cut = (name: string) => cutRows(results[name] as Result, sentence, longest, size);
  return { left: cut(LABELS_LEFT), right: cut(LABELS_RIGHT) };
}

/** One sentence's rows, one for each word, in the memory of the batch's. */
function cutRows(
  { data, dims }: Result,
  sentence: number,
  longest: number,
  size: number,
): Float32Array {
  const width = dims[1] as number;
  return data.subarray(sentence * longest * width, (sentence * longest + size) * width);
}

/** The matrix of one sentence from a batch that is padded to the longest. */
export function cutMatrix(
  data: Float32Array,
  sentence: number,
  longest: number,
  size: number,
  matrix: Float32Array = new Float32Array(size * size),
): Float32Array {
  for (let row = 0; row < size; row++) {
    const from = (sentence * longest + row) * longest;
    for (let column = 0; column < size; column++) {
      matrix[row * size + column] = data[from + column] as number;
    }
  }
  return matrix;
}
