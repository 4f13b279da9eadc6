/**
 * Writes trees in Penn brackets that `PennReader` reads back as the same tree, with one exception: `(NP He)`
 * would be read as a tagged word, so an untagged word that is a labelled phrase by itself gets the tag `X`:
 * `(NP (X He))`.
 */

import { escapeToken, INDUCED } from "./labels.js";
import { isLeaf, type Leaf, type Phrase, type Tree, walk } from "./tree.js";

/**
 * The tree in Penn brackets, on one line.
 *
 * @example
 * ```ts
 * import { fromRecord, toPenn } from "bracken/trees";
 *
 * const tree = fromRecord({ tokens: ["the", "cat"], spans: [{ begin: 0, end: 2, label: "NP" }] });
 * console.log(toPenn(tree)); // (NP the cat)
 * ```
 */
export function toPenn(tree: Tree): string {
  return write(tree, () => " ");
}

/** The tree in Penn brackets, one phrase per line, indented as in the files of the Penn Treebank. */
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
  const open: Phrase[] = [];
  walk(tree, {
    enter: (phrase) => {
      open.push(phrase);
      parts.push(
        separators.at(-1) ?? "",
        "(",
        phrase.label === "" ? "" : escapeToken(phrase.label),
      );
      separators.push(separator(phrase, separators.length + 1));
    },
    leaf: (leaf) => {
      const { label, children } = open.at(-1) as Phrase;
      const isAlone = children.length === 1 && label !== "" && leaf.tag === undefined;
      const written = isAlone ? { word: leaf.word, tag: INDUCED } : leaf;
      parts.push(separators.at(-1) as string, writeLeaf(written));
    },
    leave: () => {
      open.pop();
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
