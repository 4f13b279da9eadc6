/**
 * The phrases of a sentence beside its tree: what each is called, its words, head, probability and place in the
 * text. Pointing at a row, or going to it by keyboard, shows its phrase in the tree; pressing it keeps it shown.
 */

import type { DocumentPhrase } from "../../src/parser/phrases.js";
import { h } from "../dom.js";
import { copy, textBlob } from "../exports.js";
import { toTsv } from "../phrases.js";
import { percent, phraseKey } from "./nodes.js";

export interface ListListener {
  /** A phrase is pointed at; undefined if none is. */
  onPoint(key: string | undefined): void;
  /** A phrase is to be kept shown; undefined if none is any more. */
  onKeep(key: string | undefined): void;
}

interface Row {
  readonly key: string;
  readonly element: HTMLTableRowElement;
  readonly button: HTMLButtonElement;
}

interface Column {
  readonly title: string;
  /** The title in full, where it is cut. */
  readonly name?: string;
  readonly note?: string;
}

const COLUMNS: readonly Column[] = [
  { title: "Label" },
  { title: "Phrase" },
  { title: "Head", note: "The word that the phrase is about" },
  {
    title: "Prob.",
    name: "Probability",
    note: "Probability that it is a phrase and has this label",
  },
  { title: "Place", note: "Its first character in the text, and the one after its last" },
];

export class PhraseList {
  readonly element: HTMLDetailsElement;
  readonly #summary = h("summary", {});
  readonly #body = h("tbody");
  readonly #told = h("span", { class: "told", role: "status" });
  readonly #listener: ListListener;
  #phrases: readonly DocumentPhrase[] = [];
  #rows: readonly Row[] = [];
  #kept: string | undefined;

  constructor(name: string, isOpen: boolean, listener: ListListener) {
    this.#listener = listener;
    const heads = COLUMNS.map(({ title, name: whole, note }) =>
      h("th", { scope: "col", title: note, "aria-label": whole }, title),
    );
    this.element = h(
      "details",
      { class: "phrases", open: isOpen },
      this.#summary,
      h(
        "div",
        { class: "table" },
        h("table", { "aria-label": name }, h("thead", {}, h("tr", {}, ...heads)), this.#body),
      ),
      h(
        "p",
        { class: "row" },
        h("button", { type: "button", click: () => this.#copy() }, "Copy as TSV"),
        this.#told,
      ),
    );
    this.#listen();
  }

  /** @param colourOf the colour of a label; undefined where labels have none */
  show(
    phrases: readonly DocumentPhrase[],
    colourOf: (phrase: DocumentPhrase) => string | undefined,
  ): void {
    const hadFocus = this.#body.contains(document.activeElement);
    const current = this.#rows.find(({ button }) => button.tabIndex === 0)?.key;
    this.#phrases = phrases;
    this.#summary.textContent = phrases.length === 1 ? "1 phrase" : `${phrases.length} phrases`;
    this.#rows = phrases.map((phrase) => makeRow(phrase, colourOf(phrase)));
    this.#body.replaceChildren(...this.#rows.map(({ element }) => element));
    if (!this.#rows.some(({ key }) => key === this.#kept)) this.#kept = undefined;
    this.#showKept();
    const next = this.#rows.find(({ key }) => key === current) ?? this.#rows[0];
    if (next) this.#goTo(next, hadFocus);
  }

  /** The phrase that is kept shown. */
  get kept(): string | undefined {
    return this.#kept;
  }

  /** Shows which row belongs to the phrase that is pointed at in the tree. */
  mark(key: string | undefined): void {
    for (const row of this.#rows) row.element.classList.toggle("pointed", row.key === key);
  }

  #listen(): void {
    const rowOf = (target: EventTarget | null) =>
      this.#rows.find(({ element }) => element.contains(target as Node));
    for (const come of ["pointerover", "focusin"] as const) {
      this.#body.addEventListener(come, ({ target }) => {
        this.#listener.onPoint(rowOf(target)?.key);
      });
    }
    for (const go of ["pointerleave", "focusout"] as const) {
      this.#body.addEventListener(go, () => this.#listener.onPoint(undefined));
    }
    this.#body.addEventListener("click", ({ target }) => {
      const row = rowOf(target);
      if (row) this.#keep(row);
    });
    this.#body.addEventListener("keydown", (event) => this.#key(event, rowOf(event.target)));
  }

  #keep(row: Row): void {
    this.#kept = this.#kept === row.key ? undefined : row.key;
    this.#goTo(row, true);
    this.#showKept();
    this.#listener.onKeep(this.#kept);
  }

  #showKept(): void {
    for (const { key, button, element } of this.#rows) {
      const isKept = key === this.#kept;
      button.setAttribute("aria-pressed", String(isKept));
      element.classList.toggle("kept", isKept);
    }
  }

  /** One row at a time is reached by Tab, the others by arrow keys. */
  #key(event: KeyboardEvent, row: Row | undefined): void {
    const at = row ? this.#rows.indexOf(row) : -1;
    const last = this.#rows.length - 1;
    const target = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: last }[event.key];
    if (event.key === "Escape" && this.#kept !== undefined) {
      this.#kept = undefined;
      this.#showKept();
      this.#listener.onKeep(undefined);
      return;
    }
    const next = target === undefined || at < 0 ? undefined : this.#rows[target];
    if (!next) return;
    event.preventDefault();
    this.#goTo(next, true);
  }

  #goTo(row: Row, withFocus: boolean): void {
    for (const { button } of this.#rows) button.tabIndex = button === row.button ? 0 : -1;
    if (withFocus) row.button.focus();
  }

  async #copy(): Promise<void> {
    const isCopied = await copy(textBlob(toTsv(this.#phrases))).then(
      () => true,
      () => false,
    );
    this.#told.textContent = isCopied ? "Copied" : "The browser does not allow it";
  }
}

function makeRow(phrase: DocumentPhrase, colour: string | undefined): Row {
  const { label, text, head, probability, begin, end, words } = phrase;
  const chip = h("span", { class: "chip" }, label);
  if (colour) chip.style.setProperty("--chip", colour);
  const button = h("button", { type: "button", class: "plain", tabindex: -1 }, text);
  const element = h(
    "tr",
    {},
    h("td", {}, chip),
    h("th", { scope: "row" }, button),
    h("td", {}, head),
    h("td", { class: "figure" }, probability === undefined ? "" : percent(probability)),
    h("td", { class: "figure" }, `${begin}–`, h("wbr"), String(end)),
  );
  const [first, last] = words;
  return { key: phraseKey({ begin: first, end: last, label }), element, button };
}
