/**
 * Writes trees as Penn-style bracketings that `PennReader` reads back as the same tree. One thing
 * has no notation: a named phrase over a single untagged word, `(NP cat)`, is what a tagged word
 * looks like, and comes back as one.
 */

import { escapeToken } from "./labels.js";
import { isLeaf, type Leaf, type Phrase, type Tree, walk } from "./tree.js";

/** The tree on one line. */
export function toPenn(tree: Tree): string {
  return write(tree, () => " ");
}

/** The tree with one phrase a line, indented as in the Penn Treebank's own files. */
export function toPrettyPenn(tree: Tree): string {
  return write(tree, (parent, depth) =>
    parent.children.every(isLeaf) ? " " : `\n${"  ".repeat(depth)}`,
  );
}

/** `separator` is what stands before each part of a phrase. */
function write(tree: Tree, separator: (parent: Phrase, depth: number) => string): string {
  // A sentence that is a single untagged word still needs brackets to be a tree.
  if (isLeaf(tree)) return tree.tag === undefined ? `( ${writeLeaf(tree)})` : writeLeaf(tree);
  const parts: string[] = [];
  const separators: string[] = [];
  walk(tree, {
    enter: (phrase) => {
      parts.push(
        separators.at(-1) ?? "",
        "(",
        phrase.label === "" ? "" : escapeToken(phrase.label),
      );
      separators.push(separator(phrase, separators.length + 1));
    },
    leaf: (leaf) => parts.push(separators.at(-1) as string, writeLeaf(leaf)),
    leave: () => {
      parts.push(")");
      separators.pop();
    },
  });
  return parts.join("");
}

function writeLeaf({ word, tag }: Leaf): string {
  const token = escapeToken(word);
  return tag === undefined ? token : `(${escapeToken(tag)} ${token})`;
}
