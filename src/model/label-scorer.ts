/**
 * Names for spans. Each label k has two vectors of a word, one for a span that begins there and one for
 * a span that ends there, and scores a span by their product: zₖ = uᵢₖ·vⱼₖ + aᵢₖ + bⱼₖ. The network
 * gives the vectors; the products are made here, for the spans of a tree and not for all. That is a
 * biaffine scorer of low rank for every label, at the price of one more layer.
 */

import { dropout, leakyRelu, linear, type Tape, type Value, widthOf } from "../tensor/index.js";
import type { LabelConfig, ScorerConfig } from "./config.js";

/** The graph's outputs, [sentences*words, labels*(rank + 1)]: by first word, by last word. */
export const LABELS_LEFT = "labels.left";
export const LABELS_RIGHT = "labels.right";

/** Records the network that gives the vectors of words. */
export function recordLabelScorer(
  tape: Tape,
  words: Value,
  { classes, width, rank }: LabelConfig,
  { slope, dropout: rate }: ScorerConfig,
): void {
  const layer = (input: Value, name: string, size: number) => {
    const weight = tape.parameter(`${name}.weight`, [size, widthOf(input)], "glorot");
    return linear(tape, input, weight, tape.parameter(`${name}.bias`, [size], "zeros"));
  };
  for (const output of [LABELS_LEFT, LABELS_RIGHT]) {
    tape.scope(output, () => {
      const hidden = leakyRelu(tape, layer(words, `${output}.hidden`, width), slope);
      const factors = layer(
        dropout(tape, hidden, rate),
        `${output}.factors`,
        classes.length * (rank + 1),
      );
      tape.output(output, factors);
    });
  }
}

/** Vectors of the words of a sentence, from which the label scores of all spans are computed. */
export interface LabelFactors {
  /** For the first word of a span; by word, then by label: the vector and, last, its own addend. */
  readonly left: Float32Array;
  /** The same for the last word of a span. */
  readonly right: Float32Array;
}

/** A span's label scores before normalisation, written into `logits`, one for each label. */
export function labelLogits(
  { left, right }: LabelFactors,
  rank: number,
  begin: number,
  end: number,
  logits: Float32Array,
): void {
  const step = rank + 1;
  const [i, j] = [begin * logits.length * step, (end - 1) * logits.length * step];
  for (let label = 0; label < logits.length; label++) {
    const at = label * step;
    let sum = (left[i + at + rank] as number) + (right[j + at + rank] as number);
    for (let d = 0; d < rank; d++) {
      sum += (left[i + at + d] as number) * (right[j + at + d] as number);
    }
    logits[label] = sum;
  }
}

/** Adds the gradient of a span's logits to that of the vectors, which has their layout. */
export function addLabelGradient(
  { left, right }: LabelFactors,
  rank: number,
  begin: number,
  end: number,
  slopes: Float32Array,
  gradient: LabelFactors,
): void {
  const step = rank + 1;
  const [i, j] = [begin * slopes.length * step, (end - 1) * slopes.length * step];
  for (let label = 0; label < slopes.length; label++) {
    const slope = slopes[label] as number;
    if (slope === 0) continue;
    for (let d = 0; d < rank; d++) {
      const [a, b] = [i + label * step + d, j + label * step + d];
      gradient.left[a] = (gradient.left[a] as number) + slope * (right[b] as number);
      gradient.right[b] = (gradient.right[b] as number) + slope * (left[a] as number);
    }
    const [a, b] = [i + label * step + rank, j + label * step + rank];
    gradient.left[a] = (gradient.left[a] as number) + slope;
    gradient.right[b] = (gradient.right[b] as number) + slope;
  }
}

/**
 * The probability of each label of a span, in place of its logits. A single word may be no phrase, which
 * is label 0; a longer span is one.
 */
export function normaliseLabels(logits: Float32Array, isSingle: boolean): Float32Array {
  const first = isSingle ? 0 : 1;
  if (first > 0) logits[0] = 0;
  let most = Number.NEGATIVE_INFINITY;
  for (let at = first; at < logits.length; at++) most = Math.max(most, logits[at] as number);
  let sum = 0;
  for (let at = first; at < logits.length; at++) {
    const value = Math.exp((logits[at] as number) - most);
    logits[at] = value;
    sum += value;
  }
  for (let at = first; at < logits.length; at++) logits[at] = (logits[at] as number) / sum;
  return logits;
}
