/** The tree as boxes inside boxes around the words, which stand in one line. */

import { s } from "../dom.js";
import { colourOf, FOOT } from "./draw-tree.js";
import { type Drawing, measureWord, nodeAttributes, picture, round, WORD_SIZE } from "./drawing.js";
import { nodeText, shownNodes, type TreeNode } from "./nodes.js";

const MARGIN = 8;
const PAD = 6;
const RISE = 5;
const GAP = 5;
const LEAF_HEIGHT = 28;
const CORNER = 6;

interface Box {
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

export function drawBoxes(root: TreeNode, { colour = false } = {}): Drawing {
  const boxes = placeBoxes(root);
  const outer = boxes.get(root) as Box;
  const middle = MARGIN + outer.height / 2;
  const elements = new Map<TreeNode, Element>();
  const items = shownNodes(root).map((node) => {
    const item = drawBox(node, boxes.get(node) as Box, middle, colour);
    elements.set(node, item);
    return item;
  });
  const [width, height] = [outer.width + 2 * MARGIN, outer.height + 2 * MARGIN + FOOT];
  const words = shownNodes(root)
    .filter(({ leaf, isFolded }) => leaf || isFolded)
    .flatMap((node) => {
      const { left, width: own } = boxes.get(node) as Box;
      return node.words.map(() => ({ left, right: left + own, bottom: MARGIN + outer.height }));
    });
  const title = root.words.join(" ");
  return { element: picture(width, height, title, ...items), elements, width, height, words };
}

function placeBoxes(root: TreeNode): Map<TreeNode, Box> {
  const boxes = new Map<TreeNode, Box>();
  const place = (node: TreeNode, left: number): Box => {
    let box: Box;
    if (node.leaf || node.isFolded) {
      const pad = node.isFolded ? 2 * PAD : PAD;
      box = { left, width: measureWord(nodeText(node)) + pad, height: LEAF_HEIGHT };
    } else {
      let at = left + PAD;
      let tallest = 0;
      for (const child of node.children) {
        const inner = place(child, at);
        at += inner.width + GAP;
        tallest = Math.max(tallest, inner.height);
      }
      box = { left, width: at - GAP + PAD - left, height: tallest + 2 * RISE };
    }
    boxes.set(node, box);
    return box;
  };
  place(root, MARGIN);
  return boxes;
}

function drawBox(node: TreeNode, box: Box, middle: number, colour: boolean): SVGGElement {
  const isText = node.leaf !== undefined || node.isFolded;
  const rect = s("rect", {
    class: node.leaf ? "hit" : "box",
    x: round(box.left),
    y: round(middle - box.height / 2),
    width: round(box.width),
    height: round(box.height),
    rx: CORNER,
  });
  const text =
    isText &&
    s(
      "text",
      { x: round(box.left + box.width / 2), y: round(middle + WORD_SIZE * 0.32) },
      nodeText(node),
    );
  return s("g", { ...nodeAttributes(node), color: colourOf(node, colour) }, rect, text);
}
