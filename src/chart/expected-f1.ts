/**
 * The tree, binary or flat, with the largest expected F1. If each span has a probability p of being a phrase,
 * the expected F1 of a tree T is 2 Σ p / (|T| + E), where the sum is over the spans of T and E is the expected
 * number of phrases, the sum of p over all spans. A phrase is worth having if its probability is above half
 * the F1 that can be reached, so the probabilities alone decide how flat a tree is.
 *
 * This is Dinkelbach's method: find the tree with the largest Σ (2 p - f), set f to the F1 it reaches, and
 * repeat until f no longer changes. Spans below f / 2 are worth nothing and are left out. The first f is the
 * expected F1 of all spans with a probability above 0.5. Such spans never cross and are close to the answer.
 */

import { Chart } from "./chart.js";
import { checkMatrix, type SpanMatrix, spanIndex } from "./matrix.js";
import type { SpanList } from "./span-list.js";

/** A tree and its expected F1. */
export interface PhraseTree {
  /** The expected F1, without the whole sentence; 1 for fewer than three tokens. */
  readonly f1: number;
  /** The phrases of the tree. */
  readonly spans: SpanList;
}

/**
 * Finds the tree, binary or flat, with the largest expected F1.
 *
 * @param probabilities the probability of each span of being a phrase; -Infinity forbids a span.
 * @param size the number of tokens.
 * @param chart working memory to reuse.
 * @example
 * ```ts
 * import { expectedF1Tree, spanIndex, toSpans } from "bracken/chart";
 *
 * const probabilities = new Float32Array(4 * 4);
 * probabilities[spanIndex(4, 0, 3)] = 0.9;
 * probabilities[spanIndex(4, 1, 3)] = 0.1;
 * console.log(toSpans(expectedF1Tree(probabilities, 4).spans)); // the sentence and [0, 3)
 * ```
 */
export function expectedF1Tree(
  probabilities: SpanMatrix,
  size: number,
  chart = new Chart(),
): PhraseTree {
  checkMatrix(probabilities, size, "probabilities");
  const expected = expectedNumber(probabilities, size);
  const search = new NestedSearch(size, chart);
  let f = likelyF1(probabilities, size, expected);
  let best: PhraseTree = { f1: -1, spans: new Int32Array(0) };
  for (;;) {
    search.weigh(probabilities, f);
    const spans = search.spans();
    const f1 = reached(spans, probabilities, size, expected);
    if (f1 <= best.f1) return best;
    best = { f1, spans };
    f = f1;
  }
}

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

/** The expected F1 of the spans with a probability above 0.5. */
function likelyF1(probabilities: SpanMatrix, size: number, expected: number): number {
  let sum = 0;
  let count = 0;
  for (let begin = 0; begin < size; begin++) {
    for (let end = begin + 2; end <= size; end++) {
      const probability = probabilities[spanIndex(size, begin, end)] as number;
      if (end - begin === size || !(probability > 0.5)) continue;
      sum += probability;
      count += 1;
    }
  }
  return count === 0 ? 0 : (2 * sum) / (count + expected);
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

/**
 * Finds the set of spans with the largest sum of weights in which no two cross: in pre-order, the whole sentence
 * first, all others of a positive weight. If these are few, this is much faster than the best binary tree:
 * O(n^2) times the number of such spans per last token.
 */
class NestedSearch {
  readonly #size: number;
  readonly #weights: Float64Array;
  /** The largest sum of weights within each stretch of tokens, the stretch itself included. */
  readonly #sums: Float64Array;
  /** The spans of a positive weight that end with a token: where they begin, and their sums. */
  readonly #begins: Int32Array;
  readonly #sumsHere: Float64Array;
  /** Begin and last token of the stretches whose spans are still to be found. */
  readonly #stretches: Int32Array;

  constructor(size: number, chart: Chart) {
    chart.reserve(size * size);
    chart.reserveWeights(size * size);
    this.#size = size;
    this.#weights = chart.weights;
    this.#sums = chart.rows;
    this.#begins = new Int32Array(size);
    this.#sumsHere = new Float64Array(size);
    this.#stretches = new Int32Array(2 * size + 2);
  }

  /** What each span adds to a tree; not positive if leaving it out is better. */
  weigh(probabilities: SpanMatrix, f: number): void {
    const size = this.#size;
    const weights = this.#weights;
    for (let begin = 0; begin < size; begin++) {
      for (let at = begin * size + begin + 1; at < (begin + 1) * size; at++) {
        weights[at] = 2 * (probabilities[at] as number) - f;
      }
    }
  }

  spans(): SpanList {
    if (this.#size < 2) return new Int32Array(0);
    this.#fill();
    return this.#trace();
  }

  /** Either the last token of a stretch is in no span within it, or some span ends with it. */
  #fill(): void {
    const size = this.#size;
    const [weights, sums, begins, sumsHere] = [
      this.#weights,
      this.#sums,
      this.#begins,
      this.#sumsHere,
    ];
    for (let last = 0; last < size; last++) {
      let count = 0;
      for (let begin = last; begin >= 0; begin--) {
        const row = begin * size;
        let best = begin < last ? (sums[row + last - 1] as number) : 0;
        for (let at = 0; at < count; at++) {
          const sum = (sums[row + (begins[at] as number) - 1] as number) + (sumsHere[at] as number);
          if (sum > best) best = sum;
        }
        const weight = begin < last ? (weights[row + last] as number) : 0;
        if (weight > 0) {
          best += weight;
          begins[count] = begin;
          sumsHere[count++] = best;
        }
        sums[row + last] = best;
      }
    }
  }

  /** Takes the left part of a stretch before the right one, so the spans are found in pre-order. */
  #trace(): SpanList {
    const size = this.#size;
    const [weights, sums, stretches] = [this.#weights, this.#sums, this.#stretches];
    const found = [0, size];
    stretches[0] = 0;
    stretches[1] = size - 1;
    for (let left = 2; left > 0; ) {
      const last = stretches[--left] as number;
      const begin = stretches[--left] as number;
      if (begin === last) continue;
      const row = begin * size;
      if ((weights[row + last] as number) > 0 && last - begin + 1 < size) {
        found.push(begin, last + 1);
      }
      let best = sums[row + last - 1] as number;
      let split = last;
      for (let next = last - 1; next > begin; next--) {
        if (!((weights[next * size + last] as number) > 0)) continue;
        const sum = (sums[row + next - 1] as number) + (sums[next * size + last] as number);
        if (sum > best) [best, split] = [sum, next];
      }
      stretches[left++] = split;
      stretches[left++] = last;
      stretches[left++] = begin;
      stretches[left++] = split - 1;
    }
    return Int32Array.from(found);
  }
}
