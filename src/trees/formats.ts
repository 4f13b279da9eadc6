/** The forms in which a tree can be written, by the names that `--format` takes. */

import { toForest, toTikzQtree } from "./draw-latex.js";
import { drawSvg } from "./draw-svg.js";
import { drawText } from "./draw-text.js";
import { toRecord } from "./json.js";
import { toPenn, toPrettyPenn } from "./penn-writer.js";
import { constituents, type Tree } from "./tree.js";

export interface TreeFormat {
  readonly summary: string;
  /** `columns` is the width of the terminal, where the output is one. */
  write(tree: Tree, columns?: number): string;
  /** Whether a tree takes several lines, so that a blank line must part one from the next. */
  readonly block: boolean;
}

export const TREE_FORMATS = {
  penn: { summary: "one bracketed tree a line", write: toPenn, block: false },
  pretty: { summary: "bracketed trees, indented", write: toPrettyPenn, block: true },
  json: {
    summary: "one JSON object a line: tokens, tags, spans",
    write: (tree: Tree) => JSON.stringify(toRecord(tree)),
    block: false,
  },
  spans: { summary: "one line of begin-end:label a tree", write: toSpanList, block: false },
  text: { summary: "drawn with characters", write: drawText, block: true },
  svg: { summary: "drawn as an SVG picture", write: drawSvg, block: true },
  forest: { summary: "LaTeX, package forest", write: toForest, block: true },
  qtree: { summary: "LaTeX, package tikz-qtree", write: toTikzQtree, block: true },
} as const satisfies Record<string, TreeFormat>;

export type TreeFormatName = keyof typeof TREE_FORMATS;

/** The tree's phrases in post-order, `0-2:NP 2-5:VP 0-5:S`; a nameless one is `0-2`. */
export function toSpanList(tree: Tree): string {
  return constituents(tree)
    .map(({ begin, end, label }) => `${begin}-${end}${label === "" ? "" : `:${label}`}`)
    .join(" ");
}
