/**
 * Words in, phrases out: the part of parsing that takes time. It is done in this thread, or by a crew
 * of others (crew.ts); the parser does not know which.
 */

import { Chart } from "../chart/index.js";
import { InputError } from "../errors.js";
import { chooseDecoding, type Decoding } from "../model/config.js";
import type { SpanModel } from "../model/span-model.js";
import {
  type Constraints,
  type Decoded,
  type DecodeOptions,
  decodeSentence,
} from "./decode-sentence.js";

export interface DecodeTask extends Constraints {
  readonly words: readonly string[];
}

/** The phrases, or why there are none: constraints that no tree can meet. */
export type DecodeOutcome = Decoded | { readonly problem: string };

export interface Decoder {
  /** How many calls it takes to keep it busy. */
  readonly width: number;
  decodeAll(tasks: readonly DecodeTask[], options: DecodeOptions): Promise<DecodeOutcome[]>;
  close(): Promise<void>;
}

/** Decodes in this thread, by one model or by several that decide together. */
export class LocalDecoder implements Decoder {
  readonly width = 1;
  readonly #models: readonly SpanModel[];
  readonly #chart = new Chart();

  constructor(...models: readonly [SpanModel, ...SpanModel[]]) {
    this.#models = models;
  }

  async decodeAll(tasks: readonly DecodeTask[], asked: DecodeOptions): Promise<DecodeOutcome[]> {
    const [first, ...others] = this.#models as [SpanModel, ...SpanModel[]];
    const decoding = chooseTogether(this.#models, asked.decoding);
    const options = { ...asked, decoding };
    const sentences = tasks.map(({ words }) => words);
    const further = await Promise.all(others.map((model) => allScores(model, sentences)));
    const outcomes = new Array<DecodeOutcome>(tasks.length);
    for await (const { index, scores } of first.scores(sentences)) {
      const charts = further.map((each) => each[index] as Float32Array);
      outcomes[index] = this.#decode(tasks[index] as DecodeTask, [scores, ...charts], options);
    }
    return outcomes;
  }

  #decode(
    task: DecodeTask,
    charts: readonly Float32Array[],
    options: DecodeOptions,
  ): DecodeOutcome {
    try {
      return decodeSentence(charts, task.words.length, task, options, this.#chart);
    } catch (error) {
      if (error instanceof InputError) return { problem: error.problem };
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#models.map((model) => model.close()));
  }
}

/** Models that decide together are read in a way that all of them can be read. */
function chooseTogether(models: readonly SpanModel[], asked: Decoding | undefined): Decoding {
  const chosen = models.map(({ config }) => chooseDecoding(config, asked));
  return chosen.every((each) => each === chosen[0]) ? (chosen[0] as Decoding) : "risk";
}

async function allScores(
  model: SpanModel,
  sentences: readonly (readonly string[])[],
): Promise<Float32Array[]> {
  const all = new Array<Float32Array>(sentences.length);
  for await (const { index, scores } of model.scores(sentences)) all[index] = scores;
  return all;
}
