/**
 * One sentence with its tree: drawn as asked, folded and unfolded, gone through by keyboard, its words
 * chosen to force or forbid brackets, and taken out of the page in several forms.
 */

import type { Parse } from "../../src/parser/sentence.js";
import { leaves, type Span } from "../../src/trees/index.js";
import { h, messageOf } from "../dom.js";
import type { Sentence } from "../sentence.js";
import { treeAbove } from "../sentence.js";
import { drawBoxes } from "./draw-boxes.js";
import { drawBrackets } from "./draw-brackets.js";
import { drawTree } from "./draw-tree.js";
import type { Drawing } from "./drawing.js";
import { exportMenu } from "./export-menu.js";
import { drawForced } from "./forced.js";
import { neighbour, RovingFocus } from "./keyboard.js";
import { buildNodes, percent, signed, spanKey, type TreeNode } from "./nodes.js";
import { hideTooltip, showTooltip } from "./tooltip.js";
import { Viewport } from "./viewport.js";
import { WordChoice } from "./word-choice.js";

export type DrawingName = "tree" | "boxes" | "brackets";

const DRAWINGS = { tree: drawTree, boxes: drawBoxes, brackets: drawBrackets } as const;

export interface PaneSettings {
  readonly drawing: DrawingName;
  /** Phrases less probable than this are left out. */
  readonly threshold: number;
  readonly colour: boolean;
}

export interface PaneState {
  folded: Set<string>;
  required: Span[];
  forbidden: Span[];
}

export function emptyState(): PaneState {
  return { folded: new Set(), required: [], forbidden: [] };
}

