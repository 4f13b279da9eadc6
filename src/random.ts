/**
 * Seeded random numbers. A run must be repeatable by its seed years later, so the stream must not
 * change with the next version of a dependency: this is xoshiro128** (Blackman & Vigna), seeded by
 * splitmix32. Its four words of state can be saved and restored.
 */

import { mix32 } from "./hash.js";

/** The state of a generator, to be saved and restored. */
export type RandomState = readonly [number, number, number, number];

/** A generator of random numbers. The same seed gives the same numbers in every version. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor(seed: number | RandomState) {
    [this.#a, this.#b, this.#c, this.#d] = typeof seed === "number" ? spread(seed) : seed;
  }

  /** The state, from which a new generator continues. */
  get state(): RandomState {
    return [this.#a, this.#b, this.#c, this.#d];
  }

  /** A whole number in [0, 2^32). */
  uint32(): number {
    const scrambled = Math.imul(rotate(Math.imul(this.#b, 5), 7), 9) >>> 0;
    const shifted = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= shifted;
    this.#d = rotate(this.#d, 11);
    return scrambled;
  }

  /** A number in [0, 1) with 32 random bits. */
  unit(): number {
    return this.uint32() / 4294967296;
  }

  /** A whole number in [0, bound), without the bias of a plain remainder. */
  below(bound: number): number {
    if (!Number.isInteger(bound) || bound < 1 || bound > 4294967296) {
      throw new RangeError(`bound must be a whole number from 1 to 2^32, not ${bound}`);
    }
    const limit = 4294967296 - (4294967296 % bound);
    let drawn = this.uint32();
    while (drawn >= limit) drawn = this.uint32();
    return drawn % bound;
  }

  /** Heads or tails. */
  coin(): boolean {
    return this.uint32() >= 2147483648;
  }
}

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}

function spread(seed: number): RandomState {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x9e3779b9) | 0;
    return mix32(state);
  };
  return [next(), next(), next(), next()];
}

/** Puts the items in a random order, in place. */
export function shuffled<T>(items: T[], random: Random): T[] {
  for (let last = items.length - 1; last > 0; last--) {
    const other = random.below(last + 1);
    [items[last], items[other]] = [items[other] as T, items[last] as T];
  }
  return items;
}
