/**
 * Annotation as it goes on: questions to people, their answers in a log, models that learn from them in the background.
 * It is the one code behind `bracken annotate` and the routes of the service. An answer counts once it is on disk.
 */

import type { Agreement } from "../brackets/agreement.js";
import {
  type AnnotationEvent,
  type AnswerEvent,
  parseEvent,
  toEventLine,
  type Verdict,
} from "../brackets/annotation-log.js";
import { AnswerBook, type AnswerCounts } from "../brackets/answer-book.js";
import type { Bracket } from "../brackets/record.js";
import { tokenKey } from "../brackets/sentence-keys.js";
import { InputError } from "../errors.js";
import { Journal } from "../files/journal.js";
import { TextInput } from "../files/text-input.js";
import type { ModelFolder } from "../model/folder.js";
import { openModel } from "../model/open-model.js";
import { Asker, isPhraseSized, type Question, type Readiness } from "./asker.js";
import { type CorpusOptions, type CorpusSentence, readCorpus } from "./corpus.js";
import { type IndexedScores, type Learner, LearnerProcess } from "./learner.js";
import { type LessonPoint, type LessonState, Lessons } from "./lessons.js";

/** What somebody answers. */
export interface Answer {
  readonly question: string;
  readonly verdict: Verdict;
  /** The phrase that is there in place of the span, with the verdict "no". */
  readonly right?: Bracket | undefined;
}

/** Where everything stands. */
export interface AnnotationState extends AnswerCounts, LessonState {
  readonly agreement: Agreement;
  readonly ready: Readiness;
}

/** Options of annotation. */
export interface AnnotationOptions extends CorpusOptions {
  /** The log of answers; it is made if it is not there. */
  readonly log: string;
  /** The model to start from. */
  readonly from: string;
  /** The folder of the models that learn from the answers. */
  readonly learnIn: string;
  /** Learn after so many answers; 0 for never. */
  readonly learnEvery: number;
  /** The share of questions that two people are asked. */
  readonly twice: number;
  /** Called when something has changed. */
  readonly onChange?: (() => void) | undefined;
  /** Called with what a lesson gave, or why it failed. */
  readonly onLesson?: ((outcome: LessonPoint | Error) => void) | undefined;
  /** By default another process. */
  readonly learner?: Learner | undefined;
  /** The time in milliseconds. */
  readonly now?: (() => number) | undefined;
}

/** The usual choices. */
export const ANNOTATION_DEFAULTS = {
  pool: 1000,
  heldBack: 0.2,
  twice: 0.1,
  learnEvery: 50,
} as const;

/** The usual folder of the models: `my-models` for `my.jsonl`. */
export function learnFolder(log: string): string {
  return `${log.replace(/\.\w+$/, "")}-models`;
}

interface Parts {
  readonly from: ModelFolder;
  readonly journal: Journal;
  readonly book: AnswerBook;
  readonly learner: Learner;
  readonly sentences: readonly CorpusSentence[];
}

export class AnnotationSession {
  readonly #options: AnnotationOptions;
  readonly #parts: Parts;
  readonly #asker: Asker;
  readonly #closing = new AbortController();
  #lessons: Lessons | undefined;
  #problem: string | undefined;

  private constructor(options: AnnotationOptions, parts: Parts) {
    this.#options = options;
    this.#parts = parts;
    this.#asker = new Asker(parts.sentences, parts.book, options);
  }

  /**
   * Opens a log and begins to score the sentences of the corpus, which is not waited for.
   *
   * @throws InputError if the log, the corpus or the model cannot be used.
   */
  static async open(options: AnnotationOptions): Promise<AnnotationSession> {
    const from = await openModel(options.from);
    const corpus = await readCorpus(options, from.config);
    const journal = await Journal.open(options.log, isEvent);
    let learner: Learner | undefined;
    try {
      const book = await readBook(options.log);
      learner = options.learner ?? (await LearnerProcess.start({ threads: options.threads }));
      const sentences = keepSides(corpus, book);
      const session = new AnnotationSession(options, { from, journal, book, learner, sentences });
      await session.#begin();
      return session;
    } catch (error) {
      await learner?.close();
      await journal.close();
      throw error;
    }
  }

