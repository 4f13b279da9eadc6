/**
 * Two trees over the same words, one above them and one hanging below. What both have, what one has
 * alone, and what the two cannot both have: brackets that cross, in red and dashed.
 */

import { describeSentence, type Protocol } from "../../src/evaluation/protocols.js";
import { constituents, leaves, type Span, type Tree } from "../../src/trees/index.js";
import { cross } from "../../src/trees/tree.js";
import { h, s } from "../dom.js";
import { drawPlan, planTree } from "./draw-tree.js";
import { picture, WORD_SIZE } from "./drawing.js";
import { neighbour, RovingFocus } from "./keyboard.js";
import { buildNodes, type Mark } from "./nodes.js";
import { hideTooltip, showTooltip } from "./tooltip.js";
import { Viewport } from "./viewport.js";

export interface Compared {
  readonly name: string;
  readonly tree: Tree;
}

/** How a phrase of one tree stands to another tree, as a protocol sees both. */
export function marker(
  tree: Tree,
  tags: readonly string[],
  protocol: Protocol,
): (span: Span) => Mark | undefined {
  const sentence = describeSentence(tags, protocol);
  const spans = constituents(tree).flatMap((span) => protocol.project(span, sentence) ?? []);
  return (span) => {
    const seen = protocol.project(span, sentence);
    if (!seen) return undefined;
    if (spans.some(({ begin, end }) => begin === seen.begin && end === seen.end)) return "shared";
    return spans.some((other) => cross(other, seen)) ? "crossing" : "other";
  };
}

export class ComparePane {
  readonly element: HTMLElement;
  readonly #viewport = new Viewport();
  readonly #draw: () => void;
  #focuses: readonly RovingFocus[] = [];
  #isDrawn = false;

  constructor(
    number: number,
    trees: { above: Compared; below: Compared },
    options: { facts: string; tags: readonly string[]; protocol: Protocol },
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
    above: Compared,
    below: Compared,
    { tags, protocol }: { tags: readonly string[]; protocol: Protocol },
  ): void {
    const plans = [
      planTree(buildNodes(above.tree, { mark: marker(below.tree, tags, protocol) }), "beside"),
      planTree(buildNodes(below.tree, { mark: marker(above.tree, tags, protocol) }), "beside"),
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
