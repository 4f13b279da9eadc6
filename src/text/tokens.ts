/**
 * Penn-Treebank-style tokens with their places in the text.
 *
 * A token is a slice of the source, never a respelling: quotes stay as they were typed. The text is split into
 * sentences first, because a full stop is a token of its own only at the end of one. Each sentence is scanned
 * once from left to right; the first character of a token decides which rule reads it.
 */

import { english } from "../languages/english.js";
import type { Language } from "../languages/language.js";
import { isBlankAt, isDigitAt, isQuote, wordWidth } from "./characters.js";
import { cutContractions } from "./contractions.js";
import { apostropheEnd, symbolEnd } from "./marks.js";
import { type Sentence, splitSentences } from "./sentences.js";
import { pathEnd } from "./urls.js";
import { type Clause, wordEnd } from "./words.js";

/** A token and its place in the source; `text` is exactly `source.slice(begin, end)`. */
export interface Token {
  /** The token as it was written. */
  readonly text: string;
  /** The index of its first UTF-16 code unit. */
  readonly begin: number;
  /** The index after its last code unit. */
  readonly end: number;
}

/** Options of `tokenise`. */
export interface TokenOptions {
  /** The language of the text, from `findLanguage`; English by default. */
  readonly language?: Language | undefined;
  /** The sentences to tokenise; by default those that `splitSentences` finds. */
  readonly sentences?: readonly Sentence[] | undefined;
}

/**
 * Splits a text into Penn-style tokens, each with its place.
 *
 * @example
 * ```ts
 * import { tokenise } from "bracken/text";
 *
 * console.log(tokenise("He didn't.").map(({ text }) => text)); // He, did, n't and the full stop
 * ```
 */
export function tokenise(source: string, options: TokenOptions = {}): Token[] {
  const { language = english, sentences = splitSentences(source, { language }) } = options;
  const tokens: Token[] = [];
  for (const { begin, end } of sentences) {
    const clause = { source, begin, end, finalStop: finalStop(source, begin, end), language };
    tokeniseClause(clause, tokens);
  }
  return tokens;
}

function tokeniseClause(clause: Clause, tokens: Token[]): void {
  const { source, begin, end } = clause;
  const { unspaced } = clause.language;
  if (!unspaced) {
    tokeniseSpaced(clause, begin, tokens);
    return;
  }
  for (let at = begin; at < end; ) {
    for (const text of unspaced.words(source, at, unspaced.end(source, at, end))) {
      tokens.push({ text, begin: at, end: at + text.length });
      at += text.length;
    }
    const limit = unspaced.next(source, at, end);
    at = tokeniseSpaced({ ...clause, end: limit }, at, tokens);
  }
}

/** Adds the tokens from `from` on, and says where the last of them ends. */
function tokeniseSpaced(clause: Clause, from: number, tokens: Token[]): number {
  const { source, end, language } = clause;
  let at = from;
  while (at < end) {
    if (isBlankAt(source, at)) {
      at += 1;
      continue;
    }
    const number = numberWordEnd(source, at, language.words.numberWords);
    if (number > at) {
      tokens.push({ text: source.slice(at, number), begin: at, end: number });
      at = number;
    } else {
      const next = beginsWord(clause, at) ? wordEnd(clause, at) : otherEnd(clause, at);
      cutContractions(source, at, next, language.words, tokens);
      at = next;
    }
  }
  return at;
}

function numberWordEnd(source: string, at: number, pattern: RegExp | undefined): number {
  if (!pattern || !isDigitAt(source, at) || isDigitAt(source, at - 1)) return at;
  pattern.lastIndex = at;
  return pattern.test(source) ? pattern.lastIndex : at;
}

/** A letter or digit; a sign or decimal point before a digit; a hyphen before a letter (`-ness`). */
function beginsWord({ source, begin }: Clause, at: number): boolean {
  if (wordWidth(source, at) > 0) return true;
  const character = source.charAt(at);
  if (!"-+.".includes(character) || !isFree(source, begin, at)) return false;
  const next = source.charAt(at + 1) === "." && character !== "." ? at + 2 : at + 1;
  return isDigitAt(source, next) || (character === "-" && wordWidth(source, at + 1) > 0);
}

function otherEnd({ source, begin, end, language }: Clause, at: number): number {
  const path = isFree(source, begin, at) ? pathEnd(source, at) : at;
  if (path > at) return Math.min(path, end);
  const clipped = apostropheEnd(source, at, language.words);
  return Math.min(clipped > at ? clipped : symbolEnd(source, at), end);
}

/** Nothing is glued to the front of what begins here, save a bracket or a quote. */
function isFree(source: string, begin: number, at: number): boolean {
  if (at === begin || isBlankAt(source, at - 1)) return true;
  const before = source.charAt(at - 1);
  return "([{".includes(before) || isQuote(before);
}

/** The place of the full stop that ends a sentence, quotes after it not counted; -1 without one. */
function finalStop(source: string, begin: number, end: number): number {
  let last = end - 1;
  while (last > begin && isQuote(source.charAt(last))) last -= 1;
  return source.charAt(last) === "." ? last : -1;
}
