/**
 * Splits running text into sentences, with the place of each in the text.
 *
 * One pass looks at every character that can end a sentence, at what is before it (an abbreviation, a list
 * number, an ordinary word) and after it (a capital, a word that often begins sentences, a small letter).
 * Looking back and ahead is bounded or never repeated, so the time is linear for any text.
 */

import { english } from "../languages/english.js";
import type {
  AbbreviationKind,
  Language,
  Quotations,
  SentenceRules,
} from "../languages/language.js";
import { abbreviationBegin, abbreviationKind, ORDINAL } from "./abbreviations.js";
import {
  isBlankAt,
  isClosingBracket,
  isDigitAt,
  isOpener,
  isOpeningBracket,
  isQuote,
} from "./characters.js";
import { type Following, readFollowing } from "./following.js";

/** The place of a sentence in a text, without blanks at either end. */
export interface Sentence {
  /** The index of its first UTF-16 code unit. */
  readonly begin: number;
  /** The index after its last code unit. */
  readonly end: number;
}

/** Options of `splitSentences`. */
export interface SentenceOptions {
  /** The language of the text, from `findLanguage`; English by default. */
  readonly language?: Language | undefined;
}

/**
 * Splits a text into sentences.
 *
 * @example
 * ```ts
 * import { splitSentences } from "bracken/text";
 *
 * const text = "Mr. Smith left. She stayed.";
 * for (const { begin, end } of splitSentences(text)) console.log(text.slice(begin, end));
 * ```
 */
export function splitSentences(
  source: string,
  { language = english }: SentenceOptions = {},
): Sentence[] {
  return new Splitter(source, language).split();
}

/** Terminators of scripts that have no blank after a sentence. */
const UNSPACED = "。！？｡";
const TERMINATORS = `.!?…؟۔।॥‼⁇⁈⁉։።${UNSPACED}`;
const LINE_ENDS = "\n\u2029";
const BRACKETS = "()[]{}（）［］｛｝「」『』【】〈〉《》";

const NOTHING = 0;
const TERMINATOR = 1;
const LINE_END = 2;

const BRACKET = 3;

/** The role of each code unit for the splitter; nearly all have none. */
const ROLES = new Uint8Array(65536);
/** The same for scripts without blanks, where quotation marks tell which of them open. */
const UNSPACED_ROLES = new Uint8Array(65536);
for (const [characters, role] of [
  [TERMINATORS, TERMINATOR],
  [LINE_ENDS, LINE_END],
  [BRACKETS, BRACKET],
] as const) {
  for (const character of characters) {
    ROLES[character.charCodeAt(0)] = role;
    UNSPACED_ROLES[character.charCodeAt(0)] = role;
  }
}
for (const character of "“”‘’") UNSPACED_ROLES[character.charCodeAt(0)] = BRACKET;
UNSPACED_ROLES["．".charCodeAt(0)] = TERMINATOR;

/** `1.`, `B.` or `iv.` in front of a sentence. */
const LIST_MARKER = /^(?:\d{1,3}|\p{Lu}|[ivx]{1,4})$/u;
/** `[12]`, `[note 3]`: a reference glued to the end of a sentence. */
const REFERENCE = /\[[\p{L}\p{N} ,–-]{1,24}\]/uy;

/** What closes around the end of a sentence, as in `(He left.)` and `"Stop!"`. */
interface Closers {
  readonly end: number;
  /** Where the outermost bracket was opened that closes here. */
  readonly bracket: number | undefined;
  /** Whether a bracket closes, opened in this sentence or in one before. */
  readonly closed: boolean;
  readonly quoted: boolean;
}

class Splitter {
  readonly #source: string;
  readonly #rules: SentenceRules;
  readonly #quotations: Quotations | undefined;
  readonly #roles: Uint8Array;
  readonly #sentences: Sentence[] = [];
  /** Where the current sentence may begin, blanks still included. */
  #begin = 0;
  /** The first character of the current sentence that is no blank, quote or bracket, once asked. */
  #content = -1;
  /** Where the brackets stand that the current sentence has opened. */
  #brackets: number[] = [];

  constructor(source: string, { sentences, unspaced }: Language) {
    this.#source = source;
    this.#rules = sentences;
    this.#quotations = unspaced?.quotations;
    this.#roles = this.#quotations ? UNSPACED_ROLES : ROLES;
  }

  split(): Sentence[] {
    const source = this.#source;
    let at = 0;
    while (at < source.length) {
      const role = this.#roles[source.charCodeAt(at)];
      if (role === NOTHING) at += 1;
      else if (role === LINE_END) at = this.#lineEnd(at);
      else if (role === TERMINATOR) at = this.#terminator(at);
      else at = this.#bracket(at);
    }
    this.#close(source.length);
    return this.#sentences;
  }

