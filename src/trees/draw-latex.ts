/**
 * Trees for LaTeX documents that load `forest` or `tikz-qtree`. Both packages read brackets as structure, so
 * words are escaped and put in braces.
 */

import { fold, type Tree } from "./tree.js";

/** The tree as LaTeX for `\usepackage{forest}`. */
export function toForest(tree: Tree): string {
  const body = fold<string>(
    tree,
    ({ word, tag }) =>
      tag === undefined ? `[${braced(word)}]` : `[${braced(tag)} [${braced(word)}]]`,
    ({ label }, children) => `[${label === "" ? "" : braced(label)} ${children.join(" ")}]`,
  );
  return `\\begin{forest}\n  ${body}\n\\end{forest}`;
}

/** The tree as LaTeX for `\usepackage{tikz-qtree}`. */
export function toTikzQtree(tree: Tree): string {
  const body = fold<string>(
    tree,
    ({ word, tag }) => (tag === undefined ? braced(word) : `[.${braced(tag)} ${braced(word)} ]`),
    ({ label }, children) => `[.${label === "" ? "{}" : braced(label)} ${children.join(" ")} ]`,
  );
  return `\\begin{tikzpicture}\n  \\Tree ${body}\n\\end{tikzpicture}`;
}

const COMMANDS = new Map([
  ["\\", "\\textbackslash{}"],
  ["~", "\\textasciitilde{}"],
  ["^", "\\textasciicircum{}"],
]);

function braced(text: string): string {
  return `{${text.replace(/[\\~^#$%&_{}]/g, (character) => COMMANDS.get(character) ?? `\\${character}`)}}`;
}
