/**
 * Whether the word before a full stop is an abbreviation, and of which kind.
 */

import type { AbbreviationKind, SentenceRules } from "../languages/language.js";
import { isOpener, isUpper } from "./characters.js";

/** No abbreviation is longer, so nobody looks back further for one. */
export const LONGEST_ABBREVIATION = 12;

/** Where the word before a full stop begins; after a hyphen or slash a word begins too. */
export function abbreviationBegin(text: string, stop: number, from: number): number {
  const earliest = Math.max(from, stop - LONGEST_ABBREVIATION);
  let begin = stop;
  while (begin > earliest && !isOpener(text, begin - 1) && !"-/".includes(text.charAt(begin - 1))) {
    begin -= 1;
  }
  return begin;
}

/** A number that with a full stop may be an ordinal: `3. Mai`, `Ludwig XIV. starb`. */
export const ORDINAL = /^(?:\d{1,2}|[IVX]{2,5})$/;

const DOTTED = /^(?:\p{L}\.)+\p{L}$/u;
const NO_VOWEL = /^[B-DF-HJ-NP-TV-XZ]?[b-df-hj-np-tv-xz]{1,3}$/;

/** The entry to look under: `Etc` is `etc`, and `CORP` is `Corp`, but `PP` is not `pp`. */
function otherSpelling(word: string): string {
  const capitals = word === word.toUpperCase();
  return capitals ? word.charAt(0) + word.slice(1).toLowerCase() : word.toLowerCase();
}

/**
 * The kind of abbreviation that a word is, without its last full stop; undefined if it is not one.
 * Besides the language's own these are initials, letters with full stops between (`U.S`), and short
 * words without a vowel, which are names of forms when capitalised (`Blvd`) and units when not (`km`).
 */
export function abbreviationKind(
  word: string,
  { abbreviations }: SentenceRules,
): AbbreviationKind | undefined {
  // A lone capital is an initial, whatever the small letter stands for.
  if (/^\p{L}\p{M}?$/u.test(word)) return abbreviations.get(word) ?? "either";
  const listed = abbreviations.get(word) ?? abbreviations.get(otherSpelling(word));
  if (listed) return listed;
  if (DOTTED.test(word)) return "either";
  if (!NO_VOWEL.test(word)) return undefined;
  return isUpper(word) ? "either" : "closed";
}
