/**
 * The tree, binary or not, with the largest expected F1. Where each span has a probability of being a
 * phrase, a tree T has the expected F1 of 2 Σ p / (|T| + E), its sum over the tree's spans and E, the
 * number of phrases expected, over all. A phrase is worth having where its probability is above half
 * the F1 that can be reached, so how flat trees become follows from the probabilities alone.
 *
 * Dinkelbach's method: find the tree with the largest Σ (2 p - f), set f to what it reaches, repeat
 * until f stands still. Spans below f / 2 are worth nothing and are left out.
 */

import { Chart } from "./chart.js";
import { decode } from "./decode.js";
import { checkMatrix, type SpanMatrix, spanIndex } from "./matrix.js";
import { flatten, type SpanList } from "./span-list.js";

/** The phrases of a tree, and the F1 that is expected of them. */
export interface PhraseTree {
  /** The F1 that is expected, the whole sentence not counted; 1 for less than three tokens. */
  readonly f1: number;
  readonly spans: SpanList;
}

/** Spans with a probability of -Infinity are not in the tree, nor do they count as expected. */
export function expectedF1Tree(
  probabilities: SpanMatrix,
  size: number,
  chart = new Chart(),
): PhraseTree {
  checkMatrix(probabilities, size, "probabilities");
  const expected = expectedNumber(probabilities, size);
  let best: PhraseTree = { f1: -1, spans: new Int32Array(0) };
  for (;;) {
    const f = Math.max(0, best.f1);
    const binary = decode(gains(probabilities, size, f), size, chart).spans;
    const spans = flatten(binary, size, probabilities, Math.max(f / 2, LEAST));
    const f1 = reached(spans, probabilities, size, expected);
    if (f1 <= best.f1) return best;
    best = { f1, spans };
  }
}

/** What has no probability at all is no phrase, even where leaving it out gains nothing. */
const LEAST = Number.MIN_VALUE;

function expectedNumber(probabilities: SpanMatrix, size: number): number {
  let sum = 0;
  for (let begin = 0; begin < size; begin++) {
    for (let end = begin + 2; end <= size; end++) {
      if (end - begin < size)
        sum += Math.max(0, probabilities[spanIndex(size, begin, end)] as number);
    }
  }
  return sum;
}

/** What each span adds to a tree: nothing where leaving it out is better, if it can be left out. */
function gains(probabilities: SpanMatrix, size: number, f: number): Float64Array {
  const matrix = new Float64Array(size * size);
  for (let begin = 0; begin < size; begin++) {
    for (let end = begin + 2; end <= size; end++) {
      const at = spanIndex(size, begin, end);
      matrix[at] = Math.max(0, 2 * (probabilities[at] as number) - f);
    }
  }
  return matrix;
}

function reached(
  spans: SpanList,
  probabilities: SpanMatrix,
  size: number,
  expected: number,
): number {
  let sum = 0;
  let count = 0;
  for (let at = 0; at < spans.length; at += 2) {
    const [begin, end] = [spans[at] as number, spans[at + 1] as number];
    if (end - begin === size) continue;
    sum += probabilities[spanIndex(size, begin, end)] as number;
    count += 1;
  }
  return count + expected === 0 ? 1 : (2 * sum) / (count + expected);
}
