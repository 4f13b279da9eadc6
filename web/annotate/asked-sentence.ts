/**
 * The sentence of a question, with the span in doubt marked. Other words can be chosen in its place: with the mouse, with
 * a finger, or with the arrow keys.
 */

import { isMultiToken } from "../../src/brackets/record.js";
import { spacedWords } from "../../src/brackets/spaced-words.js";
import type { AnnotationQuestion } from "../../src/service/wire-annotation.js";
import type { Span } from "../../src/trees/index.js";
import { h } from "../dom.js";
import { WordChoice } from "../tree/word-choice.js";

/** Arrow keys: left and right move the first word, down and up the last one. */
const MOVES: Readonly<Record<string, readonly [begin: number, end: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowDown: [0, -1],
  ArrowUp: [0, 1],
};

export class AskedSentence {
  readonly element = h("p", {
    class: "asked",
    tabindex: 0,
    role: "group",
    "aria-label": "The sentence. The arrow keys mark other words.",
  });
  readonly #choice: WordChoice<Span>;
  #question: AnnotationQuestion | undefined;

  /** @param onChoice called with the words that are chosen in place of the span; undefined if none are. */
  constructor(onChoice: (span: Span | undefined) => void) {
    this.#choice = new WordChoice(this.element, onChoice);
    this.element.addEventListener("keydown", (event) => this.#key(event));
  }

  show(question: AnnotationQuestion): void {
    this.#question = question;
    const [begin, end] = question.span;
    const mark = h("mark", {});
    const words: (readonly [Span, Element])[] = [];
    this.element.replaceChildren();
    for (const [at, { space, word }] of spacedWords(question).entries()) {
      const isMarked = at >= begin && at < end;
      const place = isMarked ? mark : this.element;
      const element = h("span", { class: "word" }, word);
      (at === begin ? this.element : place).append(space);
      if (at === begin) this.element.append(mark);
      place.append(element);
      words.push([{ begin: at, end: at + 1 }, element]);
    }
    this.#choice.adopt(words);
    this.#choice.clear();
  }

  /** Takes back the choice of other words. */
  clear(): void {
    this.#choice.clear();
  }

  /** The chosen words keep two or more, and never all. */
  #key(event: KeyboardEvent): void {
    const move = MOVES[event.key];
    if (!move || !this.#question || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const { tokens, span } = this.#question;
    const from = this.#choice.span ?? { begin: span[0], end: span[1] };
    const [begin, end] = [from.begin + move[0], from.end + move[1]];
    const isInside = begin >= 0 && end <= tokens.length;
    if (isInside && isMultiToken([begin, end], tokens.length)) this.#choice.choose({ begin, end });
  }
}

/** The words of a span, as they are written. */
export function textOf(question: AnnotationQuestion, { begin, end }: Span): string {
  return spacedWords(question)
    .slice(begin, end)
    .map(({ space, word }, at) => `${at === 0 ? "" : space}${word}`)
    .join("");
}
