/** The options of a parse, and the check that they make sense, with errors that name the option. */

import { InputError } from "../errors.js";
import { DECODINGS, type Decoding } from "../model/config.js";

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

type Check = (value: unknown) => boolean;

const isFlag: Check = (value) => typeof value === "boolean";
const isCount =
  (most: number): Check =>
  (value) =>
    Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most;

const CHECKS: Readonly<Record<keyof ParseOptions, readonly [Check, expected: string]>> = {
  marginals: [isFlag, "true or false"],
  chart: [isFlag, "true or false"],
  kBest: [isCount(MOST_TREES), `a whole number from 1 to ${MOST_TREES}`],
  decoding: [
    (value) => DECODINGS.some((known) => known === value),
    `one of ${DECODINGS.join(", ")}`,
  ],
  threshold: [
    (value) => typeof value === "number" && value >= 0 && value <= 1,
    "a number from 0 to 1",
  ],
  maxTokens: [isCount(Number.MAX_SAFE_INTEGER), "a whole number above 0"],
  signal: [(value) => value instanceof AbortSignal, "an AbortSignal"],
};

/**
 * Checks options that a caller gave.
 * @throws InputError that names the option, for an unknown one or a value it cannot have.
 */
export function checkParseOptions(options: ParseOptions): void {
  for (const [name, value] of Object.entries(options)) {
    const check = CHECKS[name as keyof ParseOptions];
    if (!check) {
      throw new InputError(
        `there is no option "${name}"`,
        {},
        `options are ${Object.keys(CHECKS).join(", ")}`,
      );
    }
    const [isRight, expected] = check;
    if (value === undefined || isRight(value)) continue;
    throw new InputError(`option "${name}" must be ${expected}, not ${show(value)}`);
  }
}

/** A value as an error message shows it. */
export function show(value: unknown): string {
  if (typeof value === "number" || value === undefined) return String(value);
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
