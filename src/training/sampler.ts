/**
 * Draws the sentences of the next batch. Each data set is read in a new random order again and again;
 * within a part of that order sentences of similar length go into the same batch, since padding costs
 * as much as words. With several data sets, a draw by their weights decides which one gives the next
 * batch. The state is a few numbers, so that a resumed run draws what an uninterrupted one would.
 */

import { Random, type RandomState, shuffled } from "../random.js";
import type { DataSet, Example } from "./examples.js";

/** Batches within this many stretches of sentences are sorted by length. */
const STRETCH = 64;

export interface SamplerState {
  readonly choice: RandomState;
  readonly places: readonly { readonly epoch: number; readonly batch: number }[];
}

export class Sampler {
  readonly #orders: DataOrder[];
  readonly #weights: readonly number[];
  readonly #choice: Random;

  constructor(sets: readonly DataSet[], batch: number, seed: number, state?: SamplerState) {
    this.#orders = sets.map(({ examples }, index) => {
      const place = state?.places[index];
      return new DataOrder(
        examples,
        batch,
        seed + index * 7919,
        place?.epoch ?? 0,
        place?.batch ?? 0,
      );
    });
    this.#weights = sets.map(({ weight }) => weight);
    this.#choice = new Random(state?.choice ?? seed);
  }

  next(): readonly Example[] {
    return (this.#orders[this.#choose()] as DataOrder).next();
  }

  get state(): SamplerState {
    return {
      choice: this.#choice.state,
      places: this.#orders.map(({ epoch, batch }) => ({ epoch, batch })),
    };
  }

  #choose(): number {
    if (this.#weights.length === 1) return 0;
    const total = this.#weights.reduce((sum, weight) => sum + weight, 0);
    let left = this.#choice.unit() * total;
    for (const [index, weight] of this.#weights.entries()) {
      left -= weight;
      if (left < 0) return index;
    }
    return this.#weights.length - 1;
  }
}

class DataOrder {
  readonly #examples: readonly Example[];
  readonly #size: number;
  readonly #seed: number;
  #batches: number[][];
  epoch: number;
  batch: number;

  constructor(
    examples: readonly Example[],
    size: number,
    seed: number,
    epoch: number,
    batch: number,
  ) {
    this.#examples = examples;
    this.#size = size;
    this.#seed = seed;
    this.epoch = epoch;
    this.batch = batch;
    this.#batches = this.#deal();
  }

  next(): Example[] {
    if (this.batch === this.#batches.length) {
      this.epoch += 1;
      this.batch = 0;
      this.#batches = this.#deal();
    }
    const indices = this.#batches[this.batch] as number[];
    this.batch += 1;
    return indices.map((index) => this.#examples[index] as Example);
  }

  #deal(): number[][] {
    const random = new Random((this.#seed * 1_000_003 + this.epoch) | 0);
    const order = shuffled([...this.#examples.keys()], random);
    const batches: number[][] = [];
    for (let at = 0; at < order.length; at += STRETCH * this.#size) {
      const stretch = order.slice(at, at + STRETCH * this.#size);
      const length = (index: number) => (this.#examples[index] as Example).words.length;
      stretch.sort((a, b) => length(a) - length(b));
      for (let from = 0; from < stretch.length; from += this.#size) {
        batches.push(stretch.slice(from, from + this.#size));
      }
    }
    return shuffled(batches, random);
  }
}
