/**
 * A tree as a list of numbers: begin and end of the first phrase, of the second, and so on, in pre-order, the
 * whole sentence first. Single tokens are left out. So a binary tree over n tokens takes 2 (n - 1) numbers, and
 * one over a single token none. Flat trees have fewer.
 */

import { treeFromSpans } from "../trees/transform.js";
import type { Leaf, Span, Tree } from "../trees/tree.js";
import { checkMatrix, type SpanMatrix, spanIndex } from "./matrix.js";

/** A tree: begin and end of each phrase in pre-order, without single tokens. */
export type SpanList = Int32Array;

/** The length of the list of a binary tree over `size` tokens. */
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

/** The tree over the given leaves; all phrases have the same label, by default none. */
export function toTree(list: SpanList, leaves: readonly Leaf[], label = ""): Tree {
  if (leaves.length === 0) throw new RangeError("a tree needs at least one token");
  return treeFromSpans(
    leaves,
    toSpans(list).map((span) => ({ ...span, label })),
  );
}

/**
 * Drops the phrases of a tree whose probability is below the threshold. Their parts move up to the next
 * phrase that stays. The whole sentence always stays.
 *
 * @param probabilities such as marginals, in the layout of the scores.
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
