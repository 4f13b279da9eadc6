/** What the page is, in one sentence, for somebody who has never heard of brackets. */

import { languageName } from "../../src/languages/codes.js";
import { h } from "../dom.js";
import type { ModelChoice } from "../engine/engine.js";

export class Intro {
  readonly #text = h("span", {});
  readonly element: HTMLElement;

  constructor(...more: readonly HTMLElement[]) {
    this.element = h("p", { class: "intro" }, this.#text, " ", ...more);
  }

  /** Says for which languages the chosen model is. */
  show({ languages }: Pick<ModelChoice, "languages">): void {
    const names = languages.map(languageName);
    const known =
      names.length === 1
        ? `${names[0]} sentences`
        : `sentences in ${names.length} languages (${names.join(", ")})`;
    this.#text.textContent =
      `bracken finds the phrases of ${known}; it learnt them not from a treebank, ` +
      "but from links and answers to questions that people left in text.";
  }
}
