/**
 * A source of brackets: a name, a way to recognise it, and sentences with brackets. Sources of answers read files
 * that may refer to each other. Sources of documents only say how a document is stored: links/ reads each
 * document by itself, in any worker.
 */

import type { RawSentence } from "../../brackets/raw-sentence.js";
import { InputError, type Place } from "../../errors.js";
import type { TextInput } from "../../files/text-input.js";
import type { Language } from "../../languages/index.js";
import type { DocumentFormat } from "../links/articles.js";
import type { BlockKind } from "../links/marked.js";

/** Which brackets a source gives. */
export interface SourceOptions {
  /** `qasrl`: also bracket verbs with the answers to questions about them. */
  readonly predicates?: boolean | undefined;
  /** `qasrl`: like `predicates`, and also bracket clauses, and verbs with each of their auxiliaries. */
  readonly clauses?: boolean | undefined;
  /** `qasrl-gs`: find answers by their text (all exact matches), not by their offsets. */
  readonly matchText?: boolean | undefined;
  /** Vote for the names of phrases, by the questions that brackets answer among others. */
  readonly labels?: boolean | undefined;
}

/** How a source handles malformed input, and where it counts what it leaves out. */
export interface SourceContext extends SourceOptions {
  /** The language of the text; English by default. */
  readonly language?: Language | undefined;
  /** Does the work. An InputError ends the extraction or, with `skipBad`, is counted and gives undefined. */
  attempt<T>(work: () => T): T | undefined;
  /** Counts something that is left out. */
  drop(reason: string, count?: number): void;
}

interface SourceDescription {
  /** Its name in records and in the options of `extract`. */
  readonly name: string;
  /** A description in one line. */
  readonly summary: string;
  /** The extensions of its files in a folder. */
  readonly extensions: readonly string[];
  /** Whether a text that begins like this is from this source. */
  recognises(head: string): boolean;
}

/** A source of question-answer data, or of brackets in its own format. */
export interface AnswerSource extends SourceDescription {
  /** The sentences of all inputs. Inputs may be tables that others refer to, in any order. */
  read(inputs: readonly TextInput[], context: SourceContext): AsyncIterable<RawSentence>;
}

/** A source of documents in which people marked words: pages, articles, dumps of a wiki. */
export interface DocumentSource extends SourceDescription {
  /** How a document is stored; "page" stands for dumps of a wiki in any format. */
  readonly format: DocumentFormat;
  /** The blocks from which sentences are taken by default. */
  readonly blocks: readonly BlockKind[];
  /** The kinds of marks that become brackets by default; links alone if it does not say. */
  readonly kinds?: readonly string[] | undefined;
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
    "check that the file is complete and from this source, or skip such lines with --skip-bad",
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
      "the file may be truncated: download it again, or skip such lines with --skip-bad",
    );
  }
}

/** What is read from each line of JSON lines; blank lines are passed over. */
export async function* readJsonLines<Item>(
  input: TextInput,
  context: SourceContext,
  read: (record: unknown, place: Place) => Iterable<Item>,
): AsyncGenerator<Item> {
  for await (const { text, line } of input.lines()) {
    if (text.trim() === "") continue;
    const place = { file: input.name, line };
    const found = context.attempt(() => read(parseJson(text, place), place));
    if (found) yield* found;
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
    `span [${begin}, ${end}) is not within the ${tokens} tokens`,
    place,
    "check that the file belongs to these sentences, or skip such lines with --skip-bad",
  );
}

/** All places where the words follow each other in the sentence, as [begin, end). */
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
