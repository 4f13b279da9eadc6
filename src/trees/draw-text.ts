/**
 * Trees for a terminal: upright with the words in one line at the bottom or, if that is wider than the
 * terminal, as an outline that grows downwards and always fits.
 */

import stringWidth from "string-width";
import { layoutTree, type PlacedNode } from "./layout.js";
import { type Tree, walk } from "./tree.js";

/** An upright drawing of more cells than this is no longer looked at; the outline stays readable. */
const MOST_CELLS = 1 << 22;

/**
 * Draws a tree in characters; as an outline if the drawing would be wider than `columns` or huge.
 *
 * @example
 * ```ts
 * import { drawText, parsePenn } from "bracken/trees";
 *
 * const trees = parsePenn("(S (NP (DT the) (NN cat)) (VP (VBD sat)))");
 * for (const tree of trees) console.log(drawText(tree, process.stdout.columns));
 * ```
 */
export function drawText(tree: Tree, columns = Number.POSITIVE_INFINITY): string {
  const layout = layoutTree(tree, { measure: visibleWidth, gap: 1, whole: true });
  // Each row of the layout is a line of labels with a line of branches under it.
  const height = layout.rows * 2 - 1;
  if (layout.width > columns || layout.width * height > MOST_CELLS) return drawOutline(tree);
  const lines = Array.from({ length: height }, () => new Canvas());
  const lineOf = (row: number) => (layout.rows - 1 - row) * 2;
  for (const node of layout.nodes) {
    const width = visibleWidth(node.text, node.kind);
    lines[lineOf(node.row)]?.put(node.centre - Math.floor((width - 1) / 2), displayed(node), width);
    if (node.children.length === 0) continue;
    drawBranches(lines[lineOf(node.row) + 1] as Canvas, node);
    for (const child of node.children) {
      for (let line = lineOf(node.row) + 2; line < lineOf(child.row); line++) {
        lines[line]?.put(child.centre, "│", 1);
      }
    }
  }
  return lines.map((line) => line.toString()).join("\n");
}

/** Draws a tree as an outline: one phrase or word per line. */
export function drawOutline(tree: Tree): string {
  const lines: string[] = [];
  const remaining: number[] = [];
  const indents: string[] = [];
  const add = (text: string): string => {
    const depth = remaining.length;
    if (depth === 0) {
      lines.push(text);
      return "";
    }
    remaining[depth - 1] = (remaining[depth - 1] as number) - 1;
    const last = remaining[depth - 1] === 0;
    const indent = indents[depth - 1] as string;
    lines.push(`${indent}${last ? "└─ " : "├─ "}${text}`);
    return `${indent}${last ? "   " : "│  "}`;
  };
  walk(tree, {
    leaf: ({ word, tag }) => add(tag === undefined ? word : `${tag} ${word}`),
    enter: ({ label, children }) => {
      const indent = add(label === "" ? NAMELESS : label);
      indents.push(indent);
      remaining.push(children.length);
    },
    leave: () => {
      indents.pop();
      remaining.pop();
    },
  });
  return lines.join("\n");
}

const NAMELESS = "•";

function displayed(node: PlacedNode): string {
  return node.text === "" ? NAMELESS : node.text;
}

function visibleWidth(text: string, _kind: PlacedNode["kind"]): number {
  return text === "" ? 1 : Math.max(1, stringWidth(text));
}

function drawBranches(line: Canvas, { centre, children }: PlacedNode): void {
  const [first, last] = [children[0], children.at(-1)];
  if (!first || !last) return;
  const feet = new Set(children.map((child) => child.centre));
  const [left, right] = [Math.min(first.centre, centre), Math.max(last.centre, centre)];
  for (let column = left; column <= right; column++) {
    line.put(
      column,
      junction(column > left, column < right, column === centre, feet.has(column)),
      1,
    );
  }
}

/** Box-drawing characters by the sides they reach: 8 left, 4 right, 2 up, 1 down. */
const JUNCTIONS = "│││││┌└├│┐┘┤─┬┴┼";

function junction(left: boolean, right: boolean, up: boolean, down: boolean): string {
  return JUNCTIONS.charAt((left ? 8 : 0) + (right ? 4 : 0) + (up ? 2 : 0) + (down ? 1 : 0));
}

/** A line that texts are put on from left to right, at given columns, in any order. */
class Canvas {
  readonly #texts: { column: number; text: string; width: number }[] = [];

  put(column: number, text: string, width: number): void {
    this.#texts.push({ column, text, width });
  }

  toString(): string {
    let line = "";
    let at = 0;
    for (const { column, text, width } of this.#texts.sort((a, b) => a.column - b.column)) {
      line += " ".repeat(Math.max(0, column - at)) + text;
      at = Math.max(at, column) + width;
    }
    return line;
  }
}
