/**
 * A short tour of what can be done with a tree. It waits for each thing to be done, or goes on when asked, and stands
 * in the page like everything else: nothing is covered, and it can be left at any time.
 */

import { h } from "../dom.js";

interface Step {
  readonly text: string;
  /** What is pointed at. */
  readonly target: string;
  /** What a person does, as an event somewhere in an element. */
  readonly event: string;
  readonly on: string;
}

const STEPS: readonly Step[] = [
  {
    text: "Click a phrase, a label or a dot over the words, to fold it. Click again to unfold it.",
    target: ".sentence .viewport",
    event: "click",
    on: ".node.phrase",
  },
  {
    text: "Drag across some words and press Require: the tree now keeps them together as a phrase.",
    target: ".sentence .viewport",
    event: "click",
    on: ".choice .required",
  },
  {
    text: "Move the slider towards flat: only the phrases stay that the parser is sure of.",
    target: ".flatness",
    event: "input",
    on: ".flatness input",
  },
  {
    text: "Take the tree with you: as a picture, for LaTeX, in brackets or as data.",
    target: ".sentence .menu",
    event: "click",
    on: ".menu summary",
  },
];

export class Tour {
  readonly element = h("section", { class: "tour", "aria-label": "Tour", hidden: true });
  /** Begins the tour. */
  readonly button = h("button", { type: "button", class: "plain" }, "Take the tour");
  readonly #view: () => HTMLElement;
  readonly #prepare: () => void;
  #done = new AbortController();

  /**
   * @param view where the tour takes place
   * @param prepare brings everything into view that the tour points at
   */
  constructor(view: () => HTMLElement, prepare: () => void) {
    this.#view = view;
    this.#prepare = prepare;
    this.button.addEventListener("click", () => {
      this.#prepare();
      this.#show(0);
    });
    this.element.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") this.#end();
    });
  }

  #show(index: number): void {
    this.#leave();
    const step = STEPS[index];
    if (!step) {
      this.#end();
      return;
    }
    this.element.hidden = false;
    this.element.replaceChildren(
      h("p", { role: "status" }, h("b", {}, `${index + 1} of ${STEPS.length} `), step.text),
      h(
        "p",
        { class: "row" },
        h(
          "button",
          { type: "button", class: "next", click: () => this.#show(index + 1) },
          index + 1 < STEPS.length ? "Next" : "Done",
        ),
        h("button", { type: "button", class: "plain", click: () => this.#end() }, "Skip the tour"),
      ),
    );
    this.element.querySelector<HTMLElement>(".next")?.focus();
    this.#view().querySelector(step.target)?.classList.add("toured");
    this.#view().addEventListener(
      step.event,
      ({ target }) => {
        if ((target as Element).closest(step.on)) this.#congratulate();
      },
      { signal: this.#done.signal },
    );
  }

  /** The step is done; what it did can be looked at before the next. */
  #congratulate(): void {
    const text = this.element.querySelector("[role=status]");
    if (text && !text.classList.contains("done")) {
      text.classList.add("done");
      text.append(" Done.");
    }
  }

  #leave(): void {
    this.#done.abort();
    this.#done = new AbortController();
    for (const element of this.#view().querySelectorAll(".toured")) {
      element.classList.remove("toured");
    }
  }

  #end(): void {
    this.#leave();
    this.element.hidden = true;
    this.button.focus();
  }
}
