/**
 * The candidates for the k best of a span: a binary heap that returns the largest sum first; of equal
 * sums the smallest split, then the earliest left part. Right parts need no comparison: of candidates
 * with the same split and left part only one is in the heap at a time.
 */

export interface Derivation {
  readonly sum: number;
  readonly split: number;
  readonly leftRank: number;
  readonly rightRank: number;
}

function precedes(a: Derivation, b: Derivation): boolean {
  if (a.sum !== b.sum) return a.sum > b.sum;
  if (a.split !== b.split) return a.split < b.split;
  return a.leftRank < b.leftRank;
}

export class DerivationHeap {
  readonly #items: Derivation[] = [];

  clear(): void {
    this.#items.length = 0;
  }

  push(item: Derivation): void {
    const items = this.#items;
    let hole = items.length;
    while (hole > 0) {
      const above = (hole - 1) >> 1;
      const parent = items[above] as Derivation;
      if (!precedes(item, parent)) break;
      items[hole] = parent;
      hole = above;
    }
    items[hole] = item;
  }

  pop(): Derivation | undefined {
    const items = this.#items;
    const [first] = items;
    const last = items.pop();
    if (last && items.length > 0) this.#sink(last);
    return first;
  }

  /** Puts the item in the place of the first and down to where it belongs. */
  #sink(item: Derivation): void {
    const items = this.#items;
    let hole = 0;
    for (let below = 1; below < items.length; below = 2 * hole + 1) {
      const sister = items[below + 1];
      if (sister && precedes(sister, items[below] as Derivation)) below += 1;
      const child = items[below] as Derivation;
      if (!precedes(child, item)) break;
      items[hole] = child;
      hole = below;
    }
    items[hole] = item;
  }
}
