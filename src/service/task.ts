/** One sentence on its way to the parser, and its cost there. */

import type { DecodeOptions } from "../parser/options.js";
import type { RecordOptions } from "../parser/parse-record.js";
import type { PhraseOptions } from "../parser/phrases.js";
import type { SentenceInput } from "../parser/sentence.js";
import { characters } from "./sentences.js";

export interface TaskOptions extends DecodeOptions, RecordOptions {
  readonly maxTokens: number;
  /** The record has the phrases with these labels, and not the tree. */
  readonly phrases?: PhraseOptions & { readonly labels: readonly string[] };
}

export interface Task {
  readonly model: string;
  readonly input: SentenceInput;
  readonly options: TaskOptions;
}

/** The record of a task as JSON; `isProblem` if it says why there is no tree. */
export interface TaskRecord {
  readonly json: string;
  readonly isProblem: boolean;
}

export function problemRecord(error: string): TaskRecord {
  return { json: JSON.stringify({ error }), isProblem: true };
}

/**
 * What a task costs, in words of a short sentence. The encoder takes time with the pieces, decoding
 * with the cube of the words, more for probabilities, which need logarithms, and the k best trees with
 * the cube once more and k times the square. The factors are rough, measured on sentences of 10 to 800
 * words: they are for sharing out time, not for telling it.
 */
export function costOf({ input, options }: Task): number {
  const words = input.leaves.length;
  if (words > options.maxTokens) return 1;
  const needsMarginals =
    options.marginals ||
    options.decoding !== "best" ||
    options.chart ||
    options.threshold !== undefined;
  const cubic = (needsMarginals ? 3.4e-5 : 4e-6) * words ** 3;
  const trees = options.kBest ? 3.8e-5 * words ** 3 + 1e-4 * options.kBest * words ** 2 : 0;
  return Math.max(words, characters(input) / 4) + cubic + trees;
}
