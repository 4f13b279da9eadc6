/**
 * Two trees over the same words, one above them and one hanging below. What both have, under the same label or
 * another, what one has alone, and what the two cannot both have: brackets that cross, in red and dashed.
 */

import { describeSentence, type Protocol } from "../../src/evaluation/protocols.js";
import {
  type Constituent,
  constituents,
  type Leaf,
  leaves,
  type Tree,
} from "../../src/trees/index.js";
import { CHAIN, INDUCED } from "../../src/trees/labels.js";
import { cross } from "../../src/trees/tree.js";
import { h, s } from "../dom.js";
import { drawPlan, planTree } from "./draw-tree.js";
import { picture, WORD_SIZE } from "./drawing.js";
import { neighbour, RovingFocus } from "./keyboard.js";
import { buildNodes, type Compared } from "./nodes.js";
import { hideTooltip, showTooltip } from "./tooltip.js";
import { Viewport } from "./viewport.js";

export interface ComparedTree {
  readonly name: string;
  readonly tree: Tree;
}

/** How a phrase of one tree stands to another tree, as a protocol sees both. */
function comparer(
  tree: Tree,
  tokens: readonly Leaf[],
  protocol: Protocol,
): (phrase: Constituent) => Compared | undefined {
  const sentence = describeSentence(tokens, protocol);
  const phrases = constituents(tree).flatMap((phrase) => {
    const seen = protocol.project(phrase, sentence);
    return seen ? [{ ...seen, label: protocol.category(phrase.label) }] : [];
  });
  return (phrase) => {
    const seen = protocol.project(phrase, sentence);
    if (!seen) return undefined;
    const same = phrases.filter(({ begin, end }) => begin === seen.begin && end === seen.end);
    if (same.length === 0) {
      return { mark: phrases.some((other) => cross(other, seen)) ? "crossing" : "other" };
    }
    const names = same.map(({ label }) => label);
    const isNamed = [phrase.label, ...names].every((label) => !NAMELESS.has(label));
    return isNamed && !names.includes(protocol.category(phrase.label))
      ? { mark: "renamed", elsewhere: names.reverse().join(CHAIN) }
      : { mark: "shared" };
  };
}

/** Trees of some parsers have no labels to compare. */
const NAMELESS: ReadonlySet<string> = new Set(["", INDUCED]);

/** Whether phrases of a tree have names. */
export function isNamed(tree: Tree): boolean {
  return constituents(tree).some(({ label }) => !NAMELESS.has(label));
}

export class ComparePane {
  readonly element: HTMLElement;
  readonly #viewport = new Viewport();
  readonly #draw: () => void;
  #focuses: readonly RovingFocus[] = [];
  #isDrawn = false;

  constructor(
    number: number,
    trees: { above: ComparedTree; below: ComparedTree },
    options: { facts: string; tokens: readonly Leaf[]; protocol: Protocol },
  ) {
    this.#draw = () => this.#drawTrees(trees.above, trees.below, options);
    const text = leaves(trees.above.tree)
      .map(({ word }) => word)
      .join(" ");
    this.element = h(
      "article",
      { class: "sentence compared", "aria-label": `Sentence ${number}: ${text}` },
      h(
        "header",
        {},
        h("span", { class: "number", "aria-hidden": "true" }, String(number)),
        h("p", { class: "facts" }, options.facts),
      ),
      h("p", { class: "side above", "aria-hidden": "true" }, trees.above.name),
      this.#viewport.element,
      h("p", { class: "side below", "aria-hidden": "true" }, trees.below.name),
    );
    this.#listen();
  }

  reveal(): void {
    if (this.#isDrawn) return;
    this.#isDrawn = true;
    this.#draw();
  }

  #drawTrees(
    above: ComparedTree,
    below: ComparedTree,
    { tokens, protocol }: { tokens: readonly Leaf[]; protocol: Protocol },
  ): void {
    const plans = [
      planTree(
        buildNodes(above.tree, { compare: comparer(below.tree, tokens, protocol) }),
        "beside",
      ),
      planTree(
        buildNodes(below.tree, { compare: comparer(above.tree, tokens, protocol) }),
        "beside",
      ),
    ] as const;
    const [top, bottom] = plans;
    const drawn = [
      drawPlan(top, { base: top.rise, sign: -1, labels: "beside", withWords: true }),
      drawPlan(bottom, { base: top.rise, sign: 1, labels: "beside", withWords: false }),
    ] as const;
    const [width, height] = [top.width, top.rise + bottom.rise + WORD_SIZE / 2];
    const svg = picture(
      width,
      height,
      `${above.name} and ${below.name}`,
      ...drawn.map(({ edges, items }, index) => {
        const label = index === 0 ? above.name : below.name;
        return s("g", { role: "tree", "aria-label": label }, edges, ...items);
      }),
    );
    svg.setAttribute("role", "group");
    this.#viewport.show(svg, { width, height });
    this.#focuses = drawn.map(({ elements }) => {
      const focus = new RovingFocus();
      focus.adopt(elements, false);
      return focus;
    });
  }

  #listen(): void {
    const area = this.#viewport.element;
    const find = (target: EventTarget | null) => {
      for (const focus of this.#focuses) {
        const node = focus.nodeOf(target as Element);
        if (node) return { focus, node };
      }
      return undefined;
    };
    for (const come of ["pointerover", "focusin"] as const) {
      area.addEventListener(come, ({ target }) => {
        const found = find(target);
        if (found && !found.node.leaf) {
          showTooltip(found.node, (target as Element).closest(".node") as Element);
        } else hideTooltip();
      });
    }
    for (const go of ["pointerleave", "focusout"] as const) area.addEventListener(go, hideTooltip);
    area.addEventListener("keydown", (event) => {
      const found = find(event.target);
      const next = found && neighbour(found.node, event.key);
      if (!next) return;
      event.preventDefault();
      found.focus.focus(next);
    });
  }
}
