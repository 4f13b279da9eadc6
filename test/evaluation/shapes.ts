/** Random labelled trees over given tags: flat and deep ones, unary chains, function tags. */

import { Random } from "../../src/random.js";
import type { Tree } from "../../src/trees/tree.js";

const LABELS = ["NP", "NP-SBJ-1", "VP", "VP=2", "ADVP", "PRT", "S"];

/** The tree that the seed makes over words with these tags. */
export function shape(tags: readonly string[], seed: number): Tree {
  const random = new Random(seed);
  const label = () => LABELS[random.below(LABELS.length)] as string;
  const grow = (begin: number, end: number): Tree => {
    const chain = (tree: Tree): Tree =>
      random.below(4) === 0 ? chain({ label: label(), children: [tree] }) : tree;
    if (end - begin === 1) return chain({ word: `w${begin}`, tag: tags[begin] as string });
    const children: Tree[] = [];
    for (let at = begin; at < end; ) {
      const most = end - at - (children.length === 0 ? 1 : 0);
      const next = at + 1 + random.below(most);
      children.push(grow(at, next));
      at = next;
    }
    return chain({ label: label(), children });
  };
  return { label: "TOP", children: [{ label: "S", children: [grow(0, tags.length)] }] };
}
