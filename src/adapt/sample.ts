/**
 * Some of many items, the same whatever their order: those with the smallest hashes. Of items with the same key the
 * first is kept, and only as many items as are wanted are in memory, or twice as many.
 */

import { hashText } from "../hash.js";

interface Kept<Item> {
  readonly key: string;
  readonly rank: number;
  readonly place: number;
  readonly item: Item;
}

export class Sample<Item> {
  readonly #size: number;
  readonly #seed: number;
  #kept = new Map<string, Kept<Item>>();
  #limit = Number.POSITIVE_INFINITY;
  /** How many items were added. */
  seen = 0;

  constructor(size: number, seed: number) {
    this.#size = size;
    this.#seed = seed;
  }

  add(key: string, item: Item): void {
    const place = this.seen++;
    const rank = hashText(key, this.#seed) >>> 0;
    if (rank > this.#limit || this.#kept.has(key)) return;
    this.#kept.set(key, { key, rank, place, item });
    if (this.#kept.size > 2 * this.#size) this.#cut();
  }

  /** The items of the sample, in the order in which they were added. */
  items(): Item[] {
    this.#cut();
    return [...this.#kept.values()].sort((a, b) => a.place - b.place).map(({ item }) => item);
  }

  #cut(): void {
    if (this.#kept.size <= this.#size) return;
    const ranked = [...this.#kept.values()].sort((a, b) => a.rank - b.rank || a.place - b.place);
    const kept = ranked.slice(0, this.#size);
    this.#limit = kept.at(-1)?.rank ?? 0;
    this.#kept = new Map(kept.map((each) => [each.key, each]));
  }
}
