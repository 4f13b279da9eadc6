/**
 * Trees over the same words in one picture. Two share their words: one stands above them, the other hangs below. Three
 * stand side by side where there is room, and otherwise one under the other with their words in line.
 */

import { s } from "../dom.js";
import { drawPlan, type PlanDrawing, planTree, type TreePlan } from "./draw-tree.js";
import { LABEL_SIZE, picture, WORD_SIZE } from "./drawing.js";
import type { TreeNode } from "./nodes.js";

export interface NamedTree {
  readonly name: string;
  readonly root: TreeNode;
}

export interface ComparedDrawing {
  readonly element: SVGSVGElement;
  readonly width: number;
  readonly height: number;
  /** The elements of each tree. */
  readonly elements: readonly ReadonlyMap<TreeNode, Element>[];
}

const GAP = 28;
const TITLE = LABEL_SIZE + 12;

/** @param room how many pixels wide the picture may be */
export function drawCompared(trees: readonly NamedTree[], room: number): ComparedDrawing {
  const plans = trees.map(({ root }) => planTree(root, "beside"));
  const drawn = plans.length === 2 ? mirrored(plans) : apart(plans, trees, room);
  const element = picture(
    drawn.width,
    drawn.height,
    trees.map(({ name }) => name).join(", "),
    ...drawn.parts.map(({ edges, items }, index) =>
      s(
        "g",
        { role: "tree", "aria-label": trees[index]?.name, transform: drawn.places[index] },
        ...(drawn.titles[index] ? [drawn.titles[index]] : []),
        edges,
        ...items,
      ),
    ),
  );
  element.setAttribute("role", "group");
  const { width, height } = drawn;
  return { element, width, height, elements: drawn.parts.map((part) => part.elements) };
}

interface Placed {
  readonly parts: readonly PlanDrawing[];
  /** How each part is moved, if it is. */
  readonly places: readonly (string | undefined)[];
  readonly titles: readonly (Element | undefined)[];
  readonly width: number;
  readonly height: number;
}

function mirrored(plans: readonly TreePlan[]): Placed {
  const [top, bottom] = plans as [TreePlan, TreePlan];
  const base = top.rise;
  return {
    parts: [
      drawPlan(top, { base, sign: -1, labels: "beside", withWords: true }),
      drawPlan(bottom, { base, sign: 1, labels: "beside", withWords: false }),
    ],
    places: [],
    titles: [],
    width: top.width,
    height: top.rise + bottom.rise + WORD_SIZE / 2,
  };
}

function apart(plans: readonly TreePlan[], trees: readonly NamedTree[], room: number): Placed {
  const widths = plans.map(({ width }) => width);
  const heights = plans.map(({ rise }) => rise + TITLE + WORD_SIZE);
  const across = sum(widths) + GAP * (plans.length - 1);
  const isBeside = across <= room;
  // Side by side the words are in line, too.
  const base = (index: number) => {
    const own = plans[index]?.rise ?? 0;
    return TITLE + (isBeside ? Math.max(...plans.map(({ rise }) => rise)) : own);
  };
  const before = (sizes: readonly number[], index: number) =>
    sum(sizes.slice(0, index)) + GAP * index;
  return {
    parts: plans.map((plan, index) =>
      drawPlan(plan, { base: base(index), sign: -1, labels: "beside", withWords: true }),
    ),
    places: plans.map((_, index) =>
      isBeside ? `translate(${before(widths, index)} 0)` : `translate(0 ${before(heights, index)})`,
    ),
    titles: plans.map(({ width }, index) =>
      s("text", { class: "label", x: width / 2, y: LABEL_SIZE + 2 }, trees[index]?.name ?? ""),
    ),
    width: isBeside ? across : Math.max(...widths),
    height: isBeside ? Math.max(...heights) : before(heights, plans.length),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
