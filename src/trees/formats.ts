/** The formats in which a tree can be written, by the names that `--format` takes. */

import { toConllu } from "./conllu.js";
import { toForest, toTikzQtree } from "./draw-latex.js";
import { drawSvg } from "./draw-svg.js";
import { drawText } from "./draw-text.js";
import { toRecord } from "./json.js";
import { toPenn, toPrettyPenn } from "./penn-writer.js";
import { constituents, type Tree } from "./tree.js";

/** A way to write a tree. */
export interface TreeFormat {
  readonly summary: string;
  /** `columns` is the width of the terminal, where the output is one. */
  write(tree: Tree, columns?: number): string;
  /** Whether a tree takes several lines, so that a blank line must end it. */
  readonly block: boolean;
  /** How many words can be written: what is drawn or nested grows with their square. */
  readonly mostWords?: number | undefined;
}

const MOST_DRAWN = 1000;

/** The name of a format. */
export type TreeFormatName =
  | "penn"
  | "pretty"
  | "json"
  | "conllu-misc"
  | "spans"
  | "text"
  | "svg"
  | "latex"
  | "forest"
  | "qtree";

/** The formats by name. */
export const TREE_FORMATS: Readonly<Record<TreeFormatName, TreeFormat>> = {
  penn: { summary: "one bracketed tree a line", write: toPenn, block: false },
  pretty: {
    summary: "bracketed trees, indented",
    write: toPrettyPenn,
    block: true,
    mostWords: MOST_DRAWN,
  },
  json: {
    summary: "one JSON object a line: tokens, tags, spans",
    write: (tree) => JSON.stringify(toRecord(tree)),
    block: false,
  },
  "conllu-misc": {
    summary: "CoNLL-U, the tree in the column MISC",
    write: (tree) => toConllu(tree),
    block: true,
  },
  spans: { summary: "one line of begin-end:label a tree", write: toSpanList, block: false },
  text: { summary: "drawn with characters", write: drawText, block: true, mostWords: MOST_DRAWN },
  svg: { summary: "drawn as an SVG picture", write: drawSvg, block: true, mostWords: MOST_DRAWN },
  latex: {
    summary: "LaTeX, the same as forest",
    write: toForest,
    block: true,
    mostWords: MOST_DRAWN,
  },
  forest: { summary: "LaTeX, package forest", write: toForest, block: true, mostWords: MOST_DRAWN },
  qtree: {
    summary: "LaTeX, package tikz-qtree",
    write: toTikzQtree,
    block: true,
    mostWords: MOST_DRAWN,
  },
};

/** What was written of a tree, ended so that another can follow. */
export function ended(text: string, { block }: TreeFormat): string {
  return block ? `${text}\n\n` : `${text}\n`;
}

/** The tree's phrases in post-order, `0-2:NP 2-5:VP 0-5:S`; a nameless one is `0-2`. */
export function toSpanList(tree: Tree): string {
  return constituents(tree)
    .map(({ begin, end, label }) => `${begin}-${end}${label === "" ? "" : `:${label}`}`)
    .join(" ");
}