  #bracket(at: number): number {
    const character = this.#source.charAt(at);
    if (isOpeningBracket(character) || "“‘".includes(character)) this.#brackets.push(at);
    else this.#brackets.pop();
    return at + 1;
  }

  /** A blank line ends the sentence, and so does a line that begins with a bullet. */
  #lineEnd(at: number): number {
    const source = this.#source;
    let next = at + 1;
    while (next < source.length && isBlankInLine(source, next)) next += 1;
    const paragraph = source.charAt(at) === "\u2029" || source.charAt(next) === "\n";
    if (paragraph || isBullet(source, next)) this.#close(next);
    return next;
  }

  #terminator(at: number): number {
    const source = this.#source;
    let runEnd = at + 1;
    while (this.#roles[source.charCodeAt(runEnd)] === TERMINATOR) runEnd += 1;
    const closers = this.#closers(runEnd);
    if (this.#ends(at, runEnd, closers)) this.#close(closers.end);
    return closers.end;
  }

  /** Quotes, brackets and reference marks that belong to the sentence just ended. */
  #closers(from: number): Closers {
    const source = this.#source;
    let end = from;
    const unspaced = this.#quotations !== undefined;
    let bracket: number | undefined;
    let closed = false;
    let quoted = false;
    for (; end < source.length; end++) {
      const character = source.charAt(end);
      if (isClosingBracket(character) || (unspaced && "”’".includes(character))) {
        bracket = this.#brackets.pop();
        closed = true;
      } else if (isQuote(character) && !(unspaced && "“‘".includes(character))) quoted = true;
      else break;
    }
    const spaced = spacedQuote(source, end, this.#rules.spacedQuotes);
    if (spaced > end) return { end: spaced, bracket, closed, quoted: true };
    return { end: referencesEnd(source, end), bracket, closed, quoted };
  }

  #ends(at: number, runEnd: number, closers: Closers): boolean {
    const source = this.#source;
    const run = source.slice(at, Math.min(runEnd, at + 4));
    const isUnspaced =
      UNSPACED.includes(source.charAt(runEnd - 1)) ||
      this.#quotations?.isFullStop(source, at, runEnd);
    if (isUnspaced) return this.#endsUnspaced(at, closers);
    if (!isBlankAt(source, closers.end)) return false;
    if (closers.bracket !== undefined && !this.#isFirst(closers.bracket)) return false;
    const following = readFollowing(source, closers.end, this.#rules);
    if (run === ".") return this.#endsAfterStop(at, closers.quoted, following);
    if (!/^[.…]+$/.test(run)) return following.opening && !following.companyForm;
    // `[...]` and dots with a blank on either side stand for words left out.
    return following.upper && !isOpener(source, at - 1);
  }

  /** Whether a full stop of a script without blanks ends more than a quotation in the sentence. */
  #endsUnspaced(at: number, { bracket, closed, end }: Closers): boolean {
    const source = this.#source;
    const quotations = this.#quotations;
    if (!quotations) return true;
    if (closed) {
      const inside = bracket !== undefined && !this.#isFirst(bracket) ? bracket : undefined;
      return !quotations.continuesAfter(source, inside, end);
    }
    const open = this.#brackets.at(-1);
    return open === undefined || this.#isFirst(open) || !quotations.staysInside(source, open, at);
  }

  #endsAfterStop(stop: number, quoted: boolean, following: Following): boolean {
    const begin = abbreviationBegin(this.#source, stop, this.#begin);
    const word = this.#source.slice(begin, stop);
    if (this.#isListMarker(word, begin)) return false;
    if (this.#rules.ordinals && ORDINAL.test(word)) return following.starter;
    const kind = this.#kindOf(word, begin, following);
    if (kind === "open") return false;
    if (kind === "either")
      return following.starter || following.quoted || (quoted && following.upper);
    return following.opening && !(kind && following.numeric);
  }

  #isListMarker(word: string, begin: number): boolean {
    if (!LIST_MARKER.test(word)) return false;
    return this.#isFirst(begin) || this.#source.charAt(begin - 2) === ":";
  }

  /** A letter after a number is a unit (`20 C.`), after a hyphen part of a name (`HTLV-I.`). */
  #kindOf(word: string, begin: number, following: Following): AbbreviationKind | undefined {
    const source = this.#source;
    const unit = isDigitAt(source, begin - 2) && !following.initial;
    const suffix = source.charAt(begin - 1) === "-" && source.charAt(begin - 2) !== ".";
    if (word.length === 1 && (unit || suffix)) return undefined;
    return abbreviationKind(word, this.#rules);
  }

  /** Whether nothing but blanks, quotes and brackets stands before `at` in the sentence. */
  #isFirst(at: number): boolean {
    if (this.#content < this.#begin) {
      this.#content = this.#begin;
      while (isOpener(this.#source, this.#content)) this.#content += 1;
    }
    return at <= this.#content;
  }

  #close(end: number): void {
    const source = this.#source;
    let begin = this.#begin;
    let last = end;
    while (begin < last && isBlankAt(source, begin)) begin += 1;
    while (last > begin && isBlankAt(source, last - 1)) last -= 1;
    if (last > begin) this.#sentences.push({ begin, end: last });
    this.#begin = end;
    this.#brackets = [];
  }
}

function isBlankInLine(source: string, at: number): boolean {
  return source.charAt(at) !== "\n" && isBlankAt(source, at);
}

function isBullet(source: string, at: number): boolean {
  return at < source.length && "•‣▪◦*-".includes(source.charAt(at)) && isBlankAt(source, at + 1);
}

/** French sets a blank before the closing guillemet. */
function spacedQuote(source: string, at: number, marks: string): number {
  const closes =
    isBlankAt(source, at) &&
    at + 1 < source.length &&
    marks.includes(source.charAt(at + 1)) &&
    isBlankAt(source, at + 2);
  return closes ? at + 2 : at;
}

function referencesEnd(source: string, from: number): number {
  let end = from;
  while (source.charAt(end) === "[") {
    REFERENCE.lastIndex = end;
    if (!REFERENCE.test(source)) break;
    end = REFERENCE.lastIndex;
  }
  return end;
}
