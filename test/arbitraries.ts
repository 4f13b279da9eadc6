/** Random trees for property tests. */

import fc from "fast-check";
import type { Leaf, Tree } from "../src/trees/tree.js";

/** Tokens as treebanks hold them: any characters but ASCII blanks and round brackets. */
export const token = fc.oneof(
  fc.constantFrom(
    "the",
    "cat",
    "-LRB-",
    "1\\/2",
    "*",
    "``",
    "U.S.",
    "a\u2009b",
    "n't",
    "{",
    "猫",
    "&",
  ),
  fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 6 })
    .filter((text) => !/[\t-\r ()]/.test(text) && text.isWellFormed()),
);

export const taggedLeaf: fc.Arbitrary<Leaf> = fc
  .record({ word: token, tag: token })
  .filter(({ tag }) => tag !== "-NONE-");

const bareLeaf: fc.Arbitrary<Leaf> = token.map((word) => ({ word }));

/** Any tree that has a notation: a named phrase over one untagged word has none. */
export const tree: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(taggedLeaf, bareLeaf),
    fc
      .record({
        label: fc.oneof(fc.constantFrom("", "S", "NP-SBJ-1"), token),
        children: fc.array(tie("tree"), { minLength: 1, maxLength: 4 }),
      })
      .filter(({ label, children: [only, second] }) => {
        const lonelyWord = second === undefined && only && "word" in only && only.tag === undefined;
        return !lonelyWord || label === "";
      }),
  ),
})).tree;

/** A right-branching tree, as deep as it has tokens. */
export function deepTree(tokens: number): Tree {
  const words = Array.from(
    { length: tokens },
    (_, index): Tree => ({ word: `w${index}`, tag: "NN" }),
  );
  return words.reduceRight((whole, word) => ({ label: "X", children: [word, whole] }));
}
