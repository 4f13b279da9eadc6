/**
 * The constituency tree: words in one line, each phrase a point on the bar over its parts, as high as
 * its tallest part needs. Upside down, too, so that two trees can share their words.
 */

import { layoutTree, type PlacedNode, type Tree } from "../../src/trees/index.js";
import { s } from "../dom.js";
import {
  type Drawing,
  LABEL_SIZE,
  measureLabel,
  measureWord,
  nodeAttributes,
  picture,
  round,
  WORD_SIZE,
} from "./drawing.js";
import { nodeText, shownNodes, shownUpwards, type TreeNode } from "./nodes.js";
import { NO_PAINT, type Paint } from "./paint.js";

const GAP = 18;
const MARGIN = 14;
const LEAST_WORD = 26;
const CORNER = 7;
const WORD_HEIGHT = 26;
const PILL_HEIGHT = 18;
/** What a label takes beside its text: both ends of its pill. */
const PILL_ENDS = 14;
const EDGE_WIDTH = 1.9;
/** How high the point of a folded phrase is over its words. */
const FOLDED_RISE = WORD_SIZE * 1.9;
/** Room under the words, for brackets that are forced. */
export const FOOT = 22;

/** Where the label of a phrase stands: on its point, or beside it. */
type LabelPlace = "on" | "beside";

/** Where everything is, before it is drawn; heights count upwards from the words. */
export interface TreePlan {
  readonly root: TreeNode;
  readonly nodes: ReadonlyMap<TreeNode, { x: number; rise: number; width: number }>;
  readonly width: number;
  readonly rise: number;
}

export function planTree(root: TreeNode, labels: LabelPlace): TreePlan {
  const isRoomy = labels === "on" && shownNodes(root).some(({ label }) => label !== "");
  const layout = layoutTree(plainTree(root), {
    // Labels beside their points take no room, so words are in the same place under every tree.
    measure: (text, kind) => {
      if (kind === "word") return Math.max(LEAST_WORD, measureWord(text));
      return labels === "on" && text !== "" ? pillWidth(text) - GAP / 2 : 1;
    },
    gap: GAP,
  });
  const height = rowHeight(layout.rows, isRoomy);
  const placed = layout.nodes as readonly PlacedNode[];
  const nodes = new Map(
    shownUpwards(root).map((node, index) => {
      const { centre, row, text } = placed[index] as PlacedNode;
      const isText = node.leaf !== undefined || node.isFolded;
      const rise = isText ? 0 : WORD_HEIGHT + (row - 0.35) * height;
      return [node, { x: MARGIN + centre, rise, width: isText ? measureWord(text) : 0 }];
    }),
  );
  const tops = [...nodes].map(([{ isFolded }, place]) => (isFolded ? FOLDED_RISE : place.rise));
  const rise = Math.max(...tops);
  return { root, nodes, width: layout.width + 2 * MARGIN, rise: rise + LABEL_SIZE + MARGIN };
}

/** Tall trees are drawn closer, so that a long sentence stays within a screen. */
function rowHeight(rows: number, isRoomy: boolean): number {
  return Math.min(34, Math.max(isRoomy ? PILL_HEIGHT + 6 : 17, 330 / rows));
}

function pillWidth(label: string): number {
  return measureLabel(label) + PILL_ENDS;
}

/** The tree to be laid out: no tags, folded phrases as one word. */
function plainTree(node: TreeNode): Tree {
  if (node.leaf || node.isFolded) return { word: nodeText(node) };
  return { label: node.label, children: node.children.map(plainTree) };
}

export function drawTree(root: TreeNode, paint: Paint): Drawing {
  const plan = planTree(root, "on");
  const base = plan.rise;
  const { edges, items, elements } = drawPlan(plan, {
    ...{ base, sign: -1, paint, labels: "on", withWords: true },
  });
  const bottom = base + WORD_SIZE * 0.6;
  const words = shownNodes(root)
    .filter(({ leaf, isFolded }) => leaf || isFolded)
    .flatMap((node) => {
      const { x, width } = plan.nodes.get(node) as { x: number; width: number };
      const place = { left: x - width / 2, right: x + width / 2, bottom };
      return node.words.map(() => place);
    });
  const height = bottom + FOOT;
  return {
    element: picture(plan.width, height, root.words.join(" "), edges, ...items),
    elements,
    width: plan.width,
    height,
    words,
  };
}

export interface PlanDrawing {
  readonly edges: SVGGElement;
  readonly items: readonly SVGGElement[];
  readonly elements: Map<TreeNode, Element>;
}

/** `base` is where the words are, `sign` -1 for a tree that stands above them and 1 for one below. */
export function drawPlan(
  plan: TreePlan,
  options: { base: number; sign: -1 | 1; paint?: Paint; labels: LabelPlace; withWords: boolean },
): PlanDrawing {
  const { base, sign, paint = NO_PAINT, labels, withWords } = options;
  const shown = shownNodes(plan.root);
  const place = (node: TreeNode) => {
    const { x, rise } = plan.nodes.get(node) as { x: number; rise: number };
    return { x, y: base + sign * rise };
  };
  const edges = s("g", { "aria-hidden": "true" });
  const elements = new Map<TreeNode, Element>();
  const items: SVGGElement[] = [];
  for (const node of shown) {
    if (!node.isFolded) {
      for (const child of node.children) {
        edges.append(drawEdge(child, place(node), edgeEnd(child, place(child), sign), paint));
      }
    }
    if (node.leaf && !withWords) continue;
    const item = node.leaf
      ? drawWord(node, place(node))
      : node.isFolded
        ? drawFolded(node, place(node), plan, sign, paint)
        : drawPhrase(node, place(node), sign, paint, labels);
    items.push(item);
    elements.set(node, item);
  }
  return { edges, items, elements };
}

