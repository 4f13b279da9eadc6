/**
 * What people answered to "is this a phrase?", as a log: one JSON object per line, an answer or the undoing of one. The
 * log is only ever appended to, so nothing that was answered can be lost by a crash. It becomes Bracketings: "yes" is a
 * bracket, "no" a fragment.
 */

import { InputError, type Place } from "../errors.js";
import { type Bracket, type Bracketing, FRAGMENT } from "./record.js";
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

/** The kind of a bracket that somebody said "yes" to, or marked. */
export const ANSWERED = "annotation";

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
    new InputError(what, place, "the file is not a log of bracken annotate, or was edited");
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

/** How far people agree on questions that several answered. */
export interface Agreement {
  /** Pairs of answers, by two people, to the same question. */
  readonly pairs: number;
  /** The share of pairs that are equal. */
  readonly share: number;
  /** The same beyond chance (Scott's π). */
  readonly kappa: number;
}

/** All answers that count: the last of each person to each question, if it was not undone. */
export class AnswerBook {
  /** By question, then by person. */
  readonly #answers = new Map<string, Map<string, AnswerEvent>>();

  /** Enters an event of the log. */
  add(event: AnnotationEvent): void {
    const question = "undo" in event ? event.undo : event.question;
    const given = this.#answers.get(question) ?? new Map<string, AnswerEvent>();
    this.#answers.set(question, given);
    // Also if the same person answered before: the newest answer comes last.
    given.delete(event.by);
    if (!("undo" in event)) given.set(event.by, event);
  }

  /** The answers to a question. */
  answersTo(question: string): AnswerEvent[] {
    return [...(this.#answers.get(question)?.values() ?? [])];
  }

  /** All answers, by question. */
  *answers(): Generator<AnswerEvent> {
    for (const given of this.#answers.values()) yield* given.values();
  }

  /** How far people agree; skipped questions do not count. */
  agreement(): Agreement {
    let [pairs, equal, yes, all] = [0, 0, 0, 0];
    for (const given of this.#answers.values()) {
      const verdicts = [...given.values()].map(({ verdict }) => verdict);
      const counted = verdicts.filter((verdict) => verdict !== "skip");
      if (counted.length < 2) continue;
      const agreeing = counted.filter((verdict) => verdict === "yes").length;
      const others = counted.length - agreeing;
      pairs += (counted.length * (counted.length - 1)) / 2;
      equal += (agreeing * (agreeing - 1) + others * (others - 1)) / 2;
      yes += agreeing;
      all += counted.length;
    }
    const share = pairs === 0 ? 1 : equal / pairs;
    const chance = all === 0 ? 1 : (yes / all) ** 2 + (1 - yes / all) ** 2;
    return { pairs, share, kappa: chance === 1 ? 1 : (share - chance) / (1 - chance) };
  }

  /**
   * The answers as Bracketings, one per sentence, in the order of the first answers. Where people disagree about a
   * span the majority counts; a tie says nothing. Sentences with nothing but skipped questions are left out.
   *
   * @param measure whether to give the answers that are for measuring, in place of those to learn from.
   */
  records({ measure = false } = {}): Bracketing[] {
    const sentences = new Map<string, SentenceVotes>();
    for (const answer of this.answers()) {
      if ((answer.measure ?? false) !== measure || answer.verdict === "skip") continue;
      const key = tokenKey(answer.tokens);
      const votes = sentences.get(key) ?? new SentenceVotes(answer);
      sentences.set(key, votes);
      votes.add(answer);
    }
    return [...sentences.values()].flatMap((votes) => votes.record() ?? []);
  }
}

/** Votes on the spans of one sentence. */
class SentenceVotes {
  readonly #first: AnswerEvent;
  readonly #spans = new Map<string, { bracket: Bracket; yes: number; no: number }>();

  constructor(first: AnswerEvent) {
    this.#first = first;
  }

  add({ span, verdict, right }: AnswerEvent): void {
    this.#vote(span, verdict === "yes");
    if (right) this.#vote(right, true);
  }

  #vote(bracket: Bracket, isYes: boolean): void {
    const key = bracket.join();
    const votes = this.#spans.get(key) ?? { bracket, yes: 0, no: 0 };
    this.#spans.set(key, votes);
    if (isYes) votes.yes += 1;
    else votes.no += 1;
  }

  record(): Bracketing | undefined {
    const decided = [...this.#spans.values()].filter(({ yes, no }) => yes !== no);
    if (decided.length === 0) return undefined;
    const { tokens, question } = this.#first;
    return {
      tokens,
      brackets: decided.map(({ bracket }) => bracket),
      source: "annotations",
      id: question,
      weights: decided.map(({ yes, no }) => Math.abs(yes - no)),
      kinds: decided.map(({ yes, no }) => (yes > no ? ANSWERED : FRAGMENT)),
    };
  }
}
