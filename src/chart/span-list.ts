/**
 * A tree as its phrases' spans, flat: begin and end of the first, of the second, and so on, in
 * pre-order, the whole sentence first. Single tokens are left out, so a binary tree over n tokens
 * takes 2 (n - 1) numbers and one over a single token none. Flat trees are the same with fewer
 * spans.
 */

import { treeFromSpans } from "../trees/transform.js";
import type { Leaf, Span, Tree } from "../trees/tree.js";
import { checkMatrix, type SpanMatrix, spanIndex } from "./matrix.js";

/** Begin and end of each phrase of a tree, in pre-order, without single tokens. */
export type SpanList = Int32Array;

/** How many numbers the list of a binary tree over `size` tokens has. */
export function listLength(size: number): number {
  return size > 1 ? 2 * (size - 1) : 0;
}

/** The spans of a list as objects, in the same order. */
export function toSpans(list: SpanList): Span[] {
  const spans: Span[] = [];
  for (let at = 0; at < list.length; at += 2) {
    spans.push({ begin: list[at] as number, end: list[at + 1] as number });
  }
  return spans;
}

/** The tree over the given leaves, all its phrases with the same label, or none. */
export function toTree(list: SpanList, leaves: readonly Leaf[], label = ""): Tree {
  if (leaves.length === 0) throw new RangeError("a tree needs at least one token");
  return treeFromSpans(
    leaves,
    toSpans(list).map((span) => ({ ...span, label })),
  );
}

/**
 * The tree without the phrases whose probabilities, such as a marginal probability, is below the
 * threshold; their parts go up to the next phrase that stays. The whole sentence always stays.
 */
export function flatten(
  list: SpanList,
  size: number,
  probabilities: SpanMatrix,
  threshold: number,
): SpanList {
  checkMatrix(probabilities, size, "probabilities");
  const kept = new Int32Array(list.length);
  let length = 0;
  for (let at = 0; at < list.length; at += 2) {
    const [begin, end] = [list[at] as number, list[at + 1] as number];
    const isWhole = begin === 0 && end === size;
    if (!isWhole && !((probabilities[spanIndex(size, begin, end)] as number) >= threshold))
      continue;
    kept[length++] = begin;
    kept[length++] = end;
  }
  return kept.slice(0, length);
}
