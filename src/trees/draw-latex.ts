/**
 * Trees for LaTeX, as the environment that goes into a document which loads `forest` or
 * `tikz-qtree`. Both read brackets as structure, so words are put in braces and escaped.
 */

import { fold, type Tree } from "./tree.js";

/** For `\usepackage{forest}`. */
export function toForest(tree: Tree): string {
  const body = fold<string>(
    tree,
    ({ word, tag }) =>
      tag === undefined ? `[${braced(word)}]` : `[${braced(tag)} [${braced(word)}]]`,
    ({ label }, children) => `[${label === "" ? "" : braced(label)} ${children.join(" ")}]`,
  );
  return `\\begin{forest}\n  ${body}\n\\end{forest}`;
}

/** For `\usepackage{tikz-qtree}`. */
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