type Point = { readonly x: number; readonly y: number };

function edgeEnd(child: TreeNode, { x, y }: Point, sign: number): Point {
  if (child.isFolded) return { x, y: y + sign * FOLDED_RISE };
  // Below the words there is more room to leave, for what hangs from their letters.
  return child.leaf ? { x, y: y + sign * (sign < 0 ? WORD_SIZE + 1 : WORD_SIZE * 0.75) } : { x, y };
}

function drawEdge(child: TreeNode, from: Point, to: Point, paint: Paint): SVGPathElement {
  const [dx, dy] = [Math.sign(to.x - from.x), Math.sign(to.y - from.y)];
  const turn = Math.min(CORNER, Math.abs(to.x - from.x), Math.abs(to.y - from.y));
  const path =
    turn < 1
      ? `M${round(from.x)} ${round(from.y)}L${round(to.x)} ${round(to.y)}`
      : `M${round(from.x)} ${round(from.y)}H${round(to.x - dx * turn)}` +
        `Q${round(to.x)} ${round(from.y)} ${round(to.x)} ${round(from.y + dy * turn)}V${round(to.y)}`;
  const kind = child.leaf ? "stem" : (child.mark ?? "");
  const strength = paint.strengthOf(child);
  return s("path", {
    class: `edge ${kind}`.trim(),
    d: path,
    "stroke-width": strength === undefined ? EDGE_WIDTH : round(0.9 + 1.6 * strength),
    "stroke-opacity": strength === undefined ? undefined : round(0.4 + 0.6 * strength),
    color: child.leaf ? undefined : paint.colourOf(child),
  });
}

function drawPhrase(
  node: TreeNode,
  { x, y }: Point,
  sign: number,
  paint: Paint,
  labels: LabelPlace,
): SVGGElement {
  const { label } = node;
  const away = y + sign * 8 + (sign > 0 ? LABEL_SIZE : 0);
  const shape =
    label === "" || labels === "beside"
      ? [
          s("circle", { class: "hit", cx: round(x), cy: round(y), r: 12 }),
          s("circle", { class: "dot", cx: round(x), cy: round(y), r: label ? 3.6 : 5 }),
          label !== "" && s("text", { class: "label", x: round(x), y: round(away) }, label),
        ]
      : drawPill(label, { x, y });
  return s("g", { ...nodeAttributes(node), color: paint.colourOf(node) }, ...shape);
}

/** A label in a frame of its phrase's colour, opaque, so that lines end at it. */
function drawPill(label: string, { x, y }: Point): SVGElement[] {
  const width = pillWidth(label);
  const frame = (kind: string, grow = 0) =>
    s("rect", {
      class: kind,
      x: round(x - width / 2 - grow),
      y: round(y - PILL_HEIGHT / 2 - grow),
      width: round(width + 2 * grow),
      height: PILL_HEIGHT + 2 * grow,
      rx: PILL_HEIGHT / 2 + grow,
    });
  const text = { class: "name", x: round(x), y: round(y + LABEL_SIZE * 0.36) };
  return [frame("hit", 3), frame("pill"), frame("tint"), s("text", text, label)];
}

function drawWord(node: TreeNode, { x, y }: Point): SVGGElement {
  // As wide as the word's column, so that words chosen in a row make one band.
  const width = Math.max(LEAST_WORD, measureWord(node.leaf?.word ?? "")) + GAP;
  return s(
    "g",
    nodeAttributes(node),
    s("rect", {
      class: "hit",
      x: round(x - width / 2),
      y: round(y - WORD_SIZE - 1),
      width: round(width),
      height: WORD_SIZE * 1.6,
    }),
    s("text", { x: round(x), y: round(y) }, node.leaf?.word ?? ""),
  );
}

/** A triangle over the first and the last word, as grammarians draw what they do not take apart. */
function drawFolded(
  node: TreeNode,
  { x, y }: Point,
  plan: TreePlan,
  sign: number,
  paint: Paint,
): SVGGElement {
  const { label } = node;
  const { width } = plan.nodes.get(node) as { width: number };
  const [top, foot] = [y + sign * FOLDED_RISE, y + sign * (WORD_SIZE + 1)];
  return s(
    "g",
    { ...nodeAttributes(node), color: paint.colourOf(node) },
    s("path", {
      class: "triangle",
      d: `M${round(x)} ${round(top)}L${round(x - width / 2)} ${round(foot)}H${round(x + width / 2)}Z`,
    }),
    s("rect", {
      class: "hit",
      x: round(x - width / 2 - 4),
      y: round(Math.min(top, y - WORD_SIZE)),
      width: round(width + 8),
      height: WORD_SIZE * 3,
    }),
    ...(label === "" ? [] : [...drawPill(label, { x, y: top }), " "]),
    s("text", { x: round(x), y: round(y) }, nodeText(node)),
  );
}
