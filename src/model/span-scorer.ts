/**
 * Scores spans by their boundary words, as in section 3 of the paper: sᵢⱼ = [lᵢ; 1]ᵀ W [rⱼ; 1], where l
 * and r are each a linear layer and a leaky ReLU on the word vectors.
 */

import { SENTENCES, WORDS } from "../encoder/bert.js";
import {
  biaffine,
  dropout,
  leakyRelu,
  linear,
  type Tape,
  type Value,
  widthOf,
} from "../tensor/index.js";

export interface SpanScorerOptions {
  readonly width?: number | undefined;
  readonly slope?: number | undefined;
  readonly dropout?: number | undefined;
}

/** Scores [sentences, words, words] of word vectors [sentences*words, width]. */
export function spanScores(
  tape: Tape,
  words: Value,
  { width = 256, slope = 0.1, dropout: rate = 0.33 }: SpanScorerOptions = {},
): Value {
  const boundary = (side: string) =>
    tape.scope(`scorer.${side}`, () => {
      const weight = tape.parameter(`scorer.${side}.weight`, [width, widthOf(words)], "glorot");
      const bias = tape.parameter(`scorer.${side}.bias`, [width], "zeros");
      return dropout(tape, leakyRelu(tape, linear(tape, words, weight, bias), slope), rate);
    });
  const left = boundary("left");
  const right = boundary("right");
  return tape.scope("scorer", () => {
    const matrix = tape.parameter("scorer.matrix", [width + 1, width + 1], "glorot");
    return biaffine(tape, left, right, matrix, SENTENCES, WORDS);
  });
}
