/**
 * The Bracketing: a sentence and the spans that people marked in it. They are noisy, partial, and may conflict.
 * A data set has one JSON object per line; everything that extracts, cleans, counts or learns reads or writes it.
 * Brackets are half-open, [begin, end) over tokens.
 */

import { InputError, type Place } from "../errors.js";
import { parseCode } from "../languages/codes.js";
import type { Span } from "../trees/tree.js";
import { BRACKET_FIELDS, type BracketLists } from "./bracket-fields.js";

/** A half-open span: [begin, end). */
export type Bracket = readonly [begin: number, end: number];

/** A sentence and the spans that people marked in it. */
export interface Bracketing extends BracketLists {
  /** The words and punctuation of the sentence. */
  readonly tokens: readonly string[];
  /** The marked spans, half-open over `tokens`. */
  readonly brackets: readonly Bracket[];
  /** Where it is from: "qasrl", "wikipedia", … */
  readonly source: string;
  /** The id of the sentence within its source. */
  readonly id: string;
  /** The sentence as it was written. */
  readonly text?: string;
  /** The half-open place of each token in `text`, in UTF-16 code units. */
  readonly offsets?: readonly Bracket[];
  /** The page that the sentence is from, for example an article of a wiki. */
  readonly page?: {
    /** The id of the page within its source. */
    readonly id: string;
    /** The title of the page. */
    readonly title: string;
  };
  /**
   * Whether the brackets are all phrases of a gold tree, with one-word phrases and the whole sentence: every other
   * span is no phrase. Of soft labels, whether they were made with the help of a gold tree.
   */
  readonly complete?: boolean;
  /** The BCP 47 code of its language, if it is known: "de". */
  readonly language?: string;
}

/** The kind of a bracket from a teacher; its weight is its probability. */
export const SOFT_LABEL = "soft-label";

/** The kind of a second entry for a soft label; its weight is the probability that the span is a phrase. */
export const PHRASE_PROBABILITY = "phrase-probability";

/** The kind of a second entry for a bracket that has no phrase inside; see flat.ts. */
export const CHUNK = "chunk";

/** The kind of an entry for a span that is no phrase, although trees may have it. */
export const FRAGMENT = "fragment";

/** The kind of an entry that says what a span is called if it is a phrase; see name-brackets.ts. */
export const LABEL = "label";

const MARKS: ReadonlySet<string | undefined> = new Set([
  CHUNK,
  FRAGMENT,
  PHRASE_PROBABILITY,
  LABEL,
]);

/** Whether an entry of this kind says something about phrases without being a bracket itself. */
export function isMark(kind: string | undefined): boolean {
  return MARKS.has(kind);
}

/**
 * Whether a bracket has two or more tokens and is not the whole sentence, so that it can teach something.
 *
 * @param tokens the number of tokens of the sentence.
 */
export function isMultiToken([begin, end]: Bracket, tokens: number): boolean {
  return end - begin >= 2 && end - begin < tokens;
}

/** Turns a bracket into an object. */
export function toSpan([begin, end]: Bracket): Span {
  return { begin, end };
}

/** The distinct spans of the brackets of all kinds, without marks such as chunks. */
export function distinctSpans({ brackets, kinds }: Bracketing): Bracket[] {
  const given = brackets.filter((_, index) => !isMark(kinds?.[index]));
  return [...new Map(given.map((bracket) => [bracket.join(), bracket])).values()];
}

/** Turns a Bracketing into a line of a data set, with its line break. */
export function toLine(bracketing: Bracketing): string {
  return `${JSON.stringify(bracketing)}\n`;
}

/**
 * Reads and checks one line of a data set.
 *
 * @param place where the line is, for error messages.
 * @throws InputError if it is not a Bracketing.
 * @example
 * ```ts
 * import { parseBracketing } from "bracken/brackets";
 *
 * const line = '{"tokens": ["the", "cat", "sat"], "brackets": [[0, 2]], "source": "mine", "id": "1"}';
 * console.log(parseBracketing(line).brackets);
 * ```
 */
export function parseBracketing(line: string, place: Place = {}): Bracketing {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new InputError("not valid JSON", place, "each line must be one JSON object");
  }
  return checkBracketing(value, place);
}

const EXPECTED =
  'expected {"tokens": ["the", "cat", "sat"], "brackets": [[0, 2]], "source": "…", "id": "…"}';

function checkBracketing(value: unknown, place: Place): Bracketing {
  const wrong = (what: string) => new InputError(what, place, EXPECTED);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw wrong("not a JSON object");
  }
  const record = value as Record<string, unknown>;
  const { tokens, brackets, source = "", id = "", text, offsets } = record;
  const { page, complete, language } = record;
  if (!isListOf(tokens, isText)) throw wrong('"tokens" must be a list of non-empty strings');
  if (!isListOf(brackets, (each) => isBracket(each, tokens.length))) {
    throw wrong(
      `"brackets" must be a list of [begin, end) pairs within the ${tokens.length} tokens`,
    );
  }
  if (typeof source !== "string" || typeof id !== "string") {
    throw wrong('"source" and "id" must be strings');
  }
  if (text !== undefined && typeof text !== "string") throw wrong('"text" must be a string');
  const length = typeof text === "string" ? text.length : 0;
  if (
    offsets !== undefined &&
    !isListOf(offsets, (each) => isBracket(each, length), tokens.length)
  ) {
    throw wrong('"offsets" must hold one [begin, end) pair within "text" for each token');
  }
  for (const { list, item, isItem } of BRACKET_FIELDS) {
    const items = record[list];
    if (items === undefined) continue;
    if (!(Array.isArray(items) && items.length === brackets.length && items.every(isItem))) {
      throw wrong(`"${list}" must hold one ${item} for each bracket`);
    }
  }
  if (page !== undefined && !isPage(page)) {
    throw wrong('"page" must be of the form {"id": "…", "title": "…"}');
  }
  if (complete !== undefined && typeof complete !== "boolean") {
    throw wrong('"complete" must be true or false');
  }
  if (language !== undefined && !(isString(language) && parseCode(language))) {
    throw wrong('"language" must be a code such as "de"');
  }
  return { ...record, tokens, brackets, source, id } as Bracketing;
}

function isListOf<T>(
  value: unknown,
  check: (item: unknown) => item is T,
  length?: number,
): value is T[] {
  return (
    Array.isArray(value) && (length === undefined || value.length === length) && value.every(check)
  );
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

function isPage(value: unknown): value is Bracketing["page"] {
  const { id, title } = (value ?? {}) as Record<string, unknown>;
  return isString(id) && isString(title);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isBracket(value: unknown, length: number): value is Bracket {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [begin, end] = value as unknown[];
  return (
    Number.isInteger(begin) &&
    Number.isInteger(end) &&
    (begin as number) >= 0 &&
    (begin as number) < (end as number) &&
    (end as number) <= length
  );
}
