/** Limits on one request, and on all requests together. */

import { InputError } from "../errors.js";
import type { ClientRates } from "./client-limits.js";

export interface Limits {
  /** Bytes of a request's body. */
  readonly body: number;
  /** Sentences of a request. */
  readonly sentences: number;
  /** Words of a request, over all of its sentences. */
  readonly tokens: number;
  /** Words of a sentence; longer ones are not parsed, as the library gives it. */
  readonly words: number;
  /** Seconds that a request may take. */
  readonly seconds: number;
  /** Words that may wait for the parser, over all requests. */
  readonly queue: number;
}

export const DEFAULT_LIMITS: Limits = {
  body: 1024 * 1024,
  sentences: 1000,
  tokens: 50_000,
  words: 400,
  seconds: 60,
  queue: 200_000,
};

/**
 * A word may be cut into as many pieces as it has characters, and all pieces of a sentence are in
 * memory at once. Sentences of real words stay far below this.
 */
const CHARACTERS_PER_WORD = 20;

export function mostCharacters({ words }: Limits): number {
  return words * CHARACTERS_PER_WORD;
}

/** A request that fits its own limits must fit the queue and the client's rate, or it never gets in. */
export function checkLimits(limits: Limits, { words = limits.tokens }: ClientRates): void {
  if (limits.tokens > limits.queue) {
    throw new InputError(
      `a request may have ${limits.tokens} words, but the queue holds only ${limits.queue}`,
      {},
      "make --queue as large as --max-tokens or larger",
    );
  }
  if (limits.tokens > words) {
    throw new InputError(
      `a request may have ${limits.tokens} words, but a client may send only ${words} a minute`,
      {},
      "make --client-words as large as --max-tokens or larger",
    );
  }
}
