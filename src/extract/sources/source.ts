/**
 * What a source of brackets is: a name, a way to be recognised, and sentences with brackets. Sources of
 * answers read them from files that may refer to each other. Sources of documents need no more than the
 * form of a document: links/ takes it apart, in any worker, whatever came before.
 */

import type { RawSentence } from "../../brackets/raw-sentence.js";
import { InputError, type Place } from "../../errors.js";
import type { TextInput } from "../../files/input.js";
import type { Language } from "../../languages/index.js";
import type { DocumentFormat } from "../links/articles.js";
import type { BlockKind } from "../links/marked.js";

/** What a source is asked for. */
export interface SourceOptions {
  /** Also bracket verbs with what was asked of them (`qasrl`). */
  readonly predicates?: boolean | undefined;
  /** With `predicates`: also bracket whole clauses, and verbs with each of their auxiliaries. */
  readonly clauses?: boolean | undefined;
  /** Find answers by their text, all exact matches, in place of the offsets given (`qasrl-gs`). */
  readonly matchText?: boolean | undefined;
}

/** How a source meets a malformed part of its input, and where it counts what it leaves out. */
export interface SourceContext extends SourceOptions {
  /** The text's language; English unless given. */
  readonly language?: Language | undefined;
  /** Runs the work; a malformed part stops everything, or is counted and undefined comes back. */
  attempt<T>(work: () => T): T | undefined;
  /** Counts something that is left out by rule. */
  drop(reason: string, count?: number): void;
}

interface SourceDescription {
  /** The name that records carry and `extract` takes. */
  readonly name: string;
  /** One line for people. */
  readonly summary: string;
  /** The endings of its files in a folder. */
  readonly extensions: readonly string[];
  /** Whether a text that begins like this is of this source. */
  recognises(head: string): boolean;
}

/** A source of question-answer data, or of brackets in any form of its own. */
export interface AnswerSource extends SourceDescription {
  /** The sentences of all inputs, which may hold tables that others refer to, in any order. */
  read(inputs: readonly TextInput[], context: SourceContext): AsyncIterable<RawSentence>;
}

/** A source of documents in which people marked words: pages, articles, dumps of a wiki. */
export interface DocumentSource extends SourceDescription {
  /** How a document is stored; "page" stands for dumps of a wiki in any form. */
  readonly format: DocumentFormat;
  /** The blocks that sentences are taken from unless others are asked for. */
  readonly blocks: readonly BlockKind[];
}

/** Where brackets come from. */
export type Source = AnswerSource | DocumentSource;

export function isDocumentSource(source: Source): source is DocumentSource {
  return "format" in source;
}

/** The value at a key of a JSON object, or an error that names what is missing. */
export function field<T>(
  value: unknown,
  key: string,
  check: (found: unknown) => found is T,
  place: Place,
): T {
  const found = (value as Record<string, unknown> | null | undefined)?.[key];
  if (check(found)) return found;
  throw new InputError(
    `"${key}" is ${found === undefined ? "missing" : "not of the expected type"}`,
    place,
    "check that the file is whole and of this source, or go on without such lines: --skip-bad",
  );
}

export function isString(value: unknown): value is string {
  return typeof value === "string";
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

export function isTokenList(value: unknown): value is string[] {
  return (
    Array.isArray(value) && value.length > 0 && value.every((each) => each !== "" && isString(each))
  );
}

export function parseJson(text: string, place: Place): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InputError(
      "not valid JSON",
      place,
      "the line may be cut off: fetch the file again, or go on without such lines: --skip-bad",
    );
  }
}

/** A span within a sentence, or an error that names it. */
export function checkSpan(begin: number, end: number, tokens: number, place: Place): void {
  if (
    Number.isInteger(begin) &&
    Number.isInteger(end) &&
    0 <= begin &&
    begin < end &&
    end <= tokens
  ) {
    return;
  }
  throw new InputError(
    `span [${begin}, ${end}) does not lie within the ${tokens} tokens`,
    place,
    "check that the file belongs to these sentences, or go on without such lines: --skip-bad",
  );
}

/** All places where the words stand next to each other in the sentence, as [begin, end). */
export function findMatches(
  words: readonly string[],
  tokens: readonly string[],
): [begin: number, end: number][] {
  const found: [number, number][] = [];
  if (words.length === 0) return found;
  for (let begin = 0; begin + words.length <= tokens.length; begin++) {
    if (words.every((word, index) => tokens[begin + index] === word)) {
      found.push([begin, begin + words.length]);
    }
  }
  return found;
}
