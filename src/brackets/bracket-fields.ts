/**
 * What is known of a bracket beyond its place. A sentence that is being collected has it on each
 * bracket; a record has it in lists parallel to its brackets. All that checks, merges, cleans or
 * writes brackets goes by the table at the end of this file: a new field is one line in each of the
 * two interfaces and one row.
 */

import type { Span } from "../trees/tree.js";

/** One bracket, with all that its source knows of it. */
export interface RawBracket extends Span {
  readonly kind: string;
  /** Who gave it, by names that are unique within a source; absent where nobody is known. */
  readonly annotators?: readonly string[] | undefined;
  /** How much it counts, which may be a fraction; the number of its annotators unless given. */
  readonly weight?: number | undefined;
  /** What a link points to. */
  readonly target?: string | undefined;
}

/** The lists of a record that are parallel to its brackets. */
export interface BracketLists {
  /** How many annotators gave each bracket; of soft labels, the probability. */
  readonly weights?: readonly number[];
  /** "answer", "predicate", "link", "emphasis", … */
  readonly kinds?: readonly string[];
  /** What a link points to, "" where the bracket is no link. */
  readonly targets?: readonly string[];
  /** Who gave each bracket, as far as known. */
  readonly annotators?: readonly (readonly string[])[];
}

export type BracketListName = keyof BracketLists;

/** The weight that a bracket has, given or counted. */
export function weightOf({ weight, annotators }: RawBracket): number {
  return weight ?? Math.max(1, annotators?.length ?? 0);
}

/**
 * Brackets of the same span and kind as one. People who are known count once, however often they are
 * named; what a weight says beyond the named people adds up, and so do weights without any names.
 */
export function uniteBrackets(brackets: readonly [RawBracket, ...RawBracket[]]): RawBracket {
  const united: Record<string, unknown> = { ...brackets[0] };
  for (const { key, unite } of BRACKET_FIELDS) {
    const value = unite(brackets);
    if (value !== undefined) united[key] = value;
  }
  return united as unknown as RawBracket;
}

/** A record's brackets one by one, each with its items of the lists. */
export function toRawBrackets(
  record: BracketLists & { readonly brackets: readonly (readonly [number, number])[] },
): RawBracket[] {
  const lists = BRACKET_FIELDS.filter(({ list }) => record[list] !== undefined);
  return record.brackets.map(([begin, end], index) => {
    const bracket: Record<string, unknown> = { begin, end, kind: DEFAULT_KIND };
    for (const { list, key, fromItem } of lists) bracket[key] = fromItem(record[list]?.[index]);
    return bracket as unknown as RawBracket;
  });
}

/** The chosen lists, parallel to the brackets. */
export function toLists(
  brackets: readonly RawBracket[],
  isChosen: (field: BracketField) => boolean,
): BracketLists {
  const lists: Partial<Record<BracketListName, unknown[]>> = {};
  for (const field of BRACKET_FIELDS) {
    if (isChosen(field)) lists[field.list] = brackets.map(field.toItem);
  }
  return lists as BracketLists;
}

/** Of a bracket whose record does not say what it is. */
const DEFAULT_KIND = "bracket";

export interface BracketField {
  /** Its name in a record, and on a single bracket. */
  readonly list: BracketListName;
  readonly key: Exclude<keyof RawBracket, keyof Span>;
  /** What an item of the list must be, for error messages. */
  readonly item: string;
  isItem(value: unknown): boolean;
  toItem(bracket: RawBracket): unknown;
  /** What an item says; undefined where that is nothing. */
  fromItem(item: unknown): unknown;
  /** The value of several brackets that become one; undefined where none has any. */
  unite(brackets: readonly RawBracket[]): unknown;
  /** Whether a new record has the list: always, where a bracket has a value, or on request. */
  readonly written: "always" | "if known" | "on request";
}

export const BRACKET_FIELDS: readonly BracketField[] = [
  {
    list: "weights",
    key: "weight",
    item: "number above 0",
    isItem: (value) => typeof value === "number" && value > 0 && Number.isFinite(value),
    toItem: weightOf,
    fromItem: (item) => item,
    unite: uniteWeights,
    written: "always",
  },
  {
    list: "kinds",
    key: "kind",
    item: "string",
    isItem: (value) => typeof value === "string" && value !== "",
    toItem: ({ kind }) => kind,
    fromItem: (item) => item,
    unite: ([first]) => first?.kind,
    written: "always",
  },
  {
    list: "targets",
    key: "target",
    item: "string",
    isItem: (value) => typeof value === "string",
    toItem: ({ target }) => target ?? "",
    fromItem: (item) => item,
    unite: (brackets) => (brackets.find(({ target }) => target) ?? brackets[0])?.target,
    written: "if known",
  },
  {
    list: "annotators",
    key: "annotators",
    item: "list of names",
    isItem: (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
    toItem: ({ annotators }) => annotators ?? [],
    fromItem: (item) => ((item as string[]).length > 0 ? item : undefined),
    unite: uniteAnnotators,
    written: "on request",
  },
];

function uniteAnnotators(brackets: readonly RawBracket[]): string[] | undefined {
  const names = new Set<string>();
  for (const { annotators } of brackets) for (const name of annotators ?? []) names.add(name);
  return names.size > 0 ? [...names] : undefined;
}

/** Left to be counted where every bracket leaves it so. */
function uniteWeights(brackets: readonly RawBracket[]): number | undefined {
  const isCounted = brackets.every(
    ({ weight, annotators }) => weight === undefined && annotators?.length,
  );
  if (isCounted) return undefined;
  if (brackets.length === 1) return brackets[0]?.weight;
  const unnamed = brackets.map((each) =>
    Math.max(0, weightOf(each) - (each.annotators?.length ?? 0)),
  );
  const named = uniteAnnotators(brackets)?.length ?? 0;
  return unnamed.reduce((sum, weight) => sum + weight, named);
}
