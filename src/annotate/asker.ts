/**
 * Which question whom: mostly the one that is expected to teach most; now and then one to measure on; and a small share
 * of those that somebody else has answered, to see how far people agree. Nobody is asked about a sentence that somebody
 * else is looking at.
 */

import { parseQuestionId, questionId } from "../brackets/annotation-log.js";
import type { AnswerBook } from "../brackets/answer-book.js";
import { type Bracket, isMultiToken, toSpan } from "../brackets/record.js";
import { hashText } from "../hash.js";
import { Random } from "../random.js";
import type { Span } from "../trees/tree.js";
import type { CorpusSentence } from "./corpus.js";
import { type Lease, Leases } from "./leases.js";
import { type Candidate, QuestionPool } from "./questions.js";

/** A question to a person: is this span a phrase? */
export interface Question extends Pick<CorpusSentence, "tokens" | "text" | "offsets"> {
  readonly id: string;
  readonly span: Bracket;
}

/** What a question is about. */
export interface AskedSpan {
  readonly sentence: CorpusSentence;
  readonly span: Span;
}

export interface AskerOptions {
  /** The share of answers that are for measuring. */
  readonly heldBack: number;
  /** The share of questions that two people are asked. */
  readonly twice: number;
  /** The time in milliseconds. */
  readonly now?: (() => number) | undefined;
}

/** How many sentences can be asked about by now, and how many there are. */
export interface Readiness {
  readonly scored: number;
  readonly sentences: number;
}

/** Questions are asked once so many sentences are ready, or all; the best of a few would not be good. */
const ENOUGH = 200;

/** One of so many questions of a person is one that somebody else has answered, as long as there are such. */
const REPEAT_EVERY = 3;

const TWICE_SEED = 7;
const DRAW_SEED = 1;

export class Asker {
  readonly #options: AskerOptions;
  readonly #sentences: ReadonlyMap<string, CorpusSentence>;
  readonly #book: AnswerBook;
  readonly #leases: Leases;
  readonly #random = new Random(DRAW_SEED);
  /** Sentences whose answers are learnt from, and sentences to measure on. */
  readonly #learning: QuestionPool;
  readonly #measuring: QuestionPool;

  constructor(sentences: readonly CorpusSentence[], book: AnswerBook, options: AskerOptions) {
    this.#options = options;
    this.#book = book;
    this.#leases = new Leases(options.now);
    this.#sentences = new Map(sentences.map((sentence) => [sentence.id, sentence]));
    this.#learning = new QuestionPool(sentences.filter(({ isHeldBack }) => !isHeldBack));
    this.#measuring = new QuestionPool(sentences.filter(({ isHeldBack }) => isHeldBack));
    for (const sentence of sentences) this.tell(sentence);
  }

  /** The sentences with answers to learn from, or those to measure on, with their pool. */
  side(isHeldBack: boolean): { readonly sentences: CorpusSentence[]; readonly pool: QuestionPool } {
    const sentences = [...this.#sentences.values()].filter(
      (each) => each.isHeldBack === isHeldBack,
    );
    return { sentences, pool: isHeldBack ? this.#measuring : this.#learning };
  }

  get ready(): Readiness {
    const [learning, measuring] = [this.#learning.ready, this.#measuring.ready];
    return {
      scored: learning.scored + measuring.scored,
      sentences: learning.sentences + measuring.sentences,
    };
  }

  /** The next question to a person; undefined if there is none, or none yet. A person who asks again gets the same. */
  question(by: string): Question | undefined {
    const held = this.#leases.renew(by);
    if (held) return this.find(held.question);
    const next = this.#repeated(by) ?? this.#fresh(by);
    if (!next) return undefined;
    const { sentence, span, probability } = next;
    this.give(by, questionId(sentence.id, span), probability);
    return this.find(questionId(sentence.id, span));
  }

  /** Lets a person look at a question; nobody else is asked about its sentence meanwhile. */
  give(by: string, question: string, probability: number | undefined): void {
    const sentence = parseQuestionId(question)?.sentence;
    if (sentence !== undefined) this.#leases.take(by, { question, sentence, probability });
  }

  /** What a person is looking at. */
  heldBy(by: string): Lease | undefined {
    return this.#leases.renew(by);
  }

  /** Frees a question, if the person still has it. */
  free(by: string, question: string): void {
    if (this.#leases.renew(by)?.question === question) this.#leases.release(by);
  }

  #repeated(by: string): (AskedSpan & Pick<Candidate, "probability">) | undefined {
    const own = this.#book.counts().people.get(by) ?? 0;
    if (own % REPEAT_EVERY !== REPEAT_EVERY - 1) return undefined;
    for (const { question, verdict, by: other, probability = 0.5 } of this.#book.answers()) {
      if (other === by || verdict === "skip" || !this.#isForTwo(question)) continue;
      const about = this.about(question);
      if (!about || this.#leases.isTaken(about.sentence.id, by)) continue;
      if (this.#book.answersTo(question).length === 1) return { ...about, probability };
    }
    return undefined;
  }

  /** By its id alone, so that neither the model nor the first answer has a say. */
  #isForTwo(question: string): boolean {
    return hashText(question, TWICE_SEED) >>> 0 < this.#options.twice * 2 ** 32;
  }

  #fresh(by: string): Candidate | undefined {
    const { scored, sentences } = this.ready;
    if (scored < Math.min(ENOUGH, sentences)) return undefined;
    const isFree = ({ sentence }: Candidate) => !this.#leases.isTaken(sentence.id, by);
    const learn = () => this.#learning.best(isFree);
    const measure = () => this.#measuring.random(this.#random, isFree);
    const { learning, heldBack } = this.#book.counts();
    const isToMeasure = heldBack + 0.5 < this.#options.heldBack * (learning + heldBack + 1);
    return isToMeasure ? (measure() ?? learn()) : (learn() ?? measure());
  }

  /** The question with that id, also if it was given out before this session; undefined if there is none. */
  find(id: string): Question | undefined {
    const about = this.about(id);
    if (!about) return undefined;
    const { tokens, text, offsets } = about.sentence;
    const { begin, end } = about.span;
    return { id, tokens, ...(text && offsets ? { text, offsets } : {}), span: [begin, end] };
  }

  /** What a question is about; undefined if it is none about this corpus. */
  about(id: string): AskedSpan | undefined {
    const parsed = parseQuestionId(id);
    const sentence = parsed && this.#sentences.get(parsed.sentence);
    if (!sentence) return undefined;
    const { begin, end } = parsed.span;
    return isPhraseSized([begin, end], sentence) ? { sentence, span: parsed.span } : undefined;
  }

  /** Tells what is known about a sentence by now. */
  tell({ id, tokens, isHeldBack }: CorpusSentence): void {
    const known = this.#book.judged(tokens).map(({ bracket, isPhrase }) => {
      return { span: toSpan(bracket), isPhrase };
    });
    this.side(isHeldBack).pool.know(id, known);
  }
}

/** Whether a bracket has two or more words of the sentence, but not all. */
export function isPhraseSized(bracket: Bracket, { tokens }: CorpusSentence): boolean {
  const [begin, end] = bracket;
  return begin >= 0 && end <= tokens.length && isMultiToken(bracket, tokens.length);
}
