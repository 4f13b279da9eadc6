/** A learner that the test drives: random scores, trees and lessons as the test says, no models. */

import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { IndexedScores, Learner, LearnTask, LessonStep } from "../../src/annotate/learner.js";
import type { Bracket } from "../../src/brackets/record.js";
import { hashText } from "../../src/hash.js";
import { Random } from "../../src/random.js";

export class FakeLearner implements Learner {
  /** A model folder, which every lesson gives. */
  readonly #model: string;
  /** The models that were asked to score, in order. */
  readonly scored: string[] = [];
  readonly tasks: LearnTask[] = [];
  /** The trees that the model of each lesson gives; without one they are empty. */
  trees: ((lesson: number, sentence: readonly string[]) => Bracket[]) | undefined;
  #holding: { go(isFinished: boolean): void; fail(error: Error): void } | undefined;
  isHeld = false;

  constructor(model: string) {
    this.#model = model;
  }

  async score(
    model: string,
    sentences: readonly (readonly string[])[],
    onScores: (scores: IndexedScores) => void,
  ): Promise<void> {
    this.scored.push(model);
    for (const [index, tokens] of sentences.entries()) {
      const random = new Random(hashText(tokens.join(" ")) >>> 0);
      const scores = Float32Array.from({ length: tokens.length ** 2 }, () => random.unit() * 4 - 2);
      onScores({ index, scores, hasPhrases: true });
    }
  }

  async parse(_model: string, sentences: readonly (readonly string[])[]): Promise<Bracket[][]> {
    return sentences.map((sentence) => this.trees?.(this.tasks.length, sentence) ?? []);
  }

  async learn(
    task: LearnTask,
    onStep: (step: LessonStep) => void,
    signal: AbortSignal,
  ): Promise<boolean> {
    this.tasks.push(task);
    onStep({ step: 1, steps: 2 });
    const isFinished = await new Promise<boolean>((resolve, reject) => {
      signal.addEventListener("abort", () => resolve(false));
      this.#holding = { go: resolve, fail: reject };
      if (!this.isHeld) resolve(true);
    });
    mkdirSync(task.folder, { recursive: true });
    if (isFinished) cpSync(this.#model, join(task.folder, "model"), { recursive: true });
    return isFinished;
  }

  /** Ends the lesson that is held. */
  finish(): void {
    this.#holding?.go(true);
  }

  fail(error: Error): void {
    this.#holding?.fail(error);
  }

  async close(): Promise<void> {}
}
