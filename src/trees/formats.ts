/** The formats in which a tree can be written, by their names in `--format`. */

import { conlluComment, toConllu } from "./conllu.js";
import { toForest, toTikzQtree } from "./draw-latex.js";
import { drawSvg, escapeXml } from "./draw-svg.js";
import { drawText } from "./draw-text.js";
import { toRecord } from "./json.js";
import { toPenn, toPrettyPenn } from "./penn-writer.js";
import { constituents, type Tree, walk } from "./tree.js";

/** A way to write a tree. */
export interface TreeFormat {
  /** A description in a few words. */
  readonly summary: string;
  /** Writes a tree; `columns` is the width of the terminal, if the output is one. */
  write(tree: Tree, columns?: number): string;
  /** Writes something in the place of a sentence without a tree; if the format can, it says why. */
  writeError(message: string): string;
  /** Whether a tree takes several lines, so that an empty line must end it. */
  readonly block: boolean;
  /** Whether trees are drawn or indented, so that the output grows with the square of the tree. */
  readonly isDrawn: boolean;
}

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

const NO_TREE = () => "(())";
const texComment = (message: string) => `% error: ${message}`;
const drawn = { block: true, isDrawn: true };

/** The formats by name. */
export const TREE_FORMATS: Readonly<Record<TreeFormatName, TreeFormat>> = {
  penn: {
    summary: "Penn brackets, one tree per line",
    write: toPenn,
    writeError: NO_TREE,
    block: false,
    isDrawn: false,
  },
  pretty: {
    summary: "Penn brackets, indented",
    write: toPrettyPenn,
    writeError: NO_TREE,
    ...drawn,
  },
  json: {
    summary: "one JSON object per line: tokens, tags, spans",
    write: (tree) => JSON.stringify(toRecord(tree)),
    writeError: (message) => JSON.stringify({ error: message }),
    block: false,
    isDrawn: false,
  },
  "conllu-misc": {
    summary: "CoNLL-U, with the tree in the column MISC",
    write: (tree) => toConllu(tree),
    writeError: (message) => conlluComment("error", message),
    block: true,
    isDrawn: false,
  },
  spans: {
    summary: "one line per tree: begin-end:label …",
    write: toSpanList,
    writeError: () => "",
    block: false,
    isDrawn: false,
  },
  text: {
    summary: "drawing in characters",
    write: drawText,
    writeError: (message) => `error: ${message}`,
    ...drawn,
  },
  svg: {
    summary: "drawing as an SVG picture",
    write: drawSvg,
    writeError: (message) => `<!-- error: ${escapeXml(message).replaceAll("--", "- -")} -->`,
    ...drawn,
  },
  latex: {
    summary: "same as forest",
    write: toForest,
    writeError: texComment,
    ...drawn,
  },
  forest: {
    summary: "LaTeX for the package forest",
    write: toForest,
    writeError: texComment,
    ...drawn,
  },
  qtree: {
    summary: "LaTeX for the package tikz-qtree",
    write: toTikzQtree,
    writeError: texComment,
    ...drawn,
  },
};

/** What a drawing may hold; nobody could look at more. */
const MOST_DRAWN = { words: 1000, phrases: 10_000, levels: 2000, characters: 100_000 };

/** Why a format cannot write the tree; undefined if it can. */
export function sizeProblem(tree: Tree, name: TreeFormatName): string | undefined {
  if (!TREE_FORMATS[name].isDrawn) return undefined;
  const size = sizeOf(tree);
  for (const [what, most] of Object.entries(MOST_DRAWN)) {
    const count = size[what as keyof typeof size];
    if (count > most)
      return `${count} ${what} are too many for the format ${name} (at most ${most})`;
  }
  return undefined;
}

function sizeOf(tree: Tree): Record<keyof typeof MOST_DRAWN, number> {
  let [words, phrases, level, levels, characters] = [0, 0, 0, 0, 0];
  walk(tree, {
    leaf: ({ word, tag = "" }) => {
      words += 1;
      characters += word.length + tag.length;
    },
    enter: ({ label }) => {
      phrases += 1;
      characters += label.length;
      level += 1;
      levels = Math.max(levels, level);
    },
    leave: () => {
      level -= 1;
    },
  });
  return { words, phrases, levels, characters };
}

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
