/**
 * Trees that need no learning. `random` shifts or reduces with equal probability. `punctuation` cuts
 * the sentence into segments at commas, colons, dashes and brackets; each segment is right-branching,
 * and so is the tree over the segments; final punctuation is attached at the top. It shows how much
 * punctuation alone tells.
 */

import type { Random } from "../random.js";
import { INDUCED, unescapeToken } from "../trees/labels.js";
import type { Leaf, Tree } from "../trees/tree.js";
import type { Protocol } from "./protocols.js";
import { PENN, type Punctuation, type WordRule } from "./punctuation.js";

/** The name of a baseline. */
export type BranchingName = "left" | "right" | "random" | "punctuation";

/**
 * Builds a baseline tree over the given leaves.
 *
 * Punctuation is known by Penn's tags.
 *
 * @param random only used by `random`.
 * @example
 * ```ts
 * import { baselineTree } from "bracken/evaluation";
 * import { Random } from "bracken/train";
 * import { toPenn } from "bracken/trees";
 *
 * const leaves = ["the", "cat", "sat"].map((word) => ({ word }));
 * console.log(toPenn(baselineTree("right", leaves, new Random(1))));
 * ```
 */
export function baselineTree(name: BranchingName, leaves: readonly Leaf[], random: Random): Tree {
  switch (name) {
    case "left":
      return branchLeft(leaves);
    case "right":
      return branchRight(leaves);
    case "random":
      return branchRandomly(leaves, random);
    case "punctuation":
      return splitAtPunctuation(leaves, PENN);
  }
}

/** The leaves that are words under the protocol; all leaves if none is. */
export function wordLeaves(leaves: readonly Leaf[], protocol: Protocol): readonly Leaf[] {
  const words = leaves.filter(protocol.isWord);
  return words.length > 0 ? words : leaves;
}

export function join(left: Tree, right: Tree): Tree {
  return { label: INDUCED, children: [left, right] };
}

function branchLeft(parts: readonly Tree[]): Tree {
  return parts.reduce((whole, part) => join(whole, part));
}

function branchRight(parts: readonly Tree[]): Tree {
  return parts.reduceRight((whole, part) => join(part, whole));
}

function branchRandomly(leaves: readonly Leaf[], random: Random): Tree {
  const stack: Tree[] = [];
  let shifted = 0;
  while (shifted < leaves.length || stack.length > 1) {
    const mayShift = shifted < leaves.length;
    const mayReduce = stack.length > 1;
    if (mayShift && (!mayReduce || random.coin())) {
      stack.push(leaves[shifted++] as Leaf);
    } else {
      const [left, right] = stack.splice(-2) as [Tree, Tree];
      stack.push(join(left, right));
    }
  }
  return stack[0] as Tree;
}

const SEPARATORS = new Set([",", ":", "-LRB-", "-RRB-"]);
const FINAL = new Set([".", ":", ",", "''", "-RRB-"]);

/** What separates segments and what may end a sentence, by Penn's tags or by characters. */
function marksOf({ name, wordRules }: Punctuation): { separates: WordRule; ends: WordRule } {
  if (name === PENN.name) {
    return {
      separates: ({ tag = "" }) => SEPARATORS.has(tag),
      ends: ({ tag = "" }) => FINAL.has(tag),
    };
  }
  const isMark: WordRule = (leaf) => wordRules.every((isWord) => !isWord(leaf));
  const has = (pattern: RegExp) => (leaf: Leaf) =>
    isMark(leaf) && pattern.test(unescapeToken(leaf.word));
  return { separates: has(/^[,;:，、；：…\p{Pd}\p{Ps}\p{Pe}]/u), ends: has(/^[^\p{Ps}\p{Pi}]/u) };
}

export function splitAtPunctuation(leaves: readonly Leaf[], punctuation: Punctuation): Tree {
  const { separates, ends } = marksOf(punctuation);
  let end = leaves.length;
  while (end > 1 && ends(leaves[end - 1] as Leaf)) end -= 1;
  const parts: Tree[] = [];
  let stretch: Leaf[] = [];
  const finishStretch = () => {
    if (stretch.length > 0) parts.push(branchRight(stretch));
    stretch = [];
  };
  for (const leaf of leaves.slice(0, end)) {
    if (separates(leaf)) {
      finishStretch();
      parts.push(leaf);
    } else {
      stretch.push(leaf);
    }
  }
  finishStretch();
  return branchLeft([branchRight(parts), ...leaves.slice(end)]);
}
