/**
 * The k best trees. The value of a span is the list of its k best scores. A sum over splits merges lists
 * lazily: from each pair of parts first the best with the best, and its two neighbours only once it has been
 * taken (Huang & Chiang 2005, algorithm 2). That is O((n + k) log(n + k)) per span.
 *
 * Trees are in a total order: higher scores first, then the smaller split at the top, then the earlier left
 * part, then the earlier right part, each in the order of its own span. So the first tree is the one that
 * `decode` finds.
 */

import { Chart, type Semiring } from "./chart.js";
import { NO_TREE, type ScoredTree } from "./decode.js";
import { type Derivation, DerivationHeap } from "./derivation-heap.js";
import { type SpanMatrix, spanIndex } from "./matrix.js";
import { listLength } from "./span-list.js";

/**
 * The k binary trees with the highest scores, best first; fewer if there are fewer trees.
 *
 * @param scores one number per span; see `spanIndex`.
 * @param size the number of tokens.
 * @param chart working memory to reuse.
 * @throws RangeError if every tree has a forbidden span (a score of -Infinity).
 * @example
 * ```ts
 * import { kBest } from "bracken/chart";
 *
 * for (const { score, spans } of kBest(new Float32Array(4 * 4), 4, 3)) console.log(score, spans);
 * ```
 */
export function kBest(
  scores: SpanMatrix,
  size: number,
  k: number,
  chart = new Chart(),
): ScoredTree[] {
  if (!Number.isInteger(k) || k < 1) throw new RangeError(`cannot find the ${k} best trees`);
  chart.load(scores, size);
  if (size === 0) return [{ score: 0, spans: new Int32Array(0) }];
  const semiring = new KBest(size, k);
  chart.fill(semiring);
  const root = (size - 1) * k;
  const found: ScoredTree[] = [];
  for (let rank = 0; rank < k; rank++) {
    const score = chart.rows[root + rank] as number;
    if (score === Number.NEGATIVE_INFINITY) break;
    found.push({ score, spans: semiring.spans(rank) });
  }
  if (found.length === 0) throw new RangeError(NO_TREE);
  return found;
}

/** Numbers kept for each derivation: split, rank of the left part, rank of the right part. */
const POINTERS = 3;

class KBest implements Semiring {
  readonly width: number;
  readonly #size: number;
  readonly #pointers: Int32Array;
  readonly #heap = new DerivationHeap();

  constructor(size: number, k: number) {
    this.width = k;
    this.#size = size;
    this.#pointers = new Int32Array(size * size * k * POINTERS);
  }

  token(weight: number, values: Float64Array, target: number): void {
    values.fill(Number.NEGATIVE_INFINITY, target, target + this.width);
    values[target] = weight;
  }

  span(
    weight: number,
    rows: Float64Array,
    left: number,
    columns: Float64Array,
    right: number,
    splits: number,
    target: number,
  ): void {
    const k = this.width;
    const offer = (split: number, leftRank: number, rightRank: number) => {
      if (leftRank === k || rightRank === k) return;
      const first = rows[left + split * k + leftRank] as number;
      const second = columns[right + split * k + rightRank] as number;
      const sum = first + second;
      if (sum > Number.NEGATIVE_INFINITY) this.#heap.push({ sum, split, leftRank, rightRank });
    };
    this.#heap.clear();
    for (let split = 0; split < splits; split++) offer(split, 0, 0);
    rows.fill(Number.NEGATIVE_INFINITY, target, target + k);
    for (let rank = 0; rank < k; rank++) {
      const best = this.#heap.pop();
      if (!best) return;
      rows[target + rank] = weight + best.sum;
      this.#point(target + rank, best);
      // Every pair of ranks has one predecessor, so none is offered twice.
      offer(best.split, best.leftRank, best.rightRank + 1);
      if (best.rightRank === 0) offer(best.split, best.leftRank + 1, 0);
    }
  }

  #point(entry: number, { split, leftRank, rightRank }: Derivation): void {
    this.#pointers[entry * POINTERS] = split;
    this.#pointers[entry * POINTERS + 1] = leftRank;
    this.#pointers[entry * POINTERS + 2] = rightRank;
  }

  /** The tree of the given rank, as the list of its spans. */
  spans(rank: number): Int32Array {
    const size = this.#size;
    const list = new Int32Array(listLength(size));
    const open = [{ begin: 0, end: size, rank }];
    let length = 0;
    for (let part = open.pop(); part; part = open.pop()) {
      const { begin, end } = part;
      if (end - begin === 1) continue;
      list[length++] = begin;
      list[length++] = end;
      const at = (spanIndex(size, begin, end) * this.width + part.rank) * POINTERS;
      const split = begin + 1 + (this.#pointers[at] as number);
      open.push(
        { begin: split, end, rank: this.#pointers[at + 2] as number },
        { begin, end: split, rank: this.#pointers[at + 1] as number },
      );
    }
    return list;
  }
}
