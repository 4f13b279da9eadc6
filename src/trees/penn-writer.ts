/**
 * Writes trees as Penn-style bracketings that `PennReader` reads back as the same tree. One thing
 * has no notation: a named phrase over a single untagged word, `(NP cat)`, is what a tagged word
 * looks like, and comes back as one.
 */

import { escapeToken } from "./labels.js";
import { fold, isLeaf, type Leaf, type Phrase, type Tree, walk } from "./tree.js";

/** The tree on one line. */
export function toPenn(tree: Tree): string {
  return bracketTop(tree, fold(tree, writeLeaf, writeFlat));
}

/** The tree with one phrase a line, indented as in the Penn Treebank's own files. */
export function toPrettyPenn(tree: Tree): string {
  if (isLeaf(tree)) return toPenn(tree);
  const parts: string[] = [];
  const flatness: boolean[] = [];
  const separate = () => {
    if (flatness.at(-1)) parts.push(" ");
    else if (flatness.length > 0) parts.push(`\n${"  ".repeat(flatness.length)}`);
  };
  walk(tree, {
    enter: (phrase) => {
      separate();
      parts.push(`(${escapeLabel(phrase.label)}`);
      flatness.push(phrase.children.every(isLeaf));
    },
    leaf: (leaf) => {
      separate();
      parts.push(writeLeaf(leaf));
    },
    leave: () => {
      parts.push(")");
      flatness.pop();
    },
  });
  return parts.join("");
}

function writeLeaf({ word, tag }: Leaf): string {
  const token = escapeToken(word);
  return tag === undefined ? token : `(${escapeToken(tag)} ${token})`;
}

function writeFlat({ label }: Phrase, children: string[]): string {
  return `(${escapeLabel(label)} ${children.join(" ")})`;
}

function escapeLabel(label: string): string {
  return label === "" ? "" : escapeToken(label);
}

/** A sentence that is a single untagged word still needs brackets to be a tree. */
function bracketTop(tree: Tree, text: string): string {
  return "word" in tree && tree.tag === undefined ? `( ${text})` : text;
}
