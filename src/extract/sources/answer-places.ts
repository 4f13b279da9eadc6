/**
 * Where an answer stands in its passage. Data sets give its text and the place of its first character,
 * and either may be wrong: places are counted in code points or in UTF-16 code units, were not adjusted
 * when the passage was edited, or were found by searching, so that they are those of the first match.
 */

export interface GivenAnswer {
  readonly text: string;
  /** Where it is said to begin; any number. */
  readonly start: number;
}

export interface AnswerPlace {
  readonly begin: number;
  readonly end: number;
}

/**
 * The place of an answer in UTF-16 code units: where it is said to be, or the only place where its text
 * occurs. Undefined if there is no such place.
 */
export function placeAnswer(passage: string, answer: GivenAnswer): AnswerPlace | undefined {
  const text = answer.text.trim();
  if (text === "") return undefined;
  const start = answer.start + answer.text.indexOf(text);
  for (const begin of [start, codeUnits(passage, start)]) {
    const found = passage.slice(Math.max(0, begin), begin + text.length);
    if (begin >= 0 && isSame(found, text)) return { begin, end: begin + text.length };
  }
  const [only, another] = occurrences(passage, text);
  if (only === undefined || another !== undefined) return undefined;
  return { begin: only, end: only + text.length };
}

/** Case may differ: answers at the beginning of a sentence are often written in small letters. */
function isSame(found: string, text: string): boolean {
  return found === text || found.toLowerCase() === text.toLowerCase();
}

/** The place in code units of a place in code points. */
function codeUnits(text: string, place: number): number {
  let at = 0;
  for (let count = 0; count < place && at < text.length; count++) {
    at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
  }
  return at;
}

/** The first two places where a text occurs. */
function occurrences(passage: string, text: string): number[] {
  const first = passage.indexOf(text);
  if (first < 0) return [];
  const second = passage.indexOf(text, first + 1);
  return second < 0 ? [first] : [first, second];
}

/** Fewer answers with several places say nothing about how places were found. */
const LEAST_SHOWN = 20;
/** People choose the first of several equal places in half to three quarters of all cases. */
const MOST_FIRST = 0.95;

/**
 * Tells whether the places of a data set were found by searching for the text: then nearly all answers
 * whose text occurs more than once are at its first place, and nobody knows which place was meant.
 */
export class SearchedPlaces {
  #several = 0;
  #first = 0;

  add(passage: string, { begin, end }: AnswerPlace): void {
    if (!isRepeated(passage, { begin, end })) return;
    this.#several += 1;
    if (passage.indexOf(passage.slice(begin, end)) === begin) this.#first += 1;
  }

  get isLikely(): boolean {
    return this.#several >= LEAST_SHOWN && this.#first / this.#several > MOST_FIRST;
  }
}

/** Whether the text of an answer occurs more than once in its passage. */
export function isRepeated(passage: string, { begin, end }: AnswerPlace): boolean {
  return occurrences(passage, passage.slice(begin, end)).length > 1;
}
