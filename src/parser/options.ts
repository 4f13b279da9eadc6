/** The options of a parse, and the check that they make sense, with errors that name the option. */

import { DECODINGS, type Decoding } from "../model/config.js";
import { checkOptions, FLAG, type OptionChecks, oneOf, SIGNAL, wholeNumber } from "../options.js";

/** How a sentence is decoded: which tree is wanted, and what else is told of it. */
export interface DecodeOptions {
  /** Give each phrase its probability. */
  readonly marginals?: boolean | undefined;
  /** Also give the next best trees, `kBest` in all. */
  readonly kBest?: number | undefined;
  /** Which tree; the model's own way if not given. */
  readonly decoding?: Decoding | undefined;
  /** Leave out phrases less probable than this, from 0 to 1. */
  readonly threshold?: number | undefined;
  /** Give the scores and probabilities of all spans. */
  readonly chart?: boolean | undefined;
}

/** Options of one parse. */
export interface ParseOptions extends DecodeOptions {
  /** Longer sentences are not parsed: they get a flat tree and `fallback` says so. 1,000 by default. */
  readonly maxTokens?: number | undefined;
  /** Ends the work early: the promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** 1,000 words take 4 MB of scores and some 32 MB of charts; 100 words a hundredth of that. */
export const DEFAULT_MAX_TOKENS = 1000;

/** Time and memory of the k best trees grow with k. */
export const MOST_TREES = 1000;

const CHECKS: OptionChecks<ParseOptions> = {
  marginals: FLAG,
  chart: FLAG,
  kBest: wholeNumber(1, MOST_TREES),
  decoding: oneOf(DECODINGS),
  threshold: [
    (value) => typeof value === "number" && value >= 0 && value <= 1,
    "a number from 0 to 1",
  ],
  maxTokens: wholeNumber(1),
  signal: SIGNAL,
};

/**
 * Checks options that a caller gave.
 * @throws InputError that names the option, for an unknown one or a value it cannot have.
 */
export function checkParseOptions(options: ParseOptions): void {
  checkOptions(options, CHECKS);
}
