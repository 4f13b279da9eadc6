/**
 * What models have to do for annotation: score sentences, parse those that are held back, and learn. All of it takes
 * long, so it happens in another process, and people can go on answering.
 */

import type { Bracket, Bracketing } from "../brackets/record.js";
import { loadParser } from "../parser/load-parser.js";
import type { StepRecord } from "../training/log-record.js";
import type { TrainSettings } from "../training/settings.js";
import { WorkerHandle } from "../workers/worker-handle.js";
import { learn, writeGuard } from "./learn.js";
import { scoreSentences } from "./pool.js";
import type { SentenceScores } from "./questions.js";

/** The scores of one of several sentences. */
export type IndexedScores = SentenceScores & { readonly index: number };

/** What a model learns from, and where it is made. */
export interface LearnTask {
  /** The folder of the lesson; the model is in `model` there. */
  readonly folder: string;
  readonly from: string;
  readonly records: readonly Bracketing[];
  /** Sentences that the model to start from labels, against forgetting; the labels are kept in a file. */
  readonly guard: { readonly file: string; readonly sentences: readonly Bracketing[] };
}

/** Where a lesson is. */
export interface LessonStep {
  readonly step: number;
  readonly steps: number;
}

export interface Learner {
  /** Scores sentences; they come as they are computed. */
  score(
    model: string,
    sentences: readonly (readonly string[])[],
    onScores: (scores: IndexedScores) => void,
    signal: AbortSignal,
  ): Promise<void>;
  /** The phrases of two or more words in each sentence's tree. */
  parse(model: string, sentences: readonly (readonly string[])[]): Promise<Bracket[][]>;
  /** Trains a model; false if it was stopped, and then the same task goes on where it was. */
  learn(task: LearnTask, onStep: (step: LessonStep) => void, signal: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}

/** How models compute. */
export interface LearnerOptions {
  readonly threads?: number | undefined;
  /** Settings of the training that differ from the preset. */
  readonly settings?: Partial<TrainSettings> | undefined;
}

/** Does it all in this process. */
export class LocalLearner implements Learner {
  readonly #options: LearnerOptions;

  constructor(options: LearnerOptions) {
    this.#options = options;
  }

  async score(
    model: string,
    sentences: readonly (readonly string[])[],
    onScores: (scores: IndexedScores) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const scored = scoreSentences(sentences, model, this.#options.threads);
    for await (const scores of scored) {
      signal.throwIfAborted();
      onScores(scores);
    }
  }

  async parse(model: string, sentences: readonly (readonly string[])[]): Promise<Bracket[][]> {
    await using parser = await loadParser(model, { workers: 0, threads: this.#options.threads });
    const parses = await parser.parseSentences(sentences, { oneWord: false });
    return parses.map(({ spans }, at) => {
      const size = (sentences[at] as readonly string[]).length;
      const inside = spans.filter(({ begin, end }) => end - begin > 1 && end - begin < size);
      const keys = new Map(inside.map(({ begin, end }) => [`${begin},${end}`, [begin, end]]));
      return [...keys.values()] as unknown as Bracket[];
    });
  }

  async learn(
    { folder, from, records, guard }: LearnTask,
    onStep: (step: LessonStep) => void,
    signal: AbortSignal,
  ): Promise<boolean> {
    await writeGuard(guard.file, guard.sentences, from, this.#options.threads);
    if (signal.aborted) return false;
    const lesson = { from, records, guard: guard.file, seed: SEED };
    const { finished } = await learn(folder, lesson, {
      ...this.#options,
      isStopped: () => signal.aborted,
      onRecord: ({ step }: StepRecord, steps) => onStep({ step, steps }),
    });
    return finished;
  }

  async close(): Promise<void> {}
}

const SEED = 1;

/** A request to the other process. */
export type LearnerRequest =
  | { readonly kind: "score" | "parse"; readonly model: string; readonly sentences: string[][] }
  | { readonly kind: "learn"; readonly task: LearnTask };

/** What comes before the answer: scores, or the step of a lesson. */
export type LearnerPart = IndexedScores | LessonStep;

/** After so many milliseconds the process is ended, if it did not end by itself; no work is lost by that. */
const PATIENCE = 5_000;

/** Does it all in another process, which gives way to everything else on the machine. */
export class LearnerProcess implements Learner {
  readonly #worker: WorkerHandle<LearnerRequest, unknown, LearnerPart>;

  private constructor(worker: WorkerHandle<LearnerRequest, unknown, LearnerPart>) {
    this.#worker = worker;
  }

  static async start(options: LearnerOptions): Promise<LearnerProcess> {
    const script = new URL("./learner-worker.js", import.meta.url);
    return new LearnerProcess(
      await WorkerHandle.start(script, options, { restart: true, isProcess: true }),
    );
  }

  async score(
    model: string,
    sentences: readonly (readonly string[])[],
    onScores: (scores: IndexedScores) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const request = { kind: "score", model, sentences: sentences.map(copy) } as const;
    const onPart = (part: LearnerPart) => onScores(part as IndexedScores);
    await this.#worker.ask(request, { onPart, signal });
  }

  async parse(model: string, sentences: readonly (readonly string[])[]): Promise<Bracket[][]> {
    const request = { kind: "parse", model, sentences: sentences.map(copy) } as const;
    return (await this.#worker.ask(request)) as Bracket[][];
  }

  async learn(
    task: LearnTask,
    onStep: (step: LessonStep) => void,
    signal: AbortSignal,
  ): Promise<boolean> {
    const onPart = (part: LearnerPart) => onStep(part as LessonStep);
    try {
      return (await this.#worker.ask({ kind: "learn", task }, { onPart, signal })) as boolean;
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#worker.close(PATIENCE);
  }
}

function copy(words: readonly string[]): string[] {
  return [...words];
}
