/**
 * What people answered to "is this a phrase?", as a log: one JSON object per line, an answer or the undoing of one. The
 * log is only ever appended to, so nothing that was answered can be lost by a crash. answer-book.ts tells what counts.
 */

import { InputError, type Place } from "../errors.js";
import { hashText } from "../hash.js";
import type { Span } from "../trees/tree.js";
import type { Bracket } from "./record.js";
import { tokenKey } from "./sentence-keys.js";

/** What somebody says about a span. */
export type Verdict = "yes" | "no" | "skip";

/** An answer to a question. */
export interface AnswerEvent {
  /** The id of the question. */
  readonly question: string;
  /** The words of the sentence. */
  readonly tokens: readonly string[];
  /** The span that was asked about. */
  readonly span: Bracket;
  /** What was answered. */
  readonly verdict: Verdict;
  /** A phrase that was marked in place of the span. */
  readonly right?: Bracket | undefined;
  /** Who answered. */
  readonly by: string;
  /** When, as an ISO date. */
  readonly at: string;
  /** How probable "yes" was for the parser that asked. */
  readonly probability?: number | undefined;
  /** Whether it is for measuring only: nothing is learnt from it. */
  readonly measure?: boolean | undefined;
}

/** Takes back somebody's answer to a question. */
export interface UndoEvent {
  /** The id of the question. */
  readonly undo: string;
  /** Who takes it back. */
  readonly by: string;
  /** When, as an ISO date. */
  readonly at: string;
}

/** A line of the log. */
export type AnnotationEvent = AnswerEvent | UndoEvent;

/** Whether a text begins like a log. */
export function looksLikeAnnotations(head: string): boolean {
  return /^\s*\{"(?:question|undo)":/.test(head);
}

/** A line of the log, with its line break. */
export function toEventLine(event: AnnotationEvent): string {
  return `${JSON.stringify(event)}\n`;
}

/**
 * Reads and checks a line of the log.
 *
 * @throws InputError if it is neither an answer nor the undoing of one.
 */
export function parseEvent(line: string, place: Place = {}): AnnotationEvent {
  const wrong = (what: string) =>
    new InputError(
      what,
      place,
      "this is not a file of answers from bracken annotate, or it was edited",
    );
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw wrong("not valid JSON");
  }
  const event = (value ?? {}) as Record<string, unknown>;
  if (typeof event.by !== "string" || typeof event.at !== "string") {
    throw wrong('"by" and "at" must say who answered, and when');
  }
  if (typeof event.undo === "string") return event as unknown as UndoEvent;
  const { question, tokens, span, verdict, right } = event;
  if (typeof question !== "string") throw wrong('neither "question" nor "undo" names a question');
  if (!(Array.isArray(tokens) && tokens.every((token) => typeof token === "string" && token))) {
    throw wrong('"tokens" must be a list of non-empty strings');
  }
  const isSpan = (each: unknown) => isSpanWithin(each, tokens.length);
  if (!isSpan(span) || (right !== undefined && !isSpan(right))) {
    throw wrong(`"span" must be a [begin, end) pair within the ${tokens.length} tokens`);
  }
  if (!["yes", "no", "skip"].includes(verdict as string)) {
    throw wrong('"verdict" must be yes, no or skip');
  }
  return event as unknown as AnswerEvent;
}

function isSpanWithin(value: unknown, size: number): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [begin, end] = value as number[];
  return (
    Number.isInteger(begin) &&
    Number.isInteger(end) &&
    0 <= Number(begin) &&
    Number(begin) < Number(end) &&
    Number(end) <= size
  );
}

/** The id of a sentence in questions: the same for the same words, in whatever file they are. */
export function sentenceId(tokens: readonly string[]): string {
  const key = tokenKey(tokens);
  // 64 bits: among a million sentences two have the same with a probability of 1 in 40 million.
  return [1, 2].map((seed) => (hashText(key, seed) >>> 0).toString(36).padStart(7, "0")).join("");
}

/** The id of the question whether a span is a phrase. */
export function questionId(sentence: string, { begin, end }: Span): string {
  return `${sentence}/${begin}-${end}`;
}

/** The sentence and the span that a question is about; undefined if it is no id of a question. */
export function parseQuestionId(id: string): { sentence: string; span: Span } | undefined {
  const [, sentence, begin, end] = /^(.+)\/(\d{1,6})-(\d{1,6})$/s.exec(id) ?? [];
  if (sentence === undefined) return undefined;
  return { sentence, span: { begin: Number(begin), end: Number(end) } };
}
