/** Questions to a person in the terminal and the keys that answer them, until the person quits or nothing is left. */

import type { Question } from "../annotate/asker.js";
import type { LessonPoint } from "../annotate/lessons.js";
import type { AnnotationSession } from "../annotate/session.js";
import type { Verdict } from "../brackets/annotation-log.js";
import { type Bracket, isMultiToken } from "../brackets/record.js";
import { Keys } from "./keys.js";
import { Screen, sentenceLines, spanText } from "./question-screen.js";

/** Keys that move the ends of the marked words. */
const MOVES: Readonly<Record<string, readonly [begin: number, end: number]>> = {
  left: [-1, 0],
  right: [1, 0],
  down: [0, -1],
  up: [0, 1],
};

const VERDICTS: Readonly<Record<string, Verdict>> = { y: "yes", n: "no", s: "skip" };

/** Codes of the terminal. */
const [BOLD, DIM, MARKED, MOVED] = ["1", "2", "1;4", "1;7"];

export class Dialogue {
  readonly #session: AnnotationSession;
  readonly #by: string;
  readonly #screen = new Screen(process.stdout);
  readonly #keys = new Keys(process.stdin, () => this.update());
  #question: Question | undefined;
  #mark: Bracket = [0, 0];
  /** How many lessons were told of. */
  #lessons: number;
  #drawn = "";
  #isOver = false;
  #wake: () => void = () => {};

  constructor(session: AnnotationSession, by: string) {
    this.#session = session;
    this.#by = by;
    this.#lessons = session.state().curve.length;
  }

  /** Something has changed: a key was pressed, sentences are ready, a lesson goes on. */
  update(): void {
    this.#wake();
  }

  async run(): Promise<void> {
    try {
      while (!this.#isOver && !this.#keys.isOver) {
        const changed = new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        this.#refresh();
        const key = this.#takeKey();
        if (key !== undefined) await this.#press(key);
        else if (!this.#isOver && !this.#keys.isOver) await changed;
      }
    } finally {
      this.close();
    }
  }

  /** Ends the dialogue. */
  close(): void {
    this.#isOver = true;
    this.#keys.close();
    this.#screen.erase();
  }

  /** Shows the question, or why there is none. */
  #refresh(): void {
    const question = this.#session.question(this.#by);
    if (question && question.id !== this.#question?.id) {
      this.#mark = question.span;
      this.#keys.forget();
    }
    this.#question = question;
    this.#tellLessons();
    if (question) this.#draw(this.#block(question));
    else this.#explain();
  }

  #explain(): void {
    const { ready, problem } = this.#session.state();
    this.#isOver = problem !== undefined || ready.scored === ready.sentences;
    if (!this.#isOver) {
      this.#draw([`getting ready: ${ready.scored} of ${ready.sentences} sentences`]);
    } else {
      this.#screen.say(problem ?? "There are no more questions: the model is sure of everything.");
    }
  }

  /** Without a question there is nothing to answer, but one can quit. */
  #takeKey(): string | undefined {
    if (this.#question) return this.#keys.take();
    this.#keys.forget();
    return process.stdin.isTTY ? this.#keys.take() : undefined;
  }

  async #press(key: string): Promise<void> {
    if (key === "q") this.#isOver = true;
    if (key === "u") await this.#undo();
    const question = this.#question;
    if (!question) return;
    const [verdict, move] = [VERDICTS[key], MOVES[key]];
    if (verdict) await this.#answer(question, verdict);
    if (move) this.#move(question, move);
    if (key === "escape") this.#mark = question.span;
    if (key === "return" && this.#isMoved(question)) {
      await this.#answer(question, "no", this.#mark);
    }
  }

  #isMoved({ span }: Question): boolean {
    return this.#mark.join() !== span.join();
  }

  /** A bracket keeps two words or more, and never all of them. */
  #move({ tokens }: Question, [first, last]: readonly [number, number]): void {
    const [begin, end] = [this.#mark[0] + first, this.#mark[1] + last];
    const isInside = begin >= 0 && end <= tokens.length;
    if (isInside && isMultiToken([begin, end], tokens.length)) this.#mark = [begin, end];
  }

  async #answer(question: Question, verdict: Verdict, right?: Bracket): Promise<void> {
    await this.#session.answer(this.#by, { question: question.id, verdict, right });
    const other = right ? `, but: ${spanText(question, right)}` : "";
    this.#say(`${verdict.padEnd(5)}${spanText(question, question.span)}${other}`);
    this.#question = undefined;
  }

  async #undo(): Promise<void> {
    const isUndone = await this.#session.undo(this.#by);
    this.#say(isUndone ? "undone" : "there is nothing to undo");
    this.#question = undefined;
  }

  #say(line: string): void {
    this.#screen.say(this.#screen.paint(line, DIM));
    this.#drawn = "";
  }

  /** Draws only what has changed: lessons report often. */
  #draw(lines: readonly string[]): void {
    const text = lines.join("\n");
    if (text === this.#drawn) return;
    this.#drawn = text;
    this.#screen.draw(lines);
  }

  #block(question: Question): string[] {
    const screen = this.#screen;
    const isMoved = this.#isMoved(question);
    const emphasise = (text: string) => screen.paint(text, isMoved ? MOVED : MARKED);
    const prompt = isMoved
      ? "Enter: these words are the phrase   Esc: back"
      : "y yes  n no  s skip  u undo  q quit  arrows: mark other words";
    return [
      "",
      ...sentenceLines(question, this.#mark, screen.width, emphasise),
      "",
      `${screen.paint("Is this a phrase?", BOLD)}  ${prompt}`,
      screen.paint(this.#status(), DIM),
    ];
  }

  #status(): string {
    const { learning, heldBack, current, next, problem } = this.#session.state();
    const answers = learning + heldBack;
    const parts = [
      `${answers} ${answers === 1 ? "answer" : "answers"}`,
      `${heldBack} of them to measure on`,
    ];
    if (current) {
      const share = Math.round((100 * current.step) / Math.max(1, current.steps));
      parts.push(`learning from ${current.answers}: ${share} %`);
    } else if (next !== undefined) parts.push(`next lesson in ${next}`);
    if (problem !== undefined) parts.push(`the last lesson failed: ${problem.split("\n")[0]}`);
    return parts.join(", ").slice(0, this.#screen.width);
  }

  #tellLessons(): void {
    const { curve } = this.#session.state();
    for (const point of curve.slice(Math.max(1, this.#lessons)))
      this.#say(lessonLine(point, curve));
    this.#lessons = curve.length;
  }
}

/** What a lesson gave, beside the model to start from. */
function lessonLine(point: LessonPoint, curve: readonly LessonPoint[]): string {
  const { answers, agreed, heldBack, isUsed } = point;
  const before = curve[0]?.agreed ?? 0;
  const measured =
    heldBack === 0
      ? "there is nothing to measure on yet"
      : `its trees agree with ${agreed} of ${heldBack} held-back answers, at first ${before}`;
  return `learnt from ${answers} answers: ${measured}${isUsed ? "" : "; the previous model is better and stays in use"}`;
}