  async #begin(): Promise<void> {
    const { learnIn: folder, learnEvery: every } = this.#options;
    if (every > 0) {
      this.#lessons = await Lessons.open({
        ...{ ...this.#parts, folder, every },
        onModel: () => this.#score(false, this.#model),
        onChange: () => this.#changed(),
        onLesson: (outcome) => this.#options.onLesson?.(outcome),
      });
    }
    this.#scoreAll().catch((error: Error) => {
      if (this.#closing.signal.aborted) return;
      this.#problem = error.message;
      this.#changed();
    });
  }

  /** The folder of the model in use. */
  get #model(): string {
    return this.#lessons?.model ?? this.#parts.from.folder;
  }

  /** Questions to measure on always come from the doubts of the first model: all models get the same test. */
  async #scoreAll(): Promise<void> {
    await this.#score(false, this.#model);
    await this.#score(true, this.#parts.from.folder);
    this.#lessons?.proceed();
  }

  async #score(isHeldBack: boolean, model: string): Promise<void> {
    const { sentences, pool } = this.#asker.side(isHeldBack);
    const tokens = sentences.map((sentence) => sentence.tokens);
    const { learner } = this.#parts;
    const { signal } = this.#closing;
    const onScores = ({ index, ...scored }: IndexedScores) => {
      const { id } = sentences[index] as CorpusSentence;
      pool.score(id, scored);
      pool.prepare(id);
      this.#changed();
    };
    await learner.score(model, tokens, onScores, signal);
  }

  #changed(): void {
    this.#options.onChange?.();
  }

  /** The next question to a person; undefined if there is none, or none yet. A person who asks again gets the same. */
  question(by: string): Question | undefined {
    return this.#asker.question(by);
  }

  /** Whether there is a question with this id, also if it was given out before this session. */
  isQuestion(id: string): boolean {
    return this.#asker.about(id) !== undefined;
  }

  /**
   * Takes an answer; it is on disk when the promise resolves.
   *
   * @throws InputError if there is no such question, or if the marked phrase is none of its sentence.
   */
  async answer(by: string, { question, verdict, right }: Answer): Promise<void> {
    const about = this.#asker.about(question);
    if (!about) throw new InputError("there is no such question", {}, "ask for another");
    const { sentence, span } = about;
    if (right && (verdict !== "no" || !isPhraseSized(right, sentence))) {
      throw new InputError(
        'a marked phrase must have two or more words, but not all, and the verdict must be "no"',
      );
    }
    const held = this.#asker.heldBy(by);
    const probability = held?.question === question ? held.probability : undefined;
    const event: AnswerEvent = {
      question,
      ...{ tokens: sentence.tokens, span: [span.begin, span.end], verdict },
      ...(right ? { right } : {}),
      ...{ by, at: this.#time() },
      ...(probability === undefined ? {} : { probability }),
      ...(sentence.isHeldBack ? { measure: true } : {}),
    };
    await this.#enter(event, sentence);
    this.#asker.free(by, question);
    this.#lessons?.proceed();
  }

  /** Takes back the last answer of a person, who is then asked again; false if there is nothing to take back. */
  async undo(by: string): Promise<boolean> {
    const last = this.#parts.book.lastBy(by);
    if (!last) return false;
    const { question, probability } = last;
    const about = this.#asker.about(question);
    await this.#enter({ undo: question, by, at: this.#time() }, about?.sentence);
    if (about) this.#asker.give(by, question, probability);
    return true;
  }

  async #enter(event: AnnotationEvent, sentence: CorpusSentence | undefined): Promise<void> {
    const { journal, book } = this.#parts;
    await journal.append(toEventLine(event));
    book.add(event);
    if (sentence) this.#asker.tell(sentence);
    this.#changed();
  }

  #time(): string {
    return new Date((this.#options.now ?? Date.now)()).toISOString();
  }

  /** Where everything stands. */
  state(): AnnotationState {
    const { book } = this.#parts;
    const { problem, ...lessons } = this.#lessons?.state() ?? { curve: [] };
    return {
      ...{ ...book.counts(), ...lessons },
      ...{ agreement: book.agreement(), ready: this.#asker.ready },
      problem: this.#problem ?? problem,
    };
  }

  /** Ends what goes on in the background; it goes on when the log is opened again. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([this.#lessons?.close(), this.#parts.learner.close()]);
    await this.#parts.journal.close();
  }
}

function isEvent(line: string): boolean {
  try {
    parseEvent(line);
    return true;
  } catch {
    return false;
  }
}

async function readBook(log: string): Promise<AnswerBook> {
  const book = new AnswerBook();
  for await (const { text, line } of new TextInput(log).lines()) {
    if (text.trim() !== "") book.add(parseEvent(text, { file: log, line }));
  }
  return book;
}

/** A sentence with answers stays on its side, whatever share is held back by now: nothing measured is ever learnt. */
function keepSides(corpus: readonly CorpusSentence[], book: AnswerBook): CorpusSentence[] {
  const sides = new Map<string, boolean>();
  for (const { tokens, measure = false } of book.answers()) sides.set(tokenKey(tokens), measure);
  return corpus.map((sentence) => {
    return { ...sentence, isHeldBack: sides.get(tokenKey(sentence.tokens)) ?? sentence.isHeldBack };
  });
}
