/**
 * The answers of a log that count: the last of each person to each question, unless it was undone. They become
 * Bracketings: "yes" is a bracket, "no" a fragment.
 */

import { type Agreement, agreementOf } from "./agreement.js";
import type { AnnotationEvent, AnswerEvent } from "./annotation-log.js";
import { type Bracket, type Bracketing, FRAGMENT } from "./record.js";
import { tokenKey } from "./sentence-keys.js";

/** The kind of a bracket that somebody said "yes" to, or marked. */
export const ANSWERED = "annotation";

/** The source of Bracketings that are made of answers. */
export const ANNOTATIONS = "annotations";

/** What people say about a span; undefined where they skipped the question, or as many say yes as no. */
export interface JudgedSpan {
  readonly bracket: Bracket;
  readonly isPhrase: boolean | undefined;
}

/** How many answers there are; skipped questions are counted apart. */
export interface AnswerCounts {
  /** Answers to learn from. */
  readonly learning: number;
  /** Answers for measuring only. */
  readonly heldBack: number;
  readonly skipped: number;
  /** Answers by person, in the order of their first ones. */
  readonly people: ReadonlyMap<string, number>;
}

export class AnswerBook {
  /** By question, then by person. */
  readonly #answers = new Map<string, Map<string, AnswerEvent>>();
  /** By person, then by question, in the order in which they were given. */
  readonly #people = new Map<string, Map<string, AnswerEvent>>();
  /** The questions about a sentence, by its words. */
  readonly #sentences = new Map<string, Set<string>>();

  /** Enters an event of the log. */
  add(event: AnnotationEvent): void {
    const question = "undo" in event ? event.undo : event.question;
    const given = entryOf(this.#answers, question, () => new Map<string, AnswerEvent>());
    const own = entryOf(this.#people, event.by, () => new Map<string, AnswerEvent>());
    // Also if the same person answered before: the newest answer comes last.
    given.delete(event.by);
    own.delete(question);
    if ("undo" in event) return;
    given.set(event.by, event);
    own.set(question, event);
    entryOf(this.#sentences, tokenKey(event.tokens), () => new Set<string>()).add(question);
  }

  /** The answers to a question. */
  answersTo(question: string): AnswerEvent[] {
    return [...(this.#answers.get(question)?.values() ?? [])];
  }

  /** All answers, by question. */
  *answers(): Generator<AnswerEvent> {
    for (const given of this.#answers.values()) yield* given.values();
  }

  /** The newest answer of a person; undefined if there is none that was not undone. */
  lastBy(person: string): AnswerEvent | undefined {
    return [...(this.#people.get(person)?.values() ?? [])].at(-1);
  }

  /** How many answers there are. */
  counts(): AnswerCounts {
    let [learning, heldBack, skipped] = [0, 0, 0];
    for (const { verdict, measure } of this.answers()) {
      if (verdict === "skip") skipped += 1;
      else if (measure) heldBack += 1;
      else learning += 1;
    }
    const people = [...this.#people].map(([name, given]) => {
      const said = [...given.values()].filter(({ verdict }) => verdict !== "skip");
      return [name, said.length] as const;
    });
    return { learning, heldBack, skipped, people: new Map(people) };
  }

  /** How far people agree on questions that several answered; skipped ones do not count. */
  agreement(): Agreement {
    const said = [...this.#answers.values()].map((given) => {
      const counted = [...given].filter(([, { verdict }]) => verdict !== "skip");
      return new Map(counted.map(([name, { verdict }]) => [name, verdict === "yes"] as const));
    });
    return agreementOf(said);
  }

  /** What is known about the spans of a sentence. */
  judged(tokens: readonly string[]): JudgedSpan[] {
    const votes = new SentenceVotes();
    for (const question of this.#sentences.get(tokenKey(tokens)) ?? []) {
      for (const answer of this.answersTo(question)) votes.add(answer);
    }
    return votes.judged();
  }

  /**
   * The answers as Bracketings, one per sentence, in the order of the first answers. Where people disagree about a
   * span the majority counts; a tie says nothing. Sentences with nothing but skipped questions are left out.
   *
   * @param measure whether to give the answers that are for measuring, in place of those to learn from.
   */
  records({ measure = false } = {}): Bracketing[] {
    const sentences = new Map<string, { first: AnswerEvent; votes: SentenceVotes }>();
    for (const answer of this.answers()) {
      if ((answer.measure ?? false) !== measure) continue;
      const key = tokenKey(answer.tokens);
      const make = () => ({ first: answer, votes: new SentenceVotes() });
      entryOf(sentences, key, make).votes.add(answer);
    }
    return [...sentences.values()].flatMap(({ first, votes }) => votes.record(first) ?? []);
  }
}

/** Votes on the spans of one sentence. */
class SentenceVotes {
  readonly #spans = new Map<string, { bracket: Bracket; yes: number; no: number }>();

  add({ span, verdict, right }: AnswerEvent): void {
    this.#vote(span, verdict === "yes" ? 1 : 0, verdict === "no" ? 1 : 0);
    if (right && verdict !== "skip") this.#vote(right, 1, 0);
  }

  #vote(bracket: Bracket, yes: number, no: number): void {
    const votes = entryOf(this.#spans, bracket.join(), () => ({ bracket, yes: 0, no: 0 }));
    votes.yes += yes;
    votes.no += no;
  }

  judged(): JudgedSpan[] {
    return [...this.#spans.values()].map(({ bracket, yes, no }) => {
      return { bracket, isPhrase: yes === no ? undefined : yes > no };
    });
  }

  record({ tokens, question }: AnswerEvent): Bracketing | undefined {
    const decided = [...this.#spans.values()].filter(({ yes, no }) => yes !== no);
    if (decided.length === 0) return undefined;
    return {
      tokens,
      brackets: decided.map(({ bracket }) => bracket),
      source: ANNOTATIONS,
      id: question,
      weights: decided.map(({ yes, no }) => Math.abs(yes - no)),
      kinds: decided.map(({ yes, no }) => (yes > no ? ANSWERED : FRAGMENT)),
    };
  }
}

/** The entry of a map, made if there is none. */
function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}
