/**
 * The kind of the character at a place in a text. Every character of a dump is looked up, so the kinds
 * of the 65,536 code units are in a table. It is filled when a unit first occurs, since filling it at
 * once would delay every import.
 */

const UNKNOWN = 0;
const BLANK = 1;
const LETTER = 2;
const DIGIT = 3;
const OTHER = 4;
const HIGH_SURROGATE = 5;

const kinds = new Uint8Array(65536);

/** U+0085 and the zero-width space part words too, though `\s` leaves them out. */
const BLANKS = /[\s\u0085\u200b]/;
/** Marks and joiners continue a word; so does the underscore of identifiers. */
const LETTERS = /[\p{L}\p{M}\p{Cf}\p{Nl}\p{No}_]/u;
const DIGITS = /\p{Nd}/u;

function lookUp(unit: number): number {
  const character = String.fromCharCode(unit);
  let kind = OTHER;
  if (BLANKS.test(character)) kind = BLANK;
  else if (unit >= 0xd800 && unit < 0xdc00) kind = HIGH_SURROGATE;
  else if (DIGITS.test(character)) kind = DIGIT;
  else if (LETTERS.test(character)) kind = LETTER;
  kinds[unit] = kind;
  return kind;
}

function kindOfUnit(unit: number): number {
  const kind = kinds[unit] as number;
  return kind === UNKNOWN ? lookUp(unit) : kind;
}

/** The kind of the character at `at`; past the end of the text it is a blank. */
function kindAt(text: string, at: number): number {
  if (at < 0 || at >= text.length) return BLANK;
  const kind = kindOfUnit(text.charCodeAt(at));
  return kind === HIGH_SURROGATE ? kindOfPair(text, at) : kind;
}

function kindOfPair(text: string, at: number): number {
  const character = String.fromCodePoint(text.codePointAt(at) as number);
  if (character.length < 2) return OTHER;
  if (DIGITS.test(character)) return DIGIT;
  return LETTERS.test(character) ? LETTER : OTHER;
}

export function isBlankAt(text: string, at: number): boolean {
  return kindAt(text, at) === BLANK;
}

export function isDigitAt(text: string, at: number): boolean {
  return kindAt(text, at) === DIGIT;
}

/** The code units of the letter or digit at `at`: one, two, or none when something else is there. */
export function wordWidth(text: string, at: number): number {
  if (at < 0 || at >= text.length) return 0;
  const kind = kindOfUnit(text.charCodeAt(at));
  if (kind === LETTER || kind === DIGIT) return 1;
  if (kind !== HIGH_SURROGATE) return 0;
  return kindOfPair(text, at) === OTHER ? 0 : 2;
}

/** Whether a letter or digit ends just before `at`. */
export function isWordBefore(text: string, at: number): boolean {
  return wordWidth(text, at - 1) > 0 || (at >= 2 && wordWidth(text, at - 2) === 2);
}

const UPPER = /^[\p{Lu}\p{Lt}]/u;
const LOWER = /^\p{Ll}/u;

export function isUpper(word: string): boolean {
  return UPPER.test(word);
}

export function isLower(word: string): boolean {
  return LOWER.test(word);
}

const APOSTROPHES = "'’‘";
const QUOTES = "\"“”„‟«»‹›'’‘‚‛`";
const OPENING_BRACKETS = "([{（［｛「『【〈《";
const CLOSING_BRACKETS = ")]}）］｝」』】〉》";

export function isApostrophe(text: string, at: number): boolean {
  return at < text.length && APOSTROPHES.includes(text.charAt(at));
}

export function isQuote(character: string): boolean {
  return character !== "" && QUOTES.includes(character);
}

export function isOpeningBracket(character: string): boolean {
  return character !== "" && OPENING_BRACKETS.includes(character);
}

export function isClosingBracket(character: string): boolean {
  return character !== "" && CLOSING_BRACKETS.includes(character);
}

/** A blank, or what can stand before the first word of a sentence. */
export function isOpener(text: string, at: number): boolean {
  if (at >= text.length) return false;
  const character = text.charAt(at);
  return isBlankAt(text, at) || isQuote(character) || isOpeningBracket(character);
}
