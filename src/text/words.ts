/**
 * Where a word ends: letters and digits, and the marks that join them (`well-known`, `O'Brien`,
 * `1,000.50`, `10:30`, `and/or`, `AT&T`, `U.S.-based`). Whether a full stop belongs to the word is
 * the one hard question.
 */

import type { AbbreviationKind, Language, WordRules } from "../languages/language.js";
import { abbreviationBegin, abbreviationKind, ORDINAL } from "./abbreviations.js";
import {
  isBlankAt,
  isDigitAt,
  isLower,
  isOpeningBracket,
  isQuote,
  isUpper,
  isWordBefore,
  wordWidth,
} from "./characters.js";
import { isElision } from "./contractions.js";
import { urlEnd } from "./urls.js";

/** A sentence while it is being tokenised. */
export interface Clause {
  readonly source: string;
  readonly begin: number;
  readonly end: number;
  /** The place of the full stop that ends the sentence, -1 if none does. */
  readonly finalStop: number;
  readonly language: Language;
}

/** Prefixes after which a colon begins an address rather than a list. */
const ADDRESS_SCHEMES = new Set(["doi", "mailto", "urn", "arxiv", "tel"]);
const DOMAIN = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.[a-z]{2,}$/iu;
const LONGEST_DOMAIN = 80;

export function wordEnd(clause: Clause, begin: number): number {
  const { source, end: limit } = clause;
  // The first character is the caller's: it may be a sign or a decimal point.
  let at = begin + (wordWidth(source, begin) || 1);
  while (at < limit) {
    const width = wordWidth(source, at);
    if (width > 0) {
      at += width;
      continue;
    }
    if (isCurrencyPrefix(source, begin, at)) return at + 1;
    const joined = joinedEnd(clause, begin, at);
    if (joined === at) break;
    at = joined;
  }
  return Math.min(at, limit);
}

/** The end of the mark at `at` if it continues the word that began at `begin`, otherwise `at`. */
function joinedEnd(clause: Clause, begin: number, at: number): number {
  const { source, end: limit } = clause;
  const before = isWordBefore(source, at);
  const after = at + 1 < limit && wordWidth(source, at + 1) > 0;
  switch (source.charAt(at)) {
    case ".":
      return stopEnd(clause, begin, at);
    case "-":
    case "\u2010":
    case "\u2011":
      return source.charAt(at + 1) === "-" ? at : at + 1;
    case "'":
    case "’":
      return before && (after || isClipped(clause, begin, at)) ? at + 1 : at;
    case "&":
    case "@":
    case "·":
    case "\\":
      return before && after ? at + 1 : at;
    case "/":
      return slashEnd(source, begin, at, before && after);
    case ",":
      return isThousands(source, at, clause.language.words) ? at + 1 : at;
    case ":":
      return colonEnd(source, begin, at);
    case "%":
      return source.charAt(at + 1) === "-" && wordWidth(source, at + 2) > 0 ? at + 1 : at;
    case "+":
      return isDigitAt(source, at + 1) ? at : at + 1;
    case "#":
      return at - begin === 1 && !after && !isDigitAt(source, begin) ? at + 1 : at;
    case "$":
      return before && after && !isDigitAt(source, at + 1) ? at + 1 : at;
    default:
      return at;
  }
}

/** Whether the word lost its end to the apostrophe at `at`, as in `cup o' tea` and `l'« État »`. */
function isClipped({ source, language }: Clause, begin: number, at: number): boolean {
  const { clippedEnds, lengths } = language.words;
  const next = source.charAt(at + 1);
  if (isQuote(next) || isOpeningBracket(next)) {
    if (isElision(source, begin, at, language.words)) return true;
  }
  const isShort = at - begin <= lengths.clippedEnds.most;
  return isShort && clippedEnds.has(source.slice(begin, at).toLowerCase());
}

/** `example.org/page?id=1` is an address from its first slash on. */
function slashEnd(source: string, begin: number, at: number, joins: boolean): number {
  if (at - begin <= LONGEST_DOMAIN && DOMAIN.test(source.slice(begin, at))) {
    return Math.max(urlEnd(source, at), at + 1);
  }
  return joins ? at + 1 : at;
}

function colonEnd(source: string, begin: number, at: number): number {
  if (source.startsWith("://", at)) return Math.max(urlEnd(source, at + 3), at);
  if (isDigitAt(source, at - 1) && isDigitAt(source, at + 1)) return at + 1;
  const scheme = at - begin <= 6 ? source.slice(begin, at).toLowerCase() : "";
  if (ADDRESS_SCHEMES.has(scheme) && wordWidth(source, at + 1) > 0) return urlEnd(source, at + 1);
  // C:\folder
  const drive = at - begin === 1 && source.charAt(at + 1) === "\\" && isUpper(source.charAt(begin));
  return drive ? urlEnd(source, at + 1) : at;
}

/** English writes groups of three; elsewhere the comma is the decimal point too. */
function isThousands(source: string, at: number, rules: WordRules): boolean {
  if (!isDigitAt(source, at - 1) || !isDigitAt(source, at + 1)) return false;
  if (rules.decimalComma) return true;
  let digits = 1;
  while (digits < 4 && isDigitAt(source, at + 1 + digits)) digits += 1;
  // Two digits and another comma: the Indian 1,00,000.
  return digits === 3 || (digits === 2 && source.charAt(at + 3) === ",");
}

/** `US$5` and `C$5`: the letters and the sign are one token, and the number is the next. */
function isCurrencyPrefix(source: string, begin: number, at: number): boolean {
  if (source.charAt(at) !== "$" || at - begin > 3) return false;
  const letterFollows = wordWidth(source, at + 1) > 0 && !isDigitAt(source, at + 1);
  return !letterFollows && /^[A-Z]+$/.test(source.slice(begin, at));
}

/** The end of a full stop that belongs to the word, or `at` when it does not. */
function stopEnd(clause: Clause, begin: number, at: number): number {
  const { source, finalStop, end: limit } = clause;
  const next = source.charAt(at + 1);
  if (at + 1 < limit && wordWidth(source, at + 1) > 0) {
    return isWww(source, begin, at) ? urlEnd(source, at) : at + 1;
  }
  if (next === "." || !isWordBefore(source, at)) return at;
  if (next === "-" && at + 1 < limit) return at + 1;
  const word = source.slice(abbreviationBegin(source, at, begin), at);
  const kind = abbreviationKind(word, clause.language.sentences);
  if (at === finalStop) return kind === "open" ? at + 1 : at;
  const ordinal = clause.language.sentences.ordinals && ORDINAL.test(word);
  if (ordinal) return at + 1;
  if (isDigitAt(source, at - 1)) return at;
  return keepsStop(source, at + 1, kind) ? at + 1 : at;
}

function isWww(source: string, begin: number, at: number): boolean {
  return at - begin === 3 && source.slice(begin, at).toLowerCase() === "www";
}

/** Whether a full stop inside a sentence, which ends at `after`, is that of an abbreviation. */
function keepsStop(source: string, after: number, kind: AbbreviationKind | undefined): boolean {
  if (kind !== undefined && kind !== "numbered") return true;
  if (!isBlankAt(source, after)) return ",;:".includes(source.charAt(after));
  // The splitter did not end the sentence here: perhaps it is an abbreviation that no list has.
  let at = after;
  while (at < source.length && isBlankAt(source, at)) at += 1;
  return kind === "numbered" || isLower(source.charAt(at));
}
