/** The scores of many sentences: their totals, the counts of each, and totals by length. */

import { type Counts, Totals } from "./score.js";

/** The scores of sentences of similar length. */
export interface LengthBucket {
  /** The fewest words of these sentences. */
  readonly from: number;
  /** The most words of these sentences. */
  readonly to: number;
  /** The totals of these sentences. */
  readonly totals: Totals;
}

const BUCKET_WIDTH = 10;

/** Collects the scores of one comparison sentence by sentence. */
export class Tally {
  /** The totals of all sentences. */
  readonly totals = new Totals();
  /** The counts of each sentence, in order; significance tests need them. */
  readonly sentences: Counts[] = [];
  readonly #buckets = new Map<number, Totals>();

  /** Adds a sentence with this number of words. */
  add({ gold, predicted, matched, f1 }: Counts, words: number): void {
    const counts = { gold, predicted, matched, f1 };
    this.totals.add(counts);
    this.sentences.push(counts);
    const bucket = Math.ceil(words / BUCKET_WIDTH) - 1;
    if (!this.#buckets.has(bucket)) this.#buckets.set(bucket, new Totals());
    this.#buckets.get(bucket)?.add(counts);
  }

  /** The totals by sentence length, from short to long; the shortest sentence has `least` words. */
  lengths(least = 2): LengthBucket[] {
    return [...this.#buckets]
      .sort(([a], [b]) => a - b)
      .map(([bucket, totals]) => ({
        from: Math.max(least, bucket * BUCKET_WIDTH + 1),
        to: (bucket + 1) * BUCKET_WIDTH,
        totals,
      }));
  }
}
