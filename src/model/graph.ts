/** The model on a tape: BERT, the words' vectors, the scores of all spans. */

import { bert, declareInputs, declarePackedInputs, wordVectors } from "../encoder/bert.js";
import { Tape, type TapeOptions } from "../tensor/index.js";
import type { ModelConfig } from "./config.js";
import { recordLabelScorer } from "./label-scorer.js";
import { spanScores } from "./span-scorer.js";

/** The name of the graph's output: [sentences, words, words], by first and last word of a span. */
export const SCORES = "scores";

/** The name of an output that is there on request: [sentences*words, width], the vector of each word. */
export const VECTORS = "vectors";

export interface ModelGraphOptions {
  /** Whether sentences of a batch may differ in their number of pieces; true by default. */
  readonly padded?: boolean;
  /** Whether batches come without padding, as `packBatch` makes them. */
  readonly packed?: boolean;
  /** Whether the word vectors are an output. */
  readonly vectors?: boolean | undefined;
}

export function modelTape(config: ModelConfig, options: TapeOptions & ModelGraphOptions): Tape {
  const tape = new Tape(options);
  recordModel(tape, config, options);
  return tape;
}

export function recordModel(tape: Tape, config: ModelConfig, options?: ModelGraphOptions): void {
  const inputs = options?.packed
    ? declarePackedInputs(tape, config.bert)
    : declareInputs(tape, options);
  const pieces = bert(tape, config.bert, inputs, { layers: config.layers, mix: config.mix });
  const words = wordVectors(tape, pieces, inputs);
  if (options?.vectors) tape.output(VECTORS, words);
  tape.output(SCORES, spanScores(tape, words, config.scorer));
  if (config.labels) recordLabelScorer(tape, words, config.labels, config.scorer);
}

/**
 * Whether a parameter is rounded to compute in int8. The scorer's last matrix is not: it is small, and the error would
 * go straight into the scores.
 */
export function isLinearWeight(parameter: string): boolean {
  return /^encoder\..*(dense|self\.\w+)\.weight$|^scorer\.(left|right)\.weight$/.test(parameter);
}
