/** The labels of a model in their colours: what they mean, and a filter that shows phrases of some only. */

import { h } from "../dom.js";
import { currentTheme } from "../theme.js";
import { labelColours } from "../tree/label-colour.js";
import type { PaneSettings } from "../tree/pane-state.js";

type FilterSettings = Pick<PaneSettings, "only" | "oneWord" | "colouring">;

/** What the labels of treebanks stand for. */
const MEANINGS: Readonly<Record<string, string>> = {
  NP: "noun phrase",
  VP: "verb phrase",
  PP: "prepositional phrase",
  S: "clause",
  SBAR: "subordinate clause",
  ADJP: "adjective phrase",
  ADVP: "adverb phrase",
  QP: "amount",
  PRN: "parenthesis",
  PRT: "particle",
  WHNP: "question or relative noun phrase",
  WHPP: "question or relative prepositional phrase",
  WHADJP: "question adjective phrase",
  WHADVP: "question or relative adverb phrase",
};

export interface FilterListener {
  onChange(change: Partial<FilterSettings>): void;
  onCopy(): Promise<string>;
}

export class LabelFilter {
  readonly element: HTMLElement;
  readonly #chips = h("div", {
    class: "chips",
    role: "group",
    "aria-label": "Show only phrases with these labels",
  });
  readonly #oneWord = h("input", { type: "checkbox" });
  readonly #told = h("span", { class: "told", role: "status" });
  readonly #listener: FilterListener;

  constructor(listener: FilterListener) {
    this.#listener = listener;
    this.#oneWord.addEventListener("change", () =>
      listener.onChange({ oneWord: this.#oneWord.checked }),
    );
    this.element = h(
      "div",
      { class: "filter", hidden: true },
      h("span", { class: "lead", "aria-hidden": "true" }, "Only"),
      this.#chips,
      h("label", { class: "check" }, this.#oneWord, "One-word phrases"),
      h(
        "span",
        { class: "copying" },
        h(
          "button",
          { type: "button", class: "plain", click: () => this.#copy() },
          "Copy all phrases",
        ),
        this.#told,
      ),
    );
  }

  show(labels: readonly string[], { only, oneWord, colouring }: FilterSettings): void {
    this.element.hidden = labels.length === 0;
    this.#oneWord.checked = oneWord;
    const colours = colouring === "labels" ? labelColours(labels, currentTheme()) : undefined;
    this.#chips.classList.toggle("filtering", only.length > 0);
    // Kept as they are where they can be, so that the focus stays.
    const names = [...this.#chips.children].map(({ textContent }) => textContent);
    if (names.join() !== labels.join()) this.#chips.replaceChildren(...labels.map(makeChip));
    for (const [index, label] of labels.entries()) {
      const chip = this.#chips.children[index] as HTMLButtonElement;
      const isChosen = only.includes(label);
      chip.setAttribute("aria-pressed", String(isChosen));
      chip.style.setProperty("--chip", colours?.(label) ?? "");
      chip.onclick = () =>
        this.#listener.onChange({
          only: isChosen ? only.filter((each) => each !== label) : [...only, label],
        });
    }
  }

  async #copy(): Promise<void> {
    this.#told.textContent = await this.#listener.onCopy();
  }
}

function makeChip(label: string): HTMLElement {
  const title = MEANINGS[label];
  return h("button", { type: "button", class: "chip", ...(title ? { title } : {}) }, label);
}
