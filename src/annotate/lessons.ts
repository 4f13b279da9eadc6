/**
 * Learning in the background: every so many answers, a model is trained on all of them. It takes the place of the one in
 * use unless it agrees with fewer of the held-back answers. For each model the trees of the held-back sentences are
 * kept, so that all points of the learning curve are measured on the same answers, however many there are by now.
 */

import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { AnswerBook } from "../brackets/answer-book.js";
import { type Bracket, type Bracketing, FRAGMENT } from "../brackets/record.js";
import { tokenKey } from "../brackets/sentence-keys.js";
import { makeFolder } from "../files/folder.js";
import { type Lock, lockOutput } from "../files/lock.js";
import { writeWhole } from "../files/output.js";
import { claimPlan } from "../files/plan.js";
import { readSaved } from "../files/saved-json.js";
import { isModelFolder } from "../model/find-model.js";
import { ModelFolder } from "../model/folder.js";
import { copyModel } from "../model/save.js";
import type { CorpusSentence } from "./corpus.js";
import type { Learner, LessonStep } from "./learner.js";

/** A model and what it makes of the held-back sentences. */
interface Lesson {
  /** How many answers it has learnt from; 0 for the model to start from. */
  readonly answers: number;
  /** Whether it took the place of the one before. */
  readonly isUsed: boolean;
  /** The phrases of its trees, by the words of the sentence. */
  readonly trees: Readonly<Record<string, readonly Bracket[]>>;
}

/** A lesson that is not finished, as it is written down. */
interface OpenLesson {
  readonly answers: number;
  readonly records: readonly Bracketing[];
}

/** A point of the learning curve. */
export interface LessonPoint {
  readonly answers: number;
  readonly isUsed: boolean;
  /** How many of the held-back answers its trees agree with. */
  readonly agreed: number;
  /** How many there are. */
  readonly heldBack: number;
}

/** Where learning stands. */
export interface LessonState {
  readonly curve: readonly LessonPoint[];
  /** The lesson that is going on. */
  readonly current?: (LessonStep & { readonly answers: number }) | undefined;
  /** How many more answers it takes until the next one begins; undefined if there will be none. */
  readonly next?: number | undefined;
  /** Why the last one failed. */
  readonly problem?: string | undefined;
}

export interface LessonOptions {
  /** The folder of the models. */
  readonly folder: string;
  /** The model to start from. */
  readonly from: ModelFolder;
  /** Learn after so many answers; 0 for never. */
  readonly every: number;
  readonly sentences: readonly CorpusSentence[];
  readonly book: AnswerBook;
  readonly learner: Learner;
  /** Called when another model is in use. */
  onModel(): Promise<void>;
  /** Called when something has changed. */
  onChange(): void;
  /** Called with what a lesson gave, or why it failed. */
  onLesson(outcome: LessonPoint | Error): void;
}

/** So many sentences are labelled by the model to start from, against forgetting; as in a simulation. */
const GUARD = 500;

export class Lessons {
  readonly #options: LessonOptions;
  readonly #lock: Lock;
  readonly #lessons: Lesson[];
  readonly #closing = new AbortController();
  #model: string;
  #running: Promise<void> | undefined;
  #current: (LessonStep & { answers: number }) | undefined;
  #problem: string | undefined;
  /** How many answers there were at the last lesson, also if it failed. */
  #learnt: number;

  private constructor(options: LessonOptions, lock: Lock, lessons: Lesson[], model: string) {
    this.#options = options;
    this.#lock = lock;
    this.#lessons = lessons;
    this.#model = model;
    this.#learnt = lessons.at(-1)?.answers ?? 0;
  }

