/** The tree as boxes inside boxes around the words, which stand in one line. */

import { s } from "../dom.js";
import { FOOT } from "./draw-tree.js";
import {
  CORNER_SIZE,
  type Drawing,
  measureLabel,
  measureWord,
  nodeAttributes,
  picture,
  round,
  WORD_SIZE,
} from "./drawing.js";
import { nodeText, shownNodes, type TreeNode } from "./nodes.js";
import type { Paint } from "./paint.js";

const MARGIN = 8;
const PAD = 6;
const RISE = 5;
const GAP = 5;
const LEAF_HEIGHT = 28;
const CORNER = 6;
/** How much higher a box is that has a label in its corner. */
const HEADER = 14;

interface Size {
  readonly width: number;
  /** How far the box reaches above and below the middle of the words. */
  readonly up: number;
  readonly down: number;
}

interface Box extends Size {
  readonly left: number;
}

export function drawBoxes(root: TreeNode, paint: Paint): Drawing {
  const boxes = placeBoxes(root);
  const outer = boxes.get(root) as Box;
  const middle = MARGIN + outer.up;
  const elements = new Map<TreeNode, Element>();
  const items = shownNodes(root).map((node) => {
    const item = drawBox(node, boxes.get(node) as Box, middle, paint);
    elements.set(node, item);
    return item;
  });
  const bottom = middle + outer.down;
  const [width, height] = [outer.width + 2 * MARGIN, bottom + MARGIN + FOOT];
  const words = shownNodes(root)
    .filter(({ leaf, isFolded }) => leaf || isFolded)
    .flatMap((node) => {
      const { left, width: own } = boxes.get(node) as Box;
      return node.words.map(() => ({ left, right: left + own, bottom }));
    });
  const title = root.words.join(" ");
  return { element: picture(width, height, title, ...items), elements, width, height, words };
}

function placeBoxes(root: TreeNode): Map<TreeNode, Box> {
  const sizes = new Map<TreeNode, Size>();
  const measure = (node: TreeNode): Size => {
    const size = sizeOf(node, node.isFolded ? [] : node.children.map(measure));
    sizes.set(node, size);
    return size;
  };
  const boxes = new Map<TreeNode, Box>();
  const place = (node: TreeNode, left: number) => {
    const size = sizes.get(node) as Size;
    boxes.set(node, { ...size, left });
    const parts = node.isFolded ? [] : node.children;
    const widths = parts.map((child) => (sizes.get(child) as Size).width);
    let at = left + (size.width - rowWidth(widths)) / 2;
    for (const [index, child] of parts.entries()) {
      place(child, at);
      at += (widths[index] as number) + GAP;
    }
  };
  measure(root);
  place(root, MARGIN);
  return boxes;
}

function sizeOf(node: TreeNode, parts: readonly Size[]): Size {
  const { leaf, label, isFolded } = node;
  const half = LEAF_HEIGHT / 2;
  if (leaf) return { width: measureWord(nodeText(node)) + PAD, up: half, down: half };
  const inner = isFolded ? measureWord(nodeText(node)) : rowWidth(parts.map(({ width }) => width));
  const header = label === "" ? 0 : measureLabel(label, CORNER_SIZE);
  const rise = isFolded ? 0 : RISE;
  return {
    width: Math.max(inner, header) + 2 * PAD,
    up: Math.max(half, ...parts.map(({ up }) => up)) + (label === "" ? rise : HEADER),
    down: Math.max(half, ...parts.map(({ down }) => down)) + rise,
  };
}

function rowWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, GAP * (widths.length - 1));
}

function drawBox(node: TreeNode, box: Box, middle: number, paint: Paint): SVGGElement {
  const { leaf, label, isFolded } = node;
  const [top, height] = [middle - box.up, box.up + box.down];
  const strength = paint.strengthOf(node);
  const rect = (kind: string) =>
    s("rect", {
      class: kind,
      x: round(box.left),
      y: round(top),
      width: round(box.width),
      height: round(height),
      rx: CORNER,
      "stroke-opacity": strength === undefined ? undefined : round(0.4 + 0.6 * strength),
    });
  const corner =
    label !== "" &&
    s("text", { class: "corner", x: round(box.left + PAD), y: round(top + HEADER - 2) }, label);
  const text =
    (leaf !== undefined || isFolded) &&
    s(
      "text",
      { x: round(box.left + box.width / 2), y: round(middle + WORD_SIZE * 0.32) },
      nodeText(node),
    );
  // Under a name the colour is the phrase's own, and not mixed with those of the boxes around.
  const shape = leaf ? [rect("hit")] : label === "" ? [rect("box")] : [rect("box"), rect("tint")];
  return s(
    "g",
    { ...nodeAttributes(node), color: paint.colourOf(node) },
    ...shape,
    corner,
    " ",
    text,
  );
}
