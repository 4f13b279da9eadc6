/**
 * The fields of a bracket besides its place. While a sentence is collected, each bracket has them; a record has
 * them in lists parallel to its brackets. All code that checks, merges, cleans or writes brackets uses the table
 * at the end of this file: a new field is one line in each of the two interfaces and one row.
 */

import type { LabelVotes } from "../languages/labels.js";
import type { Span } from "../trees/tree.js";
import { isQuestion, type Question } from "./question.js";

/** One bracket, with all that its source knows about it. */
export interface RawBracket extends Span {
  /** "answer", "predicate", "link", "emphasis", … */
  readonly kind: string;
  /** Its annotators, by names that are unique within a source; absent if they are not known. */
  readonly annotators?: readonly string[] | undefined;
  /** How much it counts, possibly a fraction; by default the number of its annotators. */
  readonly weight?: number | undefined;
  /** What a link points to. */
  readonly target?: string | undefined;
  /** The questions that it answers. */
  readonly questions?: readonly Question[] | undefined;
  /** How likely each name of a phrase is its name. */
  readonly labels?: LabelVotes | undefined;
}

/** The lists of a record that are parallel to its brackets. */
export interface BracketLists {
  /** The number of annotators of each bracket; for soft labels, the probability. */
  readonly weights?: readonly number[];
  /** The kind of each bracket: "answer", "predicate", "link", "emphasis", … */
  readonly kinds?: readonly string[];
  /** What each link points to; "" if the bracket is not a link. */
  readonly targets?: readonly string[];
  /** The annotators of each bracket, as far as they are known. */
  readonly annotators?: readonly (readonly string[])[];
  /** The questions that each bracket answers. */
  readonly questions?: readonly (readonly Question[])[];
  /** Votes for the label of each bracket, {} if there are none. */
  readonly labels?: readonly LabelVotes[];
}

export type BracketListName = keyof BracketLists;

/** The weight of a bracket, given or counted. */
export function weightOf({ weight, annotators }: RawBracket): number {
  return weight ?? Math.max(1, annotators?.length ?? 0);
}

/**
 * Merges brackets of the same span and kind into one. A named annotator counts once, however often the name
 * occurs. The weight beyond the named annotators is added up, and so are weights without names.
 */
export function uniteBrackets(brackets: readonly [RawBracket, ...RawBracket[]]): RawBracket {
  const [first] = brackets;
  if (brackets.length === 1 && hasNoRepeats(first)) return first;
  const united: Record<string, unknown> = { ...first };
  for (const { key, unite } of BRACKET_FIELDS) {
    const value = unite(brackets);
    if (value !== undefined) united[key] = value;
  }
  return united as unknown as RawBracket;
}

/** Whether a bracket names each annotator and each question once: nearly all do. */
function hasNoRepeats({ annotators = [], questions = [] }: RawBracket): boolean {
  if (annotators.length > FEW || questions.length > 1) return false;
  return annotators.every((name, index) => annotators.indexOf(name) === index);
}

/** Up to this number, names are compared one by one. */
const FEW = 16;

/** The brackets of a record one by one, each with its items of the lists. */
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

/** The kind of a bracket whose record has no kinds. */
const DEFAULT_KIND = "bracket";

export interface BracketField {
  /** Its name in a record, and on a single bracket. */
  readonly list: BracketListName;
  readonly key: Exclude<keyof RawBracket, keyof Span>;
  /** What an item of the list must be, for error messages. */
  readonly item: string;
  isItem(value: unknown): boolean;
  toItem(bracket: RawBracket): unknown;
  /** The value of an item; undefined if it says nothing. */
  fromItem(item: unknown): unknown;
  /** The value of several brackets that become one; undefined if none has a value. */
  unite(brackets: readonly RawBracket[]): unknown;
  /** When a new record has the list: always, if any bracket has a value, or on request. */
  readonly written: "always" | "if known" | BracketRequest;
}

/** Options that ask for a list. */
export type BracketRequest = "keepAnnotators" | "keepQuestions";

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
    written: "keepAnnotators",
  },
  {
    list: "questions",
    key: "questions",
    item: 'list of questions, {"wh": "who"}',
    isItem: (value) => Array.isArray(value) && value.every(isQuestion),
    toItem: ({ questions }) => questions ?? [],
    fromItem: (item) => ((item as Question[]).length > 0 ? item : undefined),
    unite: uniteQuestions,
    written: "keepQuestions",
  },
  {
    list: "labels",
    key: "labels",
    item: 'object of labels and their probabilities, {"NP": 0.9}',
    isItem: isLabelVotes,
    toItem: ({ labels }) => labels ?? {},
    fromItem: (item) => (Object.keys(item as LabelVotes).length > 0 ? item : undefined),
    unite: uniteLabels,
    written: "if known",
  },
];

function uniteQuestions(brackets: readonly RawBracket[]): Question[] | undefined {
  const distinct = new Map<string, Question>();
  for (const { questions } of brackets) {
    for (const question of questions ?? []) distinct.set(JSON.stringify(question), question);
  }
  return distinct.size > 0 ? [...distinct.values()] : undefined;
}

/** The mean of the votes, by weight. */
function uniteLabels(brackets: readonly RawBracket[]): LabelVotes | undefined {
  const voting = brackets.flatMap(({ labels, ...bracket }) =>
    labels ? [{ votes: labels, weight: weightOf(bracket) }] : [],
  );
  return voting.length > 0 ? meanVotes(voting) : undefined;
}

/** The mean of votes, each with its weight. */
export function meanVotes(
  given: readonly { readonly votes: LabelVotes; readonly weight: number }[],
): LabelVotes {
  if (given.length === 1 && given[0]) return given[0].votes;
  const total = given.reduce((sum, { weight }) => sum + weight, 0);
  const mean: Record<string, number> = {};
  for (const { votes, weight } of given) {
    for (const [label, vote] of Object.entries(votes)) {
      mean[label] = (mean[label] ?? 0) + (vote * weight) / total;
    }
  }
  return mean;
}

/** Rounding may lift a sum of votes a little over 1. */
const MOST_VOTES = 1.01;

function isLabelVotes(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  const isVote = (vote: unknown) => typeof vote === "number" && vote >= 0 && vote <= 1;
  const sum = entries.reduce((total, [, vote]) => total + Number(vote), 0);
  return entries.every(([label, vote]) => label !== "" && isVote(vote)) && sum <= MOST_VOTES;
}

function uniteAnnotators(brackets: readonly RawBracket[]): string[] | undefined {
  const names = new Set<string>();
  for (const { annotators } of brackets) for (const name of annotators ?? []) names.add(name);
  return names.size > 0 ? [...names] : undefined;
}

/** Undefined, to be counted later, if no bracket has a weight of its own. */
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