  /**
   * Opens the folder, or makes it.
   *
   * @throws InputError if the models in it come from another model, or if another process writes there.
   */
  static async open(options: LessonOptions): Promise<Lessons> {
    const { folder, from } = options;
    await makeFolder(folder);
    const lock = await lockOutput(folder);
    try {
      const plan = { from: from.identity };
      await claimPlan(join(folder, "plan.json"), plan, "annotation", "--learn-in");
      const lessons = await readSaved<Lesson[]>(join(folder, LESSONS));
      const own = join(folder, MODEL);
      const model = (await isModelFolder(own)) ? own : from.folder;
      return new Lessons(options, lock, lessons ?? [], model);
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /** The folder of the model in use. */
  get model(): string {
    return this.#model;
  }

  /** Goes on with what was interrupted, and begins a lesson if there are answers enough for one. */
  proceed(): void {
    if (this.#running || this.#closing.signal.aborted || this.#options.every === 0) return;
    this.#running = this.#proceed()
      .catch((error: Error) => {
        if (this.#closing.signal.aborted) return;
        this.#problem = error.message;
        this.#options.onLesson(error);
      })
      .finally(() => {
        this.#running = undefined;
        this.#current = undefined;
        this.#options.onChange();
      });
  }

  async #proceed(): Promise<void> {
    await this.#parseMissing();
    for (;;) {
      const open = await this.#openLesson();
      if (!open || this.#closing.signal.aborted) return;
      this.#learnt = open.answers;
      try {
        if (!(await this.#learn(open))) return;
      } catch (error) {
        // Not again with the same answers: that would fail in the same way.
        await rm(join(this.#folder, OPEN), { recursive: true, force: true });
        throw error;
      }
    }
  }

  /** Trees by the model to start from and by the one in use, also of sentences that are new in the corpus. */
  async #parseMissing(): Promise<void> {
    const { from } = this.#options;
    if (this.#lessons.length === 0) this.#lessons.push({ answers: 0, isUsed: true, trees: {} });
    const used = this.#lessons.findLastIndex(({ isUsed }) => isUsed);
    for (const [at, model] of new Map([
      [0, from.folder],
      [used, this.#model],
    ])) {
      const lesson = this.#lessons[at] as Lesson;
      const missing = this.#heldBack().filter((tokens) => !(tokenKey(tokens) in lesson.trees));
      if (missing.length === 0) continue;
      const trees = { ...lesson.trees, ...(await this.#parse(model, missing)) };
      this.#lessons[at] = { ...lesson, trees };
      await this.#save();
    }
  }

  /** The lesson that was interrupted, or a new one if it is due. */
  async #openLesson(): Promise<OpenLesson | undefined> {
    const file = join(this.#folder, OPEN, "lesson.json");
    const found = await readSaved<OpenLesson>(file);
    if (found && found.answers !== this.#lessons.at(-1)?.answers) return found;
    const { book, every } = this.#options;
    const answers = book.counts().learning;
    if (answers - this.#learnt < every) return undefined;
    const lesson = { answers, records: book.records() };
    await rm(join(this.#folder, OPEN), { recursive: true, force: true });
    await makeFolder(join(this.#folder, OPEN));
    await writeWhole(file, JSON.stringify(lesson));
    return lesson;
  }

  /** False if it was stopped. */
  async #learn({ answers, records }: OpenLesson): Promise<boolean> {
    const { learner, from, onChange, onModel } = this.#options;
    this.#problem = undefined;
    this.#current = { answers, step: 0, steps: 0 };
    onChange();
    const folder = join(this.#folder, OPEN);
    const guard = { file: join(this.#folder, "guard.jsonl"), sentences: this.#guard() };
    const task = { folder, from: from.folder, records, guard };
    const onStep = (step: LessonStep) => {
      this.#current = { answers, ...step };
      onChange();
    };
    if (!(await learner.learn(task, onStep, this.#closing.signal))) return false;
    const made = join(folder, "model");
    const lesson = { answers, isUsed: true, trees: await this.#parse(made) };
    const isUsed = !this.#isWorse(lesson);
    if (isUsed) {
      await copyModel(await ModelFolder.open(made), join(this.#folder, MODEL));
      this.#model = join(this.#folder, MODEL);
    }
    this.#lessons.push({ ...lesson, isUsed });
    await this.#save();
    await rm(folder, { recursive: true, force: true });
    this.#current = undefined;
    this.#options.onLesson(pointOf({ ...lesson, isUsed }, this.#options.book.records(MEASURING)));
    onChange();
    if (isUsed) await onModel();
    return true;
  }

  get #folder(): string {
    return this.#options.folder;
  }

  #guard(): Bracketing[] {
    const learning = this.#options.sentences.filter(({ isHeldBack }) => !isHeldBack);
    return learning
      .slice(0, GUARD)
      .map(({ id, tokens }) => ({ tokens, brackets: [], source: "corpus", id }));
  }

  /** The sentences to measure on: those of the corpus, and those of answers from an earlier corpus. */
  #heldBack(): (readonly string[])[] {
    const { sentences, book } = this.#options;
    const all = [...sentences.filter(({ isHeldBack }) => isHeldBack), ...book.records(MEASURING)];
    return [...new Map(all.map(({ tokens }) => [tokenKey(tokens), tokens])).values()];
  }

  async #parse(model: string, sentences = this.#heldBack()): Promise<Lesson["trees"]> {
    const parses = await this.#options.learner.parse(model, sentences);
    const trees = sentences.map((tokens, at) => [tokenKey(tokens), parses[at] as Bracket[]]);
    return Object.fromEntries(trees);
  }

  async #save(): Promise<void> {
    await writeWhole(join(this.#folder, LESSONS), `${JSON.stringify(this.#lessons)}\n`);
  }

  /** Whether it agrees with fewer held-back answers than the model in use. */
  #isWorse(lesson: Lesson): boolean {
    const used = this.#lessons.findLast(({ isUsed }) => isUsed);
    const records = this.#options.book.records(MEASURING);
    return used !== undefined && pointOf(lesson, records).agreed < pointOf(used, records).agreed;
  }

  state(): LessonState {
    const { book, every } = this.#options;
    const records = book.records(MEASURING);
    const left = every - (book.counts().learning - this.#learnt);
    return {
      curve: this.#lessons.map((lesson) => pointOf(lesson, records)),
      current: this.#current,
      next: every === 0 ? undefined : Math.max(0, left),
      problem: this.#problem,
    };
  }

  /** Stops learning; it goes on when the folder is opened again. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
    await this.#lock.release();
  }
}

const LESSONS = "lessons.json";
const MODEL = "model";
/** The lesson that is going on. */
const OPEN = "lesson";
const MEASURING = { measure: true } as const;

/** How many held-back answers the trees agree with: "yes" to a phrase of the tree, "no" to any other span. */
function pointOf(lesson: Lesson, records: readonly Bracketing[]): LessonPoint {
  let [agreed, heldBack] = [0, 0];
  for (const { tokens, brackets, kinds } of records) {
    const tree = lesson.trees[tokenKey(tokens)];
    if (!tree) continue;
    const phrases = new Set(tree.map((bracket) => bracket.join()));
    for (const [at, bracket] of brackets.entries()) {
      heldBack += 1;
      if (phrases.has(bracket.join()) === (kinds?.[at] !== FRAGMENT)) agreed += 1;
    }
  }
  return { answers: lesson.answers, isUsed: lesson.isUsed, agreed, heldBack };
}
