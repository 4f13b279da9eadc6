/**
 * Words in, phrases out: the part of parsing that takes time. It happens in this thread, or in worker
 * threads (worker-decoder.ts); whoever uses a decoder need not know which.
 */

import { Chart } from "../chart/chart.js";
import type { Constraints } from "../chart/constraints.js";
import { InputError } from "../errors.js";
import { chooseDecoding, type Decoding, type ModelConfig } from "../model/config.js";
import type { SpanModel } from "../model/span-model.js";
import type { DecodeOptions } from "./options.js";
import { type Decoded, ScoredSentence } from "./scored-sentence.js";

/** One sentence to decode: plain data, so that it can be sent to a worker. */
export interface DecodeTask extends Constraints {
  readonly words: readonly string[];
  readonly options: DecodeOptions;
}

/** The phrases, or why there are none, such as constraints that no tree meets. */
export type DecodeOutcome = Decoded | { readonly problem: string };

/** What turns words into phrases. `loadParser` makes one; a program may bring its own. */
export interface Decoder {
  /** How many calls at a time keep it busy. */
  readonly width: number;
  /** How its models are set up, so that options can be checked before any work is done. */
  readonly configs: readonly ModelConfig[];
  /** Decodes all tasks; a signal that is aborted rejects the promise with its reason. */
  decode(tasks: readonly DecodeTask[], signal?: AbortSignal): Promise<DecodeOutcome[]>;
  /** Frees memory and ends workers once calls under way are answered; later ones are refused. */
  close(): Promise<void>;
}

/** What use after `close` is refused with. */
export function closedError(): InputError {
  return new InputError("the parser is closed", {}, "load another");
}

/** Decodes in this thread, with one model or with several that decide together. */
export class LocalDecoder implements Decoder {
  readonly width = 1;
  readonly #models: readonly SpanModel[];
  readonly #chart = new Chart();
  readonly #underWay = new Set<Promise<DecodeOutcome[]>>();
  #isClosed = false;

  constructor(...models: readonly [SpanModel, ...SpanModel[]]) {
    this.#models = models;
  }

  get configs(): readonly ModelConfig[] {
    return this.#models.map(({ config }) => config);
  }

  async decode(tasks: readonly DecodeTask[], signal?: AbortSignal): Promise<DecodeOutcome[]> {
    if (this.#isClosed) throw closedError();
    const outcomes = this.#decodeOrBlame(tasks, signal);
    this.#underWay.add(outcomes);
    return outcomes.finally(() => this.#underWay.delete(outcomes));
  }

  /**
   * A sentence that fails, most likely for want of memory, must not cost the others their trees: all
   * are then tried one by one. If even an easy sentence fails, the fault is not the sentence's.
   */
  async #decodeOrBlame(
    tasks: readonly DecodeTask[],
    signal?: AbortSignal,
  ): Promise<DecodeOutcome[]> {
    try {
      return await this.#decodeAll(tasks, signal);
    } catch (error) {
      if (signal?.aborted || error instanceof InputError) throw error;
      if (tasks.length === 1) return [await this.#blame(error)];
    }
    const outcomes: DecodeOutcome[] = [];
    for (const task of tasks) outcomes.push(...(await this.#decodeOrBlame([task], signal)));
    return outcomes;
  }

  async #blame(error: unknown): Promise<DecodeOutcome> {
    try {
      await this.#decodeAll([{ words: ["a", "b"], options: {} }]);
    } catch {
      throw error;
    }
    const reason = error instanceof Error ? error.message : String(error);
    return { problem: `it cannot be parsed: ${reason}` };
  }

  async #decodeAll(tasks: readonly DecodeTask[], signal?: AbortSignal): Promise<DecodeOutcome[]> {
    const [first, ...others] = this.#models as [SpanModel, ...SpanModel[]];
    const sentences = tasks.map(({ words }) => words);
    const further = await Promise.all(others.map((model) => allScores(model, sentences, signal)));
    const outcomes = new Array<DecodeOutcome>(tasks.length);
    for await (const { index, scores } of first.scores(sentences, signal)) {
      const charts = further.map((each) => each[index] as Float32Array);
      outcomes[index] = this.#decode(tasks[index] as DecodeTask, [scores, ...charts]);
    }
    return outcomes;
  }

  #decode({ words, options, ...constraints }: DecodeTask, scores: Float32Array[]): DecodeOutcome {
    const decoding = commonDecoding(this.configs, options.decoding);
    const sentence = new ScoredSentence(scores, words.length, decoding, this.#chart);
    try {
      return sentence.decode(constraints, { ...options, decoding });
    } catch (error) {
      if (error instanceof InputError) return { problem: error.problem };
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#underWay);
    await Promise.all(this.#models.map((model) => model.close()));
  }
}

/**
 * The decoding asked for, or the models' own; "risk" where several models have different ones.
 * @throws InputError if "phrases" is asked of a model that has not learnt them.
 */
export function commonDecoding(
  configs: readonly ModelConfig[],
  asked: Decoding | undefined,
): Decoding {
  const chosen = configs.map((config) => chooseDecoding(config, asked));
  return chosen.every((each) => each === chosen[0]) ? (chosen[0] as Decoding) : "risk";
}

async function allScores(
  model: SpanModel,
  sentences: readonly (readonly string[])[],
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  const all = new Array<Float32Array>(sentences.length);
  for await (const { index, scores } of model.scores(sentences, signal)) all[index] = scores;
  return all;
}
