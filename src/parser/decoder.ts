/**
 * The part of parsing that takes time: words in, phrases out. A decoder works in this thread or in worker
 * threads (worker-decoder.ts); its users need not know which.
 */

import { Chart } from "../chart/chart.js";
import type { Constraints } from "../chart/constraints.js";
import { InputError } from "../errors.js";
import {
  chooseDecoding,
  type Decoding,
  type LabelConfig,
  type ModelConfig,
} from "../model/config.js";
import type { SentenceScores, SpanModel } from "../model/span-model.js";
import type { DecodeOptions } from "./options.js";
import { type Decoded, ScoredSentence } from "./scored-sentence.js";
import { ScoredLabels } from "./sentence-labels.js";

/** One sentence to decode, as plain data that can be sent to a worker. */
export interface DecodeTask extends Constraints {
  /** The words of the sentence. */
  readonly words: readonly string[];
  /** Which tree is returned, and what else. */
  readonly options: DecodeOptions;
}

/** The phrases of a sentence, or why there are none, such as constraints that no tree satisfies. */
export type DecodeOutcome =
  | Decoded
  | {
      /** Why the sentence cannot be parsed. */
      readonly problem: string;
    };

/** Turns words into phrases. `loadParser` makes one; a program may have its own. */
export interface Decoder {
  /** How many calls at a time keep it busy. */
  readonly width: number;
  /** The configurations of its models, to check options before any work is done. */
  readonly configs: readonly ModelConfig[];
  /** Decodes all tasks. If the signal is aborted, the promise is rejected with its reason. */
  decode(tasks: readonly DecodeTask[], signal?: AbortSignal): Promise<DecodeOutcome[]>;
  /** Waits for running calls, then frees memory and ends workers. Later calls are refused. */
  close(): Promise<void>;
}

/** The error of calls after `close`. */
export function closedError(): InputError {
  return new InputError("the parser is closed", {}, "load another one");
}

/** Decodes in this thread, with one model or with several that decide together. */
export class LocalDecoder implements Decoder {
  readonly width = 1;
  readonly #models: readonly SpanModel[];
  readonly #labels: LabelConfig | undefined;
  readonly #chart = new Chart();
  readonly #underWay = new Set<Promise<DecodeOutcome[]>>();
  #isClosed = false;

  constructor(...models: readonly [SpanModel, ...SpanModel[]]) {
    this.#models = models;
    this.#labels = commonLabels(this.configs);
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
   * If a sentence fails, most likely for lack of memory, the others must still get their trees. So all are
   * then tried one by one. If even an easy sentence fails, the cause is not the sentence.
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
    for await (const { index, ...scored } of first.passingScores(sentences, signal)) {
      const all = [scored, ...further.map((each) => each[index] as SentenceScores)];
      outcomes[index] = this.#decode(tasks[index] as DecodeTask, all);
    }
    return outcomes;
  }

  #decode(
    { words, options, ...constraints }: DecodeTask,
    scored: readonly SentenceScores[],
  ): DecodeOutcome {
    const decoding = commonDecoding(this.configs, options.decoding);
    const factors = scored.flatMap(({ labels }) => labels ?? []);
    const labels = this.#labels && new ScoredLabels(this.#labels, factors);
    const sentence = new ScoredSentence(
      // A chart keeps the scores, whose memory is used again for the next sentence.
      scored.map(({ scores }) => (options.chart ? scores.slice() : scores)),
      words.length,
      decoding,
      this.#chart,
      labels,
    );
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
 * The requested decoding, or the models' own. If several models have different ones, it is "risk".
 * @throws InputError if "phrases" is requested of a model that has not learnt phrase probabilities.
 */
export function commonDecoding(
  configs: readonly ModelConfig[],
  asked: Decoding | undefined,
): Decoding {
  const chosen = configs.map((config) => chooseDecoding(config, asked));
  return chosen.every((each) => each === chosen[0]) ? (chosen[0] as Decoding) : "risk";
}

/** The labels on which models decide together; undefined if not all have the same. */
export function commonLabels(configs: readonly ModelConfig[]): LabelConfig | undefined {
  const [config] = configs.map(({ labels }) => labels);
  const key = JSON.stringify(config);
  return configs.every(({ labels }) => JSON.stringify(labels) === key) ? config : undefined;
}

async function allScores(
  model: SpanModel,
  sentences: readonly (readonly string[])[],
  signal: AbortSignal | undefined,
): Promise<SentenceScores[]> {
  const all = new Array<SentenceScores>(sentences.length);
  for await (const { index, ...scored } of model.scores(sentences, signal)) all[index] = scored;
  return all;
}