export class SentencePane {
  readonly element: HTMLElement;
  readonly #sentence: Sentence;
  readonly #state: PaneState;
  readonly #onChange: () => void;
  readonly #viewport = new Viewport();
  readonly #focus = new RovingFocus();
  readonly #words: WordChoice;
  readonly #facts = h("p", { class: "facts" });
  readonly #forced = h("ul", { class: "forced", hidden: true });
  readonly #bar = h("div", {
    class: "choice",
    role: "toolbar",
    "aria-label": "Chosen words",
    hidden: true,
  });
  readonly #problem = h("p", { class: "problem", role: "alert", hidden: true });
  #settings: PaneSettings;
  #parse: Parse | undefined;
  #isInView = false;
  /** Whether the drawing is not what it should be: nobody was looking. */
  #isStale = true;

  constructor(
    sentence: Sentence,
    number: number,
    options: { settings: PaneSettings; state: PaneState; onChange: () => void },
  ) {
    this.#sentence = sentence;
    this.#settings = options.settings;
    this.#state = options.state;
    this.#onChange = options.onChange;
    this.#words = new WordChoice(this.#viewport.element, (span) => this.#showChoice(span));
    this.element = this.#build(number);
    this.#listen();
  }

  /** Draws when the pane comes into view, and not before. */
  async look(isInView: boolean): Promise<void> {
    this.#isInView = isInView;
    if (!isInView || !this.#isStale) return;
    this.#isStale = false;
    if (this.#parse) this.#draw();
    else await this.#parseFirst();
  }

  async #parseFirst(): Promise<void> {
    if (await this.#reparse()) return;
    // A link may ask for brackets that no tree has: the tree without them, and what is wrong.
    const problem = this.#problem.textContent;
    Object.assign(this.#state, emptyState());
    if (await this.#reparse()) this.#tell(problem);
  }

  update(settings: PaneSettings): void {
    this.#settings = settings;
    if (this.#isInView) this.#draw();
    else this.#isStale = true;
  }

  #build(number: number): HTMLElement {
    const zoom = (label: string, sign: string, action: () => void) =>
      h(
        "button",
        { type: "button", class: "plain", "aria-label": label, title: label, click: action },
        sign,
      );
    const tools = h(
      "div",
      { class: "tools" },
      zoom("Smaller", "−", () => this.#viewport.zoomBy(-1)),
      zoom("Larger", "+", () => this.#viewport.zoomBy(1)),
      zoom("Fit to the page", "⤢", () => this.#viewport.fit()),
      exportMenu(`sentence-${number}`, () => this.#exportable()),
    );
    const text = this.#sentence.input.leaves.map(({ word }) => word).join(" ");
    return h(
      "article",
      { class: "sentence", "aria-label": `Sentence ${number}: ${text}` },
      h(
        "header",
        {},
        h("span", { class: "number", "aria-hidden": "true" }, String(number)),
        this.#facts,
        tools,
      ),
      this.#forced,
      this.#viewport.element,
      this.#bar,
      this.#problem,
    );
  }

  #exportable() {
    const parse = this.#parse as Parse;
    const tree = treeAbove(parse, this.#settings.threshold);
    const picture = () =>
      (this.#settings.drawing === "brackets"
        ? drawTree(this.#nodes(), this.#settings)
        : this.#drawn()
      ).element as SVGSVGElement;
    return { picture, tree, parse };
  }

  async #reparse(): Promise<boolean> {
    const { required, forbidden } = this.#state;
    try {
      this.#parse = await this.#sentence.parse({ required, forbidden });
      this.#problem.hidden = true;
    } catch (error) {
      this.#tell(messageOf(error));
      return false;
    }
    this.#draw();
    return true;
  }

  #tell(problem: string | null): void {
    this.#problem.textContent = problem;
    this.#problem.hidden = false;
  }

  #nodes(): TreeNode {
    const parse = this.#parse as Parse;
    return buildNodes(treeAbove(parse, this.#settings.threshold), {
      spans: parse.spans,
      folded: this.#state.folded,
    });
  }

  #drawn(): Drawing {
    const drawing = DRAWINGS[this.#settings.drawing](this.#nodes(), this.#settings);
    drawForced(drawing, this.#state.required, this.#state.forbidden);
    return drawing;
  }

  #draw(): void {
    if (!this.#parse) return;
    const hadFocus = this.#viewport.element.contains(document.activeElement);
    const drawing = this.#drawn();
    this.#viewport.show(drawing.element, drawing);
    this.#focus.adopt(drawing.elements, hadFocus);
    this.#words.adopt(drawing.elements);
    this.#showFacts();
    this.#showForced();
  }

  #showFacts(): void {
    const { score, fallback, tree } = this.#parse as Parse;
    const count = leaves(tree).length;
    this.#facts.textContent = [
      count === 1 ? "1 word" : `${count} words`,
      fallback ?? (score === undefined ? "" : `score ${signed(score, 1)}`),
    ]
      .filter(Boolean)
      .join(" · ");
  }

  #showForced(): void {
    const { required, forbidden } = this.#state;
    const chip = (span: Span, kind: "required" | "forbidden") => {
      const text = this.#text(span);
      const label = kind === "required" ? "must have" : "must not have";
      return h(
        "li",
        { class: kind },
        h("span", {}, `${label} `, h("q", {}, text)),
        h(
          "button",
          {
            type: "button",
            class: "plain",
            "aria-label": `Forget: ${label} ${text}`,
            click: () => this.#force(span, undefined),
          },
          "×",
        ),
      );
    };
    this.#forced.hidden = required.length + forbidden.length === 0;
    this.#forced.replaceChildren(
      ...required.map((span) => chip(span, "required")),
      ...forbidden.map((span) => chip(span, "forbidden")),
    );
  }

  #text({ begin, end }: Span): string {
    const words = this.#sentence.input.leaves.slice(begin, end).map(({ word }) => word);
    return words.length > 8
      ? [...words.slice(0, 4), "…", ...words.slice(-3)].join(" ")
      : words.join(" ");
  }

  #listen(): void {
    const area = this.#viewport.element;
    area.addEventListener("click", (event) => this.#click(event));
    area.addEventListener("keydown", (event) => this.#key(event));
    for (const come of ["pointerover", "focusin"] as const) {
      area.addEventListener(come, (event) => this.#attend(event.target as Element));
    }
    for (const go of ["pointerleave", "focusout"] as const) {
      area.addEventListener(go, () => this.#attend(null));
    }
  }

  /** Shows what a phrase is, and lights up its words. */
  #attend(target: Element | null): void {
    const node = target && this.#focus.nodeOf(target);
    const isPhrase = node && !node.leaf;
    if (isPhrase) showTooltip(node, target.closest(".node") as Element);
    else hideTooltip();
    for (const word of this.#viewport.element.querySelectorAll(".word")) {
      const begin = Number.parseInt(word.getAttribute("data-span") ?? "", 10);
      word.classList.toggle("covered", !!isPhrase && begin >= node.begin && begin < node.end);
    }
  }

  #click(event: MouseEvent): void {
    const node = this.#focus.nodeOf(event.target as Element);
    if (!node || node.leaf) return;
    this.#focus.focus(node);
    this.#fold(node);
  }

  #fold(node: TreeNode): void {
    const { folded } = this.#state;
    const key = spanKey(node);
    if (folded.has(key)) folded.delete(key);
    else folded.add(key);
    hideTooltip();
    this.#draw();
    this.#onChange();
  }

  #key(event: KeyboardEvent): void {
    const node = this.#focus.nodeOf(event.target as Element);
    if (!node || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.#act(node, event)) event.preventDefault();
  }

  /** Does what a key asks for; false if it asks for nothing. */
  #act(node: TreeNode, { key, shiftKey }: KeyboardEvent): boolean {
    const span = this.#words.span ?? node;
    if (shiftKey && (key === "ArrowLeft" || key === "ArrowRight") && node.leaf) {
      const next = this.#words.extend(node, key === "ArrowLeft" ? -1 : 1);
      if (next) this.#focus.focus(next);
      return true;
    }
    if ((key === "Enter" || key === " ") && !node.leaf) this.#fold(node);
    else if (key === "Escape") this.#words.clear();
    else if (key === "r") this.#force(span, "required");
    else if (key === "f") this.#force(span, "forbidden");
    else if (key === "Delete" || key === "Backspace") this.#force(span, undefined);
    else {
      const next = neighbour(node, key);
      if (next) this.#focus.focus(next);
      return next !== undefined;
    }
    return true;
  }

  /** Makes a bracket required or forbidden, or neither; one that no tree can obey is taken back. */
  async #force(span: Span, kind: "required" | "forbidden" | undefined): Promise<void> {
    const { required, forbidden } = this.#state;
    const others = (list: readonly Span[]) =>
      list.filter((each) => spanKey(each) !== spanKey(span));
    const wanted = { begin: span.begin, end: span.end };
    this.#state.required = [...others(required), ...(kind === "required" ? [wanted] : [])];
    this.#state.forbidden = [...others(forbidden), ...(kind === "forbidden" ? [wanted] : [])];
    if (await this.#reparse()) {
      this.#words.clear();
      this.#onChange();
    } else {
      Object.assign(this.#state, { required, forbidden });
    }
  }

  #showChoice(span: Span | undefined): void {
    this.#bar.hidden = span === undefined;
    this.#problem.hidden = true;
    if (!span) return;
    const isTrivial = span.end - span.begin === 1;
    const known = isTrivial ? undefined : this.#sentence.judge(span);
    const button = (name: string, kind: "required" | "forbidden" | undefined, disabled = false) =>
      h(
        "button",
        { type: "button", disabled, class: kind ?? "", click: () => this.#force(span, kind) },
        name,
      );
    const { required, forbidden } = this.#state;
    const isForced = [...required, ...forbidden].some((each) => spanKey(each) === spanKey(span));
    this.#bar.replaceChildren(
      h("p", {}, h("q", {}, this.#text(span)), facts(known, isTrivial)),
      h(
        "div",
        { class: "buttons" },
        button("Require", "required", isTrivial),
        button("Forbid", "forbidden", isTrivial),
        isForced && button("Forget", undefined),
        h("button", { type: "button", class: "plain", click: () => this.#words.clear() }, "Cancel"),
      ),
    );
  }
}

function facts(
  known: { score: number; marginal: number } | undefined,
  isTrivial: boolean,
): HTMLElement {
  if (isTrivial)
    return h("small", {}, "Drag on, or tap another word: a bracket holds two or more.");
  if (!known) return h("small", {}, "");
  return h("small", {}, `probability ${percent(known.marginal)} · score ${signed(known.score)}`);
}
