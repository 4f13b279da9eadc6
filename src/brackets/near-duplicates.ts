/**
 * Finds sentences that are nearly equal to an earlier one: boilerplate, repeated quotations, one
 * changed number. It uses MinHash over pairs of neighbouring words, in 12 bands of 8. Of sentences that
 * share 90 % of their pairs nearly all are found, of those that share half one in twenty. Only the
 * hashes of the bands are kept, some hundred bytes per sentence.
 */

import { hashText, mix32 } from "../hash.js";

const BANDS = 12;
const ROWS = 8;

export class NearDuplicates {
  readonly #seen = Array.from({ length: BANDS }, () => new Set<number>());

  /** Whether a near-duplicate has been seen; remembers the sentence. */
  isRepeated(tokens: readonly string[]): boolean {
    const signature = minHash(tokens);
    let repeated = false;
    for (const [band, seen] of this.#seen.entries()) {
      let value = band;
      for (let row = 0; row < ROWS; row++) {
        value = mix32(value ^ (signature[band * ROWS + row] as number));
      }
      if (seen.has(value)) repeated = true;
      seen.add(value);
    }
    return repeated;
  }
}

/** One for each hash function. */
const SALTS = Int32Array.from({ length: BANDS * ROWS }, (_, index) =>
  Math.imul(index + 1, 0x9e3779b9),
);

/** Flips the sign bit: unsigned numbers then compare as signed ones, which are faster. */
const SIGN_BIT = 0x80000000 | 0;

function minHash(tokens: readonly string[]): Int32Array {
  const least = new Int32Array(SALTS.length).fill(0x7fffffff);
  const words = tokens.map((token) => token.toLowerCase());
  for (let at = 0; at <= words.length; at++) {
    const pair = hashText(`${words[at - 1] ?? ""} ${words[at] ?? ""}`);
    for (let index = 0; index < least.length; index++) {
      const value = mix32(pair ^ (SALTS[index] as number)) ^ SIGN_BIT;
      if (value < (least[index] as number)) least[index] = value;
    }
  }
  return least.map((value) => value ^ SIGN_BIT);
}
