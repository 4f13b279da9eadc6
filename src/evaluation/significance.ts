/**
 * Tests whether one system is better than another on the same sentences. Approximate randomisation
 * (Noreen 1989) counts how often a difference as large occurs if the two outputs of each sentence are
 * swapped at random. A paired bootstrap gives a confidence interval of the difference.
 */

import { Random } from "../random.js";
import { type Counts, corpusF1 } from "./score.js";

/** The difference of two systems in one measure. */
export interface Comparison {
  /** First system minus second. */
  readonly difference: number;
  /** The two-sided p-value, by approximate randomisation. */
  readonly p: number;
  /** The 95 % confidence interval, by the paired bootstrap. */
  readonly interval: readonly [number, number];
}

/** Two systems compared by paired tests. */
export interface Significance {
  /** The comparison by sentence F1. */
  readonly sentenceF1: Comparison;
  /** The comparison by corpus F1. */
  readonly corpusF1: Comparison;
  /** The number of trials of each test. */
  readonly trials: number;
  /** The seed of the tests. */
  readonly seed: number;
}

/**
 * Compares two systems on the same sentences: a p-value by approximate randomisation, and a 95 % interval by the
 * paired bootstrap. The same seed gives the same numbers.
 *
 * @param first the counts of each sentence (`Evaluation.sentences`) of the first system.
 * @param second those of the second system, in the same order.
 * @throws RangeError if the two do not have the same number of sentences, or none.
 * @example
 * ```ts
 * import { compareSystems } from "bracken/evaluation";
 *
 * const first = [{ gold: 4, predicted: 4, matched: 4, f1: 1 }];
 * const second = [{ gold: 4, predicted: 4, matched: 2, f1: 0.5 }];
 * const { difference, p } = compareSystems(first, second, { trials: 1000 }).sentenceF1;
 * console.log(difference, p);
 * ```
 */
export function compareSystems(
  first: readonly Counts[],
  second: readonly Counts[],
  { trials = 10_000, seed = 1 } = {},
): Significance {
  if (first.length !== second.length || first.length === 0) {
    throw new RangeError("paired tests need the same sentences from both systems");
  }
  const pairs = new PairedCounts(first, second);
  const observed = pairs.difference((take) => take);
  const [randomised, resampled] = [new Random(seed), new Random(seed + 1)];
  const exceeded = { sentence: 0, corpus: 0 };
  const drawn = { sentence: new Float64Array(trials), corpus: new Float64Array(trials) };
  for (let trial = 0; trial < trials; trial++) {
    const swapped = pairs.swapped(randomised);
    if (atLeast(swapped.sentence, observed.sentence)) exceeded.sentence += 1;
    if (atLeast(swapped.corpus, observed.corpus)) exceeded.corpus += 1;
    const sample = pairs.difference(() => resampled.below(first.length));
    drawn.sentence[trial] = sample.sentence;
    drawn.corpus[trial] = sample.corpus;
  }
  const comparison = (measure: "sentence" | "corpus"): Comparison => ({
    difference: observed[measure],
    p: (exceeded[measure] + 1) / (trials + 1),
    interval: middle95(drawn[measure]),
  });
  return {
    sentenceF1: comparison("sentence"),
    corpusF1: comparison("corpus"),
    trials,
    seed,
  };
}

/** Rounding must not decide a tie between a swapped difference and the observed one. */
function atLeast(swapped: number, observed: number): boolean {
  return Math.abs(swapped) >= Math.abs(observed) - 1e-12;
}

function middle95(values: Float64Array): [number, number] {
  values.sort();
  const at = (share: number) => values[Math.round(share * (values.length - 1))] as number;
  return [at(0.025), at(0.975)];
}

interface Difference {
  readonly sentence: number;
  readonly corpus: number;
}

/** Both systems' counts in flat arrays: the loops below run some twenty million times. */
class PairedCounts {
  readonly #size: number;
  readonly #first: Float64Array;
  readonly #second: Float64Array;

  constructor(first: readonly Counts[], second: readonly Counts[]) {
    this.#size = first.length;
    this.#first = flatten(first);
    this.#second = flatten(second);
  }

  /** The difference over the sentences that `pick` chooses. */
  difference(pick: (position: number) => number): Difference {
    const [a, b] = [new Float64Array(4), new Float64Array(4)];
    for (let position = 0; position < this.#size; position++) {
      const from = pick(position) * 4;
      accumulate(a, this.#first, from);
      accumulate(b, this.#second, from);
    }
    return this.#measure(a, b);
  }

  /** The difference when a coin swaps the two systems' outputs for each sentence. */
  swapped(random: Random): Difference {
    const [a, b] = [new Float64Array(4), new Float64Array(4)];
    for (let position = 0; position < this.#size; position++) {
      const swap = random.coin();
      accumulate(swap ? b : a, this.#first, position * 4);
      accumulate(swap ? a : b, this.#second, position * 4);
    }
    return this.#measure(a, b);
  }

  #measure(a: Float64Array, b: Float64Array): Difference {
    const pooled = ([gold, predicted, matched]: Float64Array) =>
      corpusF1(gold as number, predicted as number, matched as number);
    return {
      sentence: ((a[3] as number) - (b[3] as number)) / this.#size,
      corpus: pooled(a) - pooled(b),
    };
  }
}

function flatten(counts: readonly Counts[]): Float64Array {
  const flat = new Float64Array(counts.length * 4);
  for (const [index, { gold, predicted, matched, f1 }] of counts.entries()) {
    flat.set([gold, predicted, matched, f1], index * 4);
  }
  return flat;
}

function accumulate(sums: Float64Array, from: Float64Array, at: number): void {
  for (let part = 0; part < 4; part++) {
    sums[part] = (sums[part] as number) + (from[at + part] as number);
  }
}
