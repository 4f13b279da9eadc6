/**
 * What treebanks write into their trees besides the words. Two styles are told by nodes beside the tree:
 *
 * - CorpusSearch, the style of Keyaki and the Penn historical corpora: `( (IP-MAT …) (ID 3_story;JP))`. Empty
 *   elements are leaves like any other: `(NP-SBJ *pro*)`, `(NP-OB1 *)`, `(C 0)`.
 * - GreynirCorpus: `( (META (ID-LOCAL …) (COMMENT )) (S0 …))`. Each word has a lemma, `(no_et Barn (lemma barn))`,
 *   a terminal may be of several words, brackets are written `\(` or `&#40;`, and a phrase may be empty.
 *
 * Elsewhere `*` and `0` can be words, so these rules hold only for trees of such a style.
 */

import { filterLeaves } from "./transform.js";
import type { Leaf, Tree } from "./tree.js";

/** A style of annotation, known by the label of a node beside the tree. */
export type MarkupStyle = "corpus-search" | "greynir";

const STYLES = new Map<string, MarkupStyle>([
  ["ID", "corpus-search"],
  ["METADATA", "corpus-search"],
  ["META", "greynir"],
]);

/** The style that a node beside the tree shows; undefined if the node is part of the tree. */
export function styleOf(label: string): MarkupStyle | undefined {
  return STYLES.get(label);
}

/** Whether a node after a word says something about it: its lemma, or the parts of a compound. */
export function isWordNote(label: string): boolean {
  return label === "lemma" || label.startsWith("exp_");
}

const BRACKETS = new Map([
  ["(", "-LRB-"],
  [")", "-RRB-"],
  ["&#40;", "-LRB-"],
  ["&#41;", "-RRB-"],
]);

/** A token of GreynirCorpus, its brackets escaped as in Penn files. */
export function greynirToken(token: string): string {
  return token.replace(
    /\\([()])|&#4[01];/g,
    (found, bracket) => BRACKETS.get(bracket ?? found) ?? found,
  );
}

/** Whether it is a word without a tag. */
export function isBareWord(tree: Tree): tree is Leaf {
  return "word" in tree && tree.tag === undefined;
}

/** The parts of a phrase; if it is a GreynirCorpus terminal of several words, each gets the terminal's tag. */
export function tagWords(tag: string, children: readonly Tree[]): readonly Tree[] {
  return children.every(isBareWord) ? children.map(({ word }) => ({ word, tag })) : children;
}

/** Removes the empty elements of the CorpusSearch style, and editors' codes; undefined if nothing is left. */
export function dropUnspoken(tree: Tree): Tree | undefined {
  return filterLeaves(tree, ({ word, tag = "" }) => {
    const isEmpty = /^\*(?:[^*]+\*(?:-\d+)?)?$/.test(word);
    return !isEmpty && !(word === "0" && /^[CW]/.test(tag)) && tag !== "CODE";
  });
}
