/**
 * What stands after a possible end of a sentence, as evidence for or against a new one.
 */

import type { SentenceRules } from "../languages/language.js";
import {
  isBlankAt,
  isClosingBracket,
  isLower,
  isOpeningBracket,
  isQuote,
  isUpper,
  wordWidth,
} from "./characters.js";

export interface Following {
  /** It can begin a sentence after an ordinary word. */
  readonly opening: boolean;
  /** It begins a sentence even after an abbreviation. */
  readonly starter: boolean;
  readonly upper: boolean;
  /** A number (`#5` and `IV` too), or a word with one in it (`S1`). */
  readonly numeric: boolean;
  /** A letter with a full stop. */
  readonly initial: boolean;
  /** A quotation opens here, with a capital. */
  readonly quoted: boolean;
  /** `Inc.` after a name like `Yahoo!`. */
  readonly companyForm: boolean;
}

/** The end of the text, which ends a sentence whatever stands before it. */
const NOTHING: Following = {
  opening: true,
  starter: true,
  upper: true,
  numeric: false,
  initial: false,
  quoted: false,
  companyForm: false,
};

/** Punctuation that goes on with a sentence, never begins one. */
const CONTINUING = ",;:&/%=+<>.!?";
const DASHES = "-–—";
const INVERTED = "¿¡";
const NUMERIC = /\p{Nd}|^[IVXLC]{2,}$/u;
const LONGEST_STARTER = 24;

export function readFollowing(source: string, from: number, rules: SentenceRules): Following {
  let at = from;
  let quote = false;
  let bracket = false;
  let dash = false;
  for (; at < source.length; at++) {
    const character = source.charAt(at);
    if (isQuote(character)) quote = true;
    else if (isOpeningBracket(character)) bracket = true;
    else if (DASHES.includes(character)) dash = true;
    else if (!isBlankAt(source, at)) break;
  }
  if (at === source.length) return NOTHING;
  const word = readWord(source, at);
  const next = source.charAt(at + word.length);
  const upper = isUpper(word);
  const inverted = INVERTED.includes(source.charAt(at));
  const item = bracket && isItem(source, at, word);
  const joined = bracket || dash;
  return {
    opening: inverted || item || canOpen(source, at, word),
    starter: inverted || (upper && !joined && isStarter(word, next, rules)),
    upper: upper || inverted,
    numeric: NUMERIC.test(word) || source.charAt(at) === "#",
    initial: word.length === 1 && next === ".",
    quoted: quote && upper,
    companyForm: rules.abbreviations.get(word) === "either",
  };
}

/** `(a)` before an item of a list, `[...]` for words left out. */
function isItem(source: string, at: number, word: string): boolean {
  return source.startsWith("..", at) || (word.length === 1 && source.charAt(at + 1) === ")");
}

function readWord(source: string, begin: number): string {
  let end = begin;
  while (end - begin < LONGEST_STARTER) {
    const width = wordWidth(source, end);
    if (width === 0) break;
    end += width;
  }
  return source.slice(begin, end);
}

/** A small letter opens no sentence, unless the word is of the kind of `iPhone` and `mRNA`. */
function canOpen(source: string, at: number, word: string): boolean {
  const character = source.charAt(at);
  if (word === "") return !CONTINUING.includes(character) && !isClosingBracket(character);
  return !isLower(word) || /[\p{Lu}\p{Nd}]/u.test(word);
}

/** `A` and `I` with a full stop are initials, `No.` a number. */
function isStarter(word: string, next: string, rules: SentenceRules): boolean {
  const plain = word.toLowerCase();
  return rules.starters.has(plain) && (next !== "." || rules.abbreviatedStarters.has(plain));
}
