/** The options of a parse and their checks, with errors that name the option. */

import { AUTO, LANGUAGE_CODES, namedCode } from "../languages/codes.js";
import { DECODINGS, type Decoding } from "../model/config.js";
import { checkOptions, FLAG, type OptionChecks, oneOf, SIGNAL, wholeNumber } from "../options.js";

/** Which tree of a sentence is returned, and what else is returned with it. */
export interface DecodeOptions {
  /** Return the probability of each phrase. */
  readonly marginals?: boolean | undefined;
  /** Also return the next best trees: `kBest` trees in all, from 1 to 1,000. */
  readonly kBest?: number | undefined;
  /** How the tree is chosen; by default the model's own decoding. */
  readonly decoding?: Decoding | undefined;
  /** Leave out phrases with a probability below this number, from 0 to 1. */
  readonly threshold?: number | undefined;
  /** Return the scores and probabilities of all spans. */
  readonly chart?: boolean | undefined;
  /** Whether single words can be phrases, where the model names phrases; they can by default. */
  readonly oneWord?: boolean | undefined;
}

/** Options of one parse. */
export interface ParseOptions extends DecodeOptions {
  /** Do not parse longer sentences: they get a flat tree and a `fallback`. By default 1,000 words. */
  readonly maxTokens?: number | undefined;
  /**
   * The language of the text, a BCP 47 code such as `de`; by default `auto`: the text tells it, and if it is not sure,
   * the model. It is not told by sentences that are given as words.
   */
  readonly language?: string | undefined;
  /** Ends the call early: its promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** 1,000 words take 4 MB of scores and some 32 MB of charts; 100 words a hundredth of that. */
export const DEFAULT_MAX_TOKENS = 1000;

/** Time and memory of the k best trees grow with k. */
export const MOST_TREES = 1000;

const CHECKS: OptionChecks<ParseOptions> = {
  marginals: FLAG,
  chart: FLAG,
  oneWord: FLAG,
  kBest: wholeNumber(1, MOST_TREES),
  decoding: oneOf(DECODINGS),
  threshold: [
    (value) => typeof value === "number" && value >= 0 && value <= 1,
    "a number from 0 to 1",
  ],
  maxTokens: wholeNumber(1),
  language: [
    (value) => value === AUTO || (typeof value === "string" && namedCode(value) !== undefined),
    `${AUTO} or a language code; there are rules for ${LANGUAGE_CODES.join(", ")}`,
  ],
  signal: SIGNAL,
};

/**
 * Checks the options of a caller.
 * @throws InputError that names the option, if it is unknown or its value is invalid.
 */
export function checkParseOptions(options: ParseOptions): void {
  checkOptions(options, CHECKS);
}
