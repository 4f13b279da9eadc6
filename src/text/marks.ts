/**
 * Tokens that begin with neither letter nor digit: quotes, brackets, dashes, signs, emoji, and the
 * words that have lost their beginning to an apostrophe (`'em`, `'80s`, `'tis`).
 */

import type { WordRules } from "../languages/language.js";
import { isApostrophe, isDigitAt, isWordBefore, wordWidth } from "./characters.js";

/** Marks that are one token however often they are repeated. */
const REPEATED = "*=~_-–—#…";
/** Flags, and pictures with their skin tones, styles and joined parts. */
const EMOJI =
  /\p{RI}\p{RI}|\p{Extended_Pictographic}(?:\p{EMod}|\ufe0f)?(?:\u200d\p{Extended_Pictographic}(?:\p{EMod}|\ufe0f)?)*/uy;

/** The end of a clipped word or a lone clitic that begins with an apostrophe, otherwise `at`. */
export function apostropheEnd(source: string, at: number, rules: WordRules): number {
  if (!isApostrophe(source, at)) return at;
  const { most } = rules.lengths.afterApostrophe;
  let end = at + 1;
  // One character more than any entry has, so that no longer word is taken for one.
  while (end - at <= most + 1 && wordWidth(source, end) === 1) end += 1;
  const rest = source.slice(at + 1, end).toLowerCase();
  if (/^\d\d/.test(rest) && ["", rules.decadeSuffix].includes(rest.slice(2))) return end;
  if (rules.clitics.get(rest) === "") return end;
  if (!rules.clippedStarts.has(rest) || isWordBefore(source, at)) return at;
  const isClippedTwice = isApostrophe(source, end) && rules.clippedStarts.has(`${rest}'`);
  return isClippedTwice ? end + 1 : end;
}

/** The end of the sign at `at`, which is no blank, letter or digit. */
export function symbolEnd(source: string, at: number): number {
  const character = source.charAt(at);
  if (character === ".") return dotsEnd(source, at);
  if ("!?".includes(character)) return runEnd(source, at, "!?");
  if (REPEATED.includes(character)) return repeatedEnd(source, at, character);
  if ("'`".includes(character) && source.charAt(at + 1) === character) return at + 2;
  if (character === "@" && wordWidth(source, at + 1) > 0) return nameEnd(source, at + 1);
  if (character === "°" && /^[CF](?![\p{L}\p{N}])/u.test(source.slice(at + 1, at + 3)))
    return at + 2;
  return source.charCodeAt(at) < 0xa9 ? at + 1 : pictureEnd(source, at);
}

/** An ellipsis is one token; of four dots the last is the full stop. */
function dotsEnd(source: string, at: number): number {
  const end = runEnd(source, at, ".");
  return end - at === 4 ? at + 3 : end;
}

function repeatedEnd(source: string, at: number, character: string): number {
  const end = runEnd(source, at, character);
  const tag = character === "#" && wordWidth(source, end) > 0 && !isDigitAt(source, end);
  return tag ? nameEnd(source, end) : end;
}

function runEnd(source: string, at: number, characters: string): number {
  let end = at + 1;
  while (end < source.length && characters.includes(source.charAt(end))) end += 1;
  return end;
}

/** Of a #tag or an @handle. */
function nameEnd(source: string, from: number): number {
  let end = from;
  for (let width = wordWidth(source, end); width > 0; width = wordWidth(source, end)) end += width;
  return end;
}

function pictureEnd(source: string, at: number): number {
  EMOJI.lastIndex = at;
  if (EMOJI.test(source)) return EMOJI.lastIndex;
  return at + ((source.codePointAt(at) as number) > 0xffff ? 2 : 1);
}
