/**
 * The places of the nodes of a drawn tree, for any medium that can measure the width of a text. Every subtree
 * has its own horizontal interval, so leaves can be in one line at the bottom and branches never cross a label.
 * A phrase is one row above its tallest part.
 */

import { fold, type Tree } from "./tree.js";

/** A node of a tree with its place. */
export interface PlacedNode {
  /** A word, a part-of-speech tag or a phrase label. */
  readonly kind: "word" | "tag" | "phrase";
  /** The text to draw. */
  readonly text: string;
  /** The row, counted from the bottom; words are in row 0. */
  readonly row: number;
  /** The nodes below it, from left to right. */
  readonly children: readonly PlacedNode[];
  /** The horizontal centre. */
  centre: number;
}

/** The nodes of a tree with their places. */
export interface Layout {
  /** Children before their parents, from left to right. */
  readonly nodes: readonly PlacedNode[];
  /** The topmost node. */
  readonly root: PlacedNode;
  /** The width of the drawing. */
  readonly width: number;
  /** The number of rows. */
  readonly rows: number;
}

/** Options of `layoutTree`. */
export interface LayoutOptions {
  /** The width of a text. */
  readonly measure: (text: string, kind: PlacedNode["kind"]) => number;
  /** The least space between two subtrees. */
  readonly gap: number;
  /** Put centres on whole numbers, as a terminal needs. */
  readonly whole?: boolean;
}

interface Block {
  readonly node: PlacedNode;
  readonly width: number;
  readonly parts: readonly { readonly block: Block; readonly left: number }[];
}

/** Computes the places of the nodes of a tree. */
export function layoutTree(tree: Tree, { measure, gap, whole = false }: LayoutOptions): Layout {
  const round = whole ? Math.floor : (value: number) => value;
  const nodes: PlacedNode[] = [];

  const stack = (kind: PlacedNode["kind"], text: string, blocks: readonly Block[]): Block => {
    const own = measure(text, kind);
    const inner = blocks.reduce((sum, block) => sum + block.width, gap * (blocks.length - 1));
    const width = blocks.length > 0 ? Math.max(own, inner) : own;
    // So that in whole numbers, too, the middle of the parts is the middle of the text above them.
    let left = blocks.length > 0 ? round((width - 1) / 2) - round((inner - 1) / 2) : 0;
    const parts = blocks.map((block) => {
      const part = { block, left };
      left += block.width + gap;
      return part;
    });
    const children = blocks.map((block) => block.node);
    const row = children.reduce((highest, child) => Math.max(highest, child.row + 1), 0);
    const node: PlacedNode = { kind, text, row, children, centre: 0 };
    nodes.push(node);
    return { node, width, parts };
  };

  const top = fold<Block>(
    tree,
    ({ word, tag }) => {
      const below = stack("word", word, []);
      return tag === undefined ? below : stack("tag", tag, [below]);
    },
    ({ label }, blocks) => stack("phrase", label, blocks),
  );
  placeCentres(top, round, measure);
  return { nodes, root: top.node, width: top.width, rows: top.node.row + 1 };
}

/** Parents stand over the middle between their outer children, as far as their own text fits there. */
function placeCentres(
  top: Block,
  round: (value: number) => number,
  measure: LayoutOptions["measure"],
): void {
  const lefts: { block: Block; left: number }[] = [{ block: top, left: 0 }];
  for (let i = 0; i < lefts.length; i++) {
    const { block, left } = lefts[i] as (typeof lefts)[number];
    for (const part of block.parts) lefts.push({ block: part.block, left: left + part.left });
  }
  for (const { block, left } of lefts.reverse()) {
    const { node, width } = block;
    const [first, last] = [node.children[0], node.children.at(-1)];
    const middle = first && last ? (first.centre + last.centre) / 2 : left + (width - 1) / 2;
    const half = (measure(node.text, node.kind) - 1) / 2;
    node.centre = round(Math.min(Math.max(middle, left + half), left + width - 1 - half));
  }
}
