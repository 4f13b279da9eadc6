/**
 * What languages share whose script sets no blanks between words (Chinese, Japanese, Thai, …). Words are cut by ICU's
 * dictionary, which comes with Node and every browser. A full stop ends its sentence or only a quotation in it, and
 * nothing but the words around tells: there are no capitals, and no blank follows the end of a sentence. Only these
 * languages load this, and no other rule for words looks into text in such a script.
 */

import type { Quotations, UnspacedScript } from "./language.js";

const SCRIPTS = ["Han", "Hiragana", "Katakana", "Bopomofo", "Thai", "Lao", "Khmer", "Myanmar"];
const UNSPACED = new RegExp(`[${SCRIPTS.map((script) => `\\p{scx=${script}}`).join("")}]`, "u");
/** What words consist of; the digits of these scripts are left to the other rules. */
const LETTER = /[\p{L}\p{M}\p{Nl}]/u;
/** No character before Thai's is of such a script. */
const FIRST = 0x0e01;

const UNKNOWN = 0;
const OTHER = 1;
const LETTER_UNIT = 2;
/** What is known about each code unit that occurred. */
const kinds = new Uint8Array(65536);

/** The code units of the letter of such a script at `at`; none when something else is there. */
export function unspacedWidth(source: string, at: number): number {
  const unit = source.charCodeAt(at);
  if (!(unit >= FIRST)) return 0;
  const character = String.fromCodePoint(source.codePointAt(at) as number);
  if (character.length === 2) return UNSPACED.test(character) && LETTER.test(character) ? 2 : 0;
  if (kinds[unit] === UNKNOWN) {
    kinds[unit] = UNSPACED.test(character) && LETTER.test(character) ? LETTER_UNIT : OTHER;
  }
  return kinds[unit] === LETTER_UNIT ? 1 : 0;
}

function end(source: string, at: number, limit: number): number {
  let last = at;
  while (last < limit) {
    const width = unspacedWidth(source, last);
    if (width === 0) break;
    last += width;
  }
  return last;
}

function next(source: string, from: number, limit: number): number {
  let at = from;
  while (at < limit && unspacedWidth(source, at) === 0) at += 1;
  return at;
}

/** V8 copies the text for each of its words, so it must not be long. */
const LONGEST = 128;

/** How the words of a language are cut. */
export interface UnspacedDescription {
  /** The locale of the dictionary. */
  readonly dictionary: string;
  /** Corrects the dictionary's words; together they stay the same text. */
  readonly recut?: ((words: readonly string[]) => readonly string[]) | undefined;
  readonly quotations?: Quotations | undefined;
}

export function unspacedScript({
  dictionary,
  recut = (words) => words,
  quotations,
}: UnspacedDescription): UnspacedScript {
  let segmenter: Intl.Segmenter | undefined;
  const words = (source: string, begin: number, last: number) => {
    segmenter ??= new Intl.Segmenter(dictionary, { granularity: "word" });
    return recut(dictionaryWords(source, begin, last, segmenter));
  };
  return { end, next, words, quotations };
}

function dictionaryWords(
  source: string,
  begin: number,
  last: number,
  segmenter: Intl.Segmenter,
): string[] {
  const words: string[] = [];
  for (let from = begin; from < last; ) {
    const isRest = last - from <= LONGEST;
    const text = source.slice(from, isRest ? last : from + LONGEST);
    const found = Array.from(segmenter.segment(text), ({ segment }) => segment);
    // More text could change the last word.
    if (!isRest && found.length > 1) found.pop();
    for (const word of found) from += word.length;
    words.push(...found);
  }
  return words;
}
