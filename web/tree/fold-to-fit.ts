/**
 * Which phrases of a tree to fold so that it fits: as few words as possible disappear. It begins with the largest
 * phrases and opens one after the other, the largest first, as long as there is room.
 */

import { spanKey, type TreeNode } from "./nodes.js";

/** Shorter phrases are as wide when they are folded. */
const LEAST_WORDS = 4;

/**
 * The phrases to fold, by `spanKey`; none if the tree fits as it is.
 *
 * @param fits whether the tree fits with those phrases folded
 */
export function foldToFit(
  root: TreeNode,
  fits: (folded: ReadonlySet<string>) => boolean,
): Set<string> {
  let folded = new Set<string>();
  if (fits(folded)) return folded;
  let waiting = phrasesIn(root);
  folded = keysOf(waiting);
  const closed: TreeNode[] = [];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const parts = phrasesIn(next);
    const opened = keysOf([...closed, ...waiting, ...parts]);
    if (fits(opened)) {
      folded = opened;
      waiting = [...waiting, ...parts].sort((a, b) => b.words.length - a.words.length);
    } else closed.push(next);
  }
  return folded;
}

/** The largest phrases in a phrase that are worth folding. */
function phrasesIn({ children, words }: TreeNode): TreeNode[] {
  return children
    .flatMap((child) => {
      if (child.leaf || child.words.length < LEAST_WORDS) return [];
      // A phrase that is its parent's only part would fold as the parent does.
      return child.words.length === words.length ? phrasesIn(child) : [child];
    })
    .sort((a, b) => b.words.length - a.words.length);
}

function keysOf(nodes: readonly TreeNode[]): Set<string> {
  return new Set(nodes.map(spanKey));
}
