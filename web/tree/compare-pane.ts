/**
 * One sentence with the trees that are compared over it: what all have, under the same label or another, what one has
 * alone, and what two cannot both have, brackets that cross, in red and dashed.
 */

import type { Protocol } from "../../src/evaluation/protocols.js";
import { type Leaf, leaves, type Tree, toPenn } from "../../src/trees/index.js";
import { h } from "../dom.js";
import { type Format, PICTURES, type Pictured, textBlob } from "../exports.js";
import { PHONE } from "../screen.js";
import { comparer } from "./compare-marks.js";
import { type ComparedDrawing, drawCompared } from "./draw-compared.js";
import { exportMenu } from "./export-menu.js";
import { neighbour, RovingFocus } from "./keyboard.js";
import { buildNodes, shownNodes, spanKey, type TreeNode } from "./nodes.js";
import { hideTooltip, showTooltip } from "./tooltip.js";
import { Viewport } from "./viewport.js";
import { zoomTools } from "./zoom-tools.js";

export interface ComparedTree {
  readonly name: string;
  readonly tree: Tree;
}

interface ExportedTrees extends Pictured {
  readonly trees: readonly Tree[];
}

const FORMATS: readonly Format<ExportedTrees>[] = [
  ...PICTURES,
  {
    name: "Penn",
    ending: "mrg",
    make: async ({ trees }) => textBlob(trees.map((tree) => `${toPenn(tree)}\n`).join("")),
  },
];

export class ComparePane {
  readonly element: HTMLElement;
  readonly #trees: readonly ComparedTree[];
  readonly #viewport = new Viewport();
  readonly #told = h("p", { class: "told", role: "status" });
  readonly #options: { readonly tokens: readonly Leaf[]; readonly protocol: Protocol };
  readonly #folded = new Set<string>();
  #focuses: readonly RovingFocus[] = [];
  #isDrawn = false;

  /** @param trees two or three; the others are compared with the last */
  constructor(
    number: number,
    trees: readonly ComparedTree[],
    options: { facts: string; tokens: readonly Leaf[]; protocol: Protocol },
  ) {
    this.#trees = trees;
    this.#options = options;
    const text = options.tokens.map(({ word }) => word).join(" ");
    const side = (at: number, place: string) =>
      trees.length === 2 &&
      h("p", { class: `side ${place}`, "aria-hidden": "true" }, trees[at]?.name);
    this.element = h(
      "article",
      { class: "sentence compared", "aria-label": `Sentence ${number}: ${text}`, tabindex: -1 },
      h(
        "header",
        {},
        h("span", { class: "number", "aria-hidden": "true" }, String(number)),
        h("p", { class: "facts" }, options.facts),
        this.#told,
        h(
          "div",
          { class: "tools" },
          ...zoomTools(this.#viewport),
          exportMenu(`compared-${number}`, FORMATS, () => ({
            trees: trees.map(({ tree }) => tree),
            picture: () => this.#drawn().element,
          })),
        ),
      ),
      side(0, "above"),
      this.#viewport.element,
      side(1, "below"),
    );
    this.#listen();
  }

  reveal(): void {
    if (this.#isDrawn) return;
    this.#isDrawn = true;
    this.#draw();
    // Nothing is cut off at the start; two fingers bring it nearer.
    if (PHONE.matches) this.#viewport.fit();
  }

  /** Brings the sentence into view, and to those who listen. */
  show(): void {
    this.reveal();
    this.element.scrollIntoView({ block: "start" });
    this.element.focus({ preventScroll: true });
  }

  #drawn(): ComparedDrawing {
    const { tokens, protocol } = this.#options;
    const last = this.#trees.length - 1;
    const named = this.#trees.map(({ name, tree }, index) => {
      const others = this.#trees.filter((_, at) => (index === last ? at !== last : at === last));
      const compare = comparer(
        others.map((other) => other.tree),
        tokens,
        protocol,
      );
      return { name, root: buildNodes(tree, { compare, folded: this.#folded }) };
    });
    return drawCompared(named, this.#viewport.roomWithoutLoss());
  }

  #draw(): void {
    const hadFocus = this.#focuses.findIndex((focus) => focus.nodeOf(document.activeElement));
    const drawing = this.#drawn();
    this.#viewport.show(drawing.element, drawing);
    this.#focuses = drawing.elements.map((elements, index) => {
      const focus = this.#focuses[index] ?? new RovingFocus();
      focus.adopt(elements, index === hadFocus);
      return focus;
    });
  }

  /** Where two trees share their words, only phrases that both have can be folded. */
  #fold(node: TreeNode): void {
    const key = spanKey(node);
    const isShared = this.#trees.every(({ tree }) =>
      shownNodes(buildNodes(tree)).some((each) => !each.leaf && spanKey(each) === key),
    );
    const isPossible = isShared || this.#trees.length > 2;
    this.#told.textContent = isPossible ? "" : "Only a phrase that both trees have can be folded.";
    if (!isPossible) return;
    if (!this.#folded.delete(key)) this.#folded.add(key);
    hideTooltip();
    this.#draw();
  }

  #find(target: EventTarget | null): { focus: RovingFocus; node: TreeNode } | undefined {
    for (const focus of this.#focuses) {
      const node = focus.nodeOf(target as Element);
      if (node) return { focus, node };
    }
    return undefined;
  }

  #listen(): void {
    const area = this.#viewport.element;
    for (const come of ["pointerover", "focusin"] as const) {
      area.addEventListener(come, ({ target }) => {
        const found = this.#find(target);
        if (found && !found.node.leaf) {
          showTooltip(found.node, (target as Element).closest(".node") as Element);
        } else hideTooltip();
      });
    }
    for (const go of ["pointerleave", "focusout"] as const) area.addEventListener(go, hideTooltip);
    area.addEventListener("click", ({ target }) => {
      const found = this.#find(target);
      if (!found || found.node.leaf) return;
      found.focus.focus(found.node);
      this.#fold(found.node);
    });
    area.addEventListener("keydown", (event) => this.#key(event));
  }

  #key(event: KeyboardEvent): void {
    const found = this.#find(event.target);
    if (!found || event.ctrlKey || event.metaKey || event.altKey) return;
    const isFold = event.key === "Enter" || event.key === " ";
    const next = neighbour(found.node, event.key);
    if (isFold && !found.node.leaf) this.#fold(found.node);
    else if (next) found.focus.focus(next);
    else return;
    event.preventDefault();
  }
}

/** The words of a sentence, as they are shown in lists. */
export function textOf(tree: Tree): string {
  return leaves(tree)
    .map(({ word }) => word)
    .join(" ");
}
