/** Questions of a simulation and their answers from gold trees, which become more from point to point. */

import { type AnswerEvent, parseQuestionId, questionId } from "../brackets/annotation-log.js";
import { AnswerBook } from "../brackets/answer-book.js";
import type { Bracketing } from "../brackets/record.js";
import { Random } from "../random.js";
import { Oracle } from "./oracle.js";
import { openPool } from "./pool.js";
import type { Candidate, QuestionPool } from "./questions.js";

export class SimulatedAnswers {
  readonly #sentences: readonly Bracketing[];
  readonly #oracle: Oracle;
  readonly #random: Random;
  readonly #book = new AnswerBook();
  readonly #given: AnswerEvent[] = [];

  readonly #strategy: "active" | "random";

  constructor(sentences: readonly Bracketing[], strategy: "active" | "random", seed: number) {
    this.#sentences = sentences;
    this.#strategy = strategy;
    this.#oracle = new Oracle(sentences);
    this.#random = new Random(seed);
  }

  /** Asks until there are `count` answers, with the doubts of this model. */
  async ask(count: number, model: string, threads: number | undefined): Promise<void> {
    const pool = await openPool(this.#sentences, model, threads);
    for (const { question, verdict } of this.#given) {
      const about = parseQuestionId(question);
      if (about) pool.learn(about.sentence, about.span, verdict === "yes");
    }
    while (this.#given.length < count) {
      const next = this.#strategy === "active" ? pool.best() : pool.random(this.#random);
      if (!next) return;
      this.#answer(next, pool);
    }
  }

  #answer({ sentence, span, probability }: Candidate, pool: QuestionPool): void {
    const { id, tokens } = sentence;
    const isPhrase = this.#oracle.isPhrase(id, span);
    const event: AnswerEvent = {
      question: questionId(id, span),
      tokens,
      span: [span.begin, span.end],
      verdict: isPhrase ? "yes" : "no",
      by: "gold",
      at: new Date(0).toISOString(),
      probability,
    };
    this.#given.push(event);
    this.#book.add(event);
    pool.learn(id, span, isPhrase);
  }

  records(): Bracketing[] {
    return this.#book.records();
  }
}
