/** The tools over the trees of a text: how they are drawn, what colours tell, which phrases are shown. */

import { segmented } from "../controls.js";
import { h } from "../dom.js";
import { confidenceColour } from "../tree/colour.js";
import type { Colouring } from "../tree/paint.js";
import type { DrawingName, PaneSettings } from "../tree/pane-state.js";
import { LabelFilter } from "./label-filter.js";

const DRAWING_NAMES: Readonly<Record<DrawingName, string>> = {
  tree: "Tree",
  boxes: "Boxes",
  brackets: "Brackets",
};

/** Without names there is nothing but confidence to tell by colours. */
const COLOURINGS: Readonly<Record<Colouring, string>> = {
  labels: "Labels",
  confidence: "Confidence",
  none: "No colours",
};

const SCALE_TITLE = "How sure the parser is of a phrase";

const USUAL: PaneSettings = {
  drawing: "tree",
  threshold: 0,
  colouring: "labels",
  only: [],
  oneWord: true,
};

export interface ToolListener {
  onChange(): void;
  /** Copies the phrases of all sentences; says what was done. */
  onCopyPhrases(): Promise<string>;
}

export class ParseTools {
  readonly element: HTMLElement;
  readonly #listener: ToolListener;
  readonly #drawing = segmented("Drawing", DRAWING_NAMES, (drawing) => this.#set({ drawing }));
  readonly #colours = segmented("Colours", COLOURINGS, (colouring) => this.#set({ colouring }));
  readonly #flatness = h("input", {
    type: "range",
    min: 0,
    max: 100,
    step: 1,
    "aria-label": "From flat to all phrases",
  });
  readonly #flatnessText = h("output", {});
  readonly #confidence = h("input", { type: "checkbox" });
  readonly #bar = h("i", { class: "bar", "aria-hidden": "true" });
  readonly #scale = h("span", { class: "scale" }, "unsure", this.#bar, "sure");
  readonly #opener = h(
    "button",
    { type: "button", class: "opener", "aria-expanded": "false" },
    "Display",
  );
  readonly #colouring = h("div", { class: "colouring" });
  readonly #filter: LabelFilter;
  #settings = USUAL;
  #labels: readonly string[] = [];

  constructor(listener: ToolListener, ...more: readonly HTMLElement[]) {
    this.#listener = listener;
    this.#filter = new LabelFilter({
      onChange: (change) => this.#set(change),
      onCopy: () => listener.onCopyPhrases(),
    });
    this.#flatness.addEventListener("input", () =>
      this.#set({ threshold: 1 - Number(this.#flatness.value) / 100 }),
    );
    this.#confidence.addEventListener("change", () =>
      this.#set({ colouring: this.#confidence.checked ? USUAL.colouring : "none" }),
    );
    this.#opener.addEventListener("click", () => this.#toggle());
    this.element = h(
      "div",
      { class: "toolbar", hidden: true },
      this.#opener,
      this.#drawing.element,
      h(
        "div",
        { class: "flatness" },
        h("span", { "aria-hidden": "true" }, "flat"),
        this.#flatness,
        h("span", { "aria-hidden": "true" }, "full"),
        this.#flatnessText,
      ),
      this.#colouring,
      ...more,
      this.#filter.element,
    );
  }

  /** What is set; a label that the model does not have filters nothing. */
  get settings(): PaneSettings {
    const only = this.#settings.only.filter((label) => this.#labels.includes(label));
    return { ...this.#settings, only };
  }

  /** The labels of the model that parsed; without any, there are no tools for labels. */
  showLabels(labels: readonly string[]): void {
    if (labels.join() === this.#labels.join() && !this.element.hidden) return;
    this.#labels = labels;
    this.element.hidden = false;
    this.#colouring.replaceChildren(
      ...(labels.length > 0
        ? [this.#colours.element, this.#scale]
        : [h("label", { class: "check" }, this.#confidence, "Confidence"), this.#scale]),
    );
    this.refresh();
  }

  /** Shows what is set, in the colours of the theme. */
  refresh(): void {
    const { drawing, threshold, colouring } = this.#settings;
    this.#drawing.set(drawing);
    this.#flatness.value = String(Math.round((1 - threshold) * 100));
    const told =
      threshold === 0 ? "all phrases" : `phrases of ${Math.round(threshold * 100)} % and more`;
    this.#flatnessText.textContent = told;
    this.#flatness.setAttribute("aria-valuetext", told);
    this.#showColours(colouring);
    this.#filter.show(this.#labels, this.settings);
  }

  #showColours(colouring: Colouring): void {
    const isNamed = this.#labels.length > 0;
    this.#colours.set(colouring);
    this.#confidence.checked = colouring !== "none";
    const isByLabel = isNamed && colouring === "labels";
    const hasLines = this.#settings.drawing !== "brackets";
    this.#scale.hidden = isNamed && (colouring === "none" || (isByLabel && !hasLines));
    this.#scale.title = isByLabel ? "How sure the parser is: by the lines" : SCALE_TITLE;
    this.#bar.classList.toggle("wedge", isByLabel);
    const stops = [0, 0.5, 1].map((share) => confidenceColour(share));
    this.#bar.style.background = isByLabel ? "" : `linear-gradient(90deg, ${stops.join()})`;
  }

  /** On a phone the tools are folded away until they are wanted. */
  #toggle(isOpen = !this.element.classList.contains("open")): void {
    this.element.classList.toggle("open", isOpen);
    this.#opener.setAttribute("aria-expanded", String(isOpen));
  }

  open(): void {
    this.#toggle(true);
  }

  restore(fields: URLSearchParams): void {
    const drawing = fields.get("drawing") as DrawingName | null;
    const threshold = Number(fields.get("flat") ?? 0);
    const colour = fields.get("colour");
    this.#settings = {
      drawing: drawing && drawing in DRAWING_NAMES ? drawing : USUAL.drawing,
      threshold: threshold >= 0 && threshold <= 1 ? threshold : 0,
      colouring: colour === "no" ? "none" : colour === "confidence" ? colour : USUAL.colouring,
      only: (fields.get("only") ?? "").split(",").filter((label) => label !== ""),
      oneWord: fields.get("words") !== "no",
    };
    this.refresh();
  }

  /** What a link carries. */
  fields(): Readonly<Record<string, string>> {
    const { drawing, threshold, colouring, only, oneWord } = this.#settings;
    return {
      drawing: drawing === USUAL.drawing ? "" : drawing,
      flat: threshold === 0 ? "" : String(Math.round(threshold * 100) / 100),
      colour: colouring === USUAL.colouring ? "" : colouring === "none" ? "no" : colouring,
      only: only.join(),
      words: oneWord ? "" : "no",
    };
  }

  #set(change: Partial<PaneSettings>): void {
    this.#settings = { ...this.#settings, ...change };
    this.refresh();
    this.#listener.onChange();
  }
}
