/**
 * What EVALB prints besides recall and precision: complete matches and crossing brackets, for all sentences and
 * for those with at most 40 tokens.
 */

import type { LabelledScore } from "./labelled.js";
import { Totals } from "./score.js";

/** EVALB's cut-off: sentences with at most this many tokens, punctuation included, have their own column. */
export const EVALB_CUTOFF = 40;

/** One column of EVALB's summary. */
export class EvalbSummary {
  /** The totals of the sentences. */
  readonly totals = new Totals();
  #complete = 0;
  #crossing = 0;
  #withoutCrossing = 0;
  #atMostTwo = 0;

  /** Adds a sentence. */
  add(score: LabelledScore): void {
    const { gold, predicted, matched, crossing } = score;
    this.totals.add(score);
    if (gold === matched && predicted === matched) this.#complete += 1;
    this.#crossing += crossing;
    if (crossing === 0) this.#withoutCrossing += 1;
    if (crossing <= 2) this.#atMostTwo += 1;
  }

  /** The share of sentences whose phrases are all right. */
  get completeMatch(): number {
    return this.#share(this.#complete);
  }

  /** How many predicted phrases of a sentence cross a gold one, on average. */
  get averageCrossing(): number {
    return this.#share(this.#crossing);
  }

  /** The share of sentences without such a phrase. */
  get noCrossing(): number {
    return this.#share(this.#withoutCrossing);
  }

  /** The share of sentences with at most two such phrases. */
  get twoOrFewerCrossing(): number {
    return this.#share(this.#atMostTwo);
  }

  #share(count: number): number {
    return this.totals.sentences === 0 ? 0 : count / this.totals.sentences;
  }
}

/** EVALB's two columns. */
export class EvalbSummaries {
  /** The column of all sentences. */
  readonly all = new EvalbSummary();
  /** The column of sentences with at most 40 tokens. */
  readonly short = new EvalbSummary();

  /** Adds a sentence. */
  add(score: LabelledScore): void {
    this.all.add(score);
    if (score.tokens <= EVALB_CUTOFF) this.short.add(score);
  }
}
