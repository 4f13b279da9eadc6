/**
 * The Bracketing: a sentence and the spans that people marked in it, noisy, partial, maybe in
 * conflict. One JSON object a line makes a data set, and everything that extracts, cleans, counts
 * or learns reads and writes it. Brackets are half-open, [begin, end) over tokens.
 */

import { InputError, type Place } from "../errors.js";
import type { Span } from "../trees/tree.js";
import { BRACKET_FIELDS, type BracketLists } from "./bracket-fields.js";

/** A half-open span over tokens. */
export type Bracket = readonly [begin: number, end: number];

/** A sentence and the spans that people marked in it. */
export interface Bracketing extends BracketLists {
  readonly tokens: readonly string[];
  readonly brackets: readonly Bracket[];
  /** Where it is from: "qasrl", "wikipedia", … */
  readonly source: string;
  readonly id: string;
  /** The sentence as it was written. */
  readonly text?: string;
  /** For each token its half-open place in `text`, in UTF-16 code units. */
  readonly offsets?: readonly Bracket[];
  /** The page that the sentence stands on: an encyclopaedia's article, a site's file. */
  readonly page?: { readonly id: string; readonly title: string };
}

/** Kind of a bracket that models gave; its weight is its probability. */
export const SOFT_LABEL = "soft-label";

/** Kind of a second entry for a soft label; its weight is the probability that the span is a phrase. */
export const PHRASE_PROBABILITY = "phrase-probability";

/** The kind of a second entry for a bracket, which says that no phrase is inside; see flat.ts. */
export const CHUNK = "chunk";

/** The kind of an entry that says of a span that it is no phrase; it may be a bracket of trees. */
export const FRAGMENT = "fragment";

/** Whether an entry says something of phrases without being a bracket itself. */
export function isMark(kind: string | undefined): boolean {
  return kind === CHUNK || kind === FRAGMENT || kind === PHRASE_PROBABILITY;
}

/** A bracket that can teach something: two or more tokens, and not the whole sentence. */
export function isMultiToken([begin, end]: Bracket, tokens: number): boolean {
  return end - begin >= 2 && end - begin < tokens;
}

/** A bracket as an object. */
export function toSpan([begin, end]: Bracket): Span {
  return { begin, end };
}

/** The distinct spans of brackets, whatever their kinds. */
export function distinctSpans({ brackets, kinds }: Bracketing): Bracket[] {
  const given = brackets.filter((_, index) => !isMark(kinds?.[index]));
  return [...new Map(given.map((bracket) => [bracket.join(), bracket])).values()];
}

/** A record as a line of a data set. */
export function toLine(bracketing: Bracketing): string {
  return `${JSON.stringify(bracketing)}\n`;
}

/** One line of a data set, checked. */
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
  const { tokens, brackets, source = "", id = "", text, offsets, page } = record;
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
