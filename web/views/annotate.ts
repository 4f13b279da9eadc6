/**
 * Questions of the service, one at a time: a sentence with a span marked, is it a phrase? Answers are saved on the server
 * before the next question comes. The page keeps asking how things stand while somebody looks at it; that also tells the
 * service that the person is still there.
 */

import { isMultiToken } from "../../src/brackets/record.js";
import { PATHS } from "../../src/service/wire.js";
import {
  type AnnotationAnswer,
  type AnnotationQuestion,
  type AnnotationResponse,
  LONGEST_NAME,
} from "../../src/service/wire-annotation.js";
import type { Span } from "../../src/trees/index.js";
import { AskedSentence, textOf } from "../annotate/asked-sentence.js";
import { Standing } from "../annotate/standing.js";
import { h, messageOf } from "../dom.js";
import { Refusal, send } from "../engine/service-client.js";
import { keep, kept } from "../storage.js";
import type { View } from "./view.js";

const NAME = "bracken-name";
const SINGLE_KEYS = "bracken-single-keys";

/** Milliseconds between two looks at how things stand, and while there is no question. */
const [LOOK_EVERY, WAIT] = [5000, 500];

type Verdict = AnnotationAnswer["verdict"];

export class AnnotateView implements View {
  readonly name = "annotate";
  readonly title = "Annotate";
  readonly element: HTMLElement;
  readonly #sentence = new AskedSentence((span) => this.#chose(span));
  readonly #standing = new Standing();
  readonly #problem = h("p", { class: "problem", role: "alert", hidden: true });
  /** What a screen reader reads when there is another question. */
  readonly #told = h("p", { class: "unseen", role: "status" });
  readonly #waiting = h("p", { class: "status" });
  readonly #nameField = h("input", {
    type: "text",
    required: true,
    maxlength: LONGEST_NAME,
    autocomplete: "nickname",
  });
  readonly #sign = h(
    "form",
    { class: "row", submit: (event: Event) => this.#signIn(event) },
    h("label", { class: "check" }, "Your name", this.#nameField),
    h("button", { type: "submit", class: "primary" }, "Begin"),
  );
  readonly #who = h("span", {});
  readonly #keys = h("input", { type: "checkbox", checked: kept(SINGLE_KEYS) !== "off" });
  readonly #last = h("span", { class: "status" });
  readonly #instead = h("div", { class: "choice", hidden: true });
  readonly #card: HTMLElement;
  #by = kept(NAME) ?? "";
  #question: AnnotationQuestion | undefined;
  #choice: Span | undefined;
  /** Requests are numbered: only the answer to the newest is shown. */
  #asked = 0;
  #isSaving = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.#card = h(
      "section",
      { class: "question", "aria-label": "Question", hidden: true },
      h("h2", {}, "Is this a phrase?"),
      this.#sentence.element,
      this.#instead,
      h(
        "div",
        { class: "verdicts" },
        this.#verdict("yes", "Yes", "y"),
        this.#verdict("no", "No", "n"),
        this.#verdict("skip", "Skip", "s"),
        this.#button("Undo", "u", () => void this.#undo(), "plain"),
      ),
      this.#last,
    );
    this.#keys.addEventListener("change", () => {
      keep(SINGLE_KEYS, this.#keys.checked ? "on" : "off");
    });
    this.element = h(
      "div",
      { class: "view annotate" },
      this.#told,
      this.#sign,
      this.#card,
      this.#waiting,
      this.#problem,
      this.#standing.element,
      this.#footer(),
    );
    document.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("visibilitychange", () => this.#lookSoon(0));
  }

  restore(): void {
    this.#showPerson();
    this.#lookSoon(0);
  }

  #footer(): HTMLElement {
    const change = h(
      "button",
      { type: "button", class: "plain", click: () => this.#signOut() },
      "Change",
    );
    const keys = h("label", { class: "check" }, this.#keys, "Answer with the keys y, n, s, u");
    return h("div", { class: "row" }, h("span", {}, this.#who, " ", change), keys);
  }

  #verdict(verdict: Verdict, title: string, key: string): HTMLButtonElement {
    return this.#button(title, key, () => void this.#answer(verdict), verdict);
  }

  #button(title: string, key: string, click: () => void, kind: string): HTMLButtonElement {
    const hint = h("kbd", { "aria-hidden": "true" }, key);
    return h(
      "button",
      { type: "button", class: kind, "aria-keyshortcuts": key, click },
      title,
      hint,
    );
  }

  #signIn(event: Event): void {
    event.preventDefault();
    this.#by = this.#nameField.value.trim().replace(/\s+/g, " ");
    if (this.#by === "") return;
    keep(NAME, this.#by);
    this.#showPerson();
    this.#lookSoon(0);
  }

  #signOut(): void {
    this.#nameField.value = this.#by;
    this.#by = "";
    this.#question = undefined;
    this.#last.textContent = "";
    this.#showPerson();
    this.#nameField.focus();
  }

  #showPerson(): void {
    const isKnown = this.#by !== "";
    this.#sign.hidden = isKnown;
    this.#card.hidden = !this.#question;
    (this.#who.parentElement as HTMLElement).hidden = !isKnown;
    this.#who.textContent = `You are ${this.#by}.`;
  }

  #lookSoon(wait: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), wait);
  }

  /** Only while somebody looks: a question of who went away is free after a while. */
  async #look(): Promise<void> {
    if (document.hidden || this.#by === "") return;
    const isShown = !this.element.hidden;
    if (isShown && !this.#isSaving) await this.#ask(PATHS.annotationQuestion, { by: this.#by });
    this.#lookSoon(this.#question || !isShown ? LOOK_EVERY : WAIT);
  }

  /** True if the service took it. */
  async #ask(path: string, body: object): Promise<boolean> {
    this.#asked += 1;
    const number = this.#asked;
    try {
      const answer = await send<AnnotationResponse>(path, body);
      if (number === this.#asked) this.#show(answer);
      return true;
    } catch (error) {
      if (number === this.#asked) this.#fail(error);
      return false;
    }
  }

  #fail(error: unknown): void {
    // The documents are others by now: there are other questions.
    if (error instanceof Refusal && error.code === "unknown_question") this.#lookSoon(0);
    this.#problem.textContent = messageOf(error);
    this.#problem.hidden = false;
  }

  #show({ question, state }: AnnotationResponse): void {
    this.#problem.hidden = true;
    this.#standing.show(state, this.#by);
    const { scored, sentences } = state.ready;
    this.#waiting.hidden = question !== null;
    this.#waiting.textContent =
      scored < sentences
        ? `Getting ready: ${scored} of ${sentences} sentences …`
        : "There are no questions at the moment: nothing is in doubt.";
    this.#card.hidden = question === null;
    if (question?.id === this.#question?.id) return;
    this.#question = question ?? undefined;
    if (!question) return;
    this.#sentence.show(question);
    // Whoever was at the form is now at the question.
    if (document.activeElement === document.body) this.#sentence.element.focus();
    const [begin, end] = question.span;
    const whole = textOf(question, { begin: 0, end: question.tokens.length });
    this.#told.textContent = `Is “${textOf(question, { begin, end })}” a phrase? In: ${whole}`;
  }

  async #answer(verdict: Verdict, right?: Span): Promise<void> {
    const question = this.#question;
    if (!question || this.#isSaving) return;
    this.#isSaving = true;
    const [begin, end] = question.span;
    const body: AnnotationAnswer = {
      by: this.#by,
      question: question.id,
      verdict,
      ...(right ? { right: [right.begin, right.end] } : {}),
    };
    const isSaved = await this.#ask(PATHS.annotationAnswer, body);
    this.#isSaving = false;
    if (!isSaved) return;
    const instead = right ? `, but “${textOf(question, right)}”` : "";
    this.#last.textContent = `Saved: “${textOf(question, { begin, end })}” – ${verdict}${instead}`;
  }

  async #undo(): Promise<void> {
    if (this.#isSaving || this.#by === "") return;
    this.#isSaving = true;
    const isUndone = await this.#ask(PATHS.annotationUndo, { by: this.#by });
    this.#isSaving = false;
    if (isUndone) this.#last.textContent = "Undone.";
  }

  /** Words were chosen in place of the span. */
  #chose(span: Span | undefined): void {
    const question = this.#question;
    const isAsked = span?.begin === question?.span[0] && span?.end === question?.span[1];
    this.#choice = undefined;
    this.#instead.hidden = !span || !question || isAsked;
    if (!span || !question || isAsked) return;
    const isPhrase = isMultiToken([span.begin, span.end], question.tokens.length);
    if (isPhrase) this.#choice = span;
    const text = textOf(question, span);
    this.#told.textContent = isPhrase ? `Marked: “${text}”` : "";
    this.#instead.replaceChildren(
      h(
        "p",
        {},
        h("q", {}, text),
        !isPhrase && h("small", {}, "Drag on, or tap another word: a phrase has two or more."),
      ),
      h(
        "div",
        { class: "buttons" },
        h(
          "button",
          { type: "button", disabled: !isPhrase, click: () => void this.#answer("no", span) },
          "No, this is the phrase",
          h("kbd", { "aria-hidden": "true" }, "Enter"),
        ),
        h(
          "button",
          { type: "button", class: "plain", click: () => this.#sentence.clear() },
          "Cancel",
        ),
      ),
    );
  }

  #key(event: KeyboardEvent): void {
    if (this.element.hidden || this.#card.hidden) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const { target } = event;
    if (target instanceof HTMLInputElement && target.type !== "checkbox") return;
    if (event.key === "Escape") this.#sentence.clear();
    const isOnButton = target instanceof HTMLButtonElement;
    if (event.key === "Enter" && this.#choice && !isOnButton) {
      void this.#answer("no", this.#choice);
    }
    if (!this.#keys.checked) return;
    const verdict = ({ y: "yes", n: "no", s: "skip" } as const)[event.key.toLowerCase()];
    if (verdict) void this.#answer(verdict);
    if (event.key.toLowerCase() === "u") void this.#undo();
  }
}
