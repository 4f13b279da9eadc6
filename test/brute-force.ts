/** All binary trees over n tokens, as the spans of their phrases: the yardstick for dynamic programs. */

import type { Span } from "../src/trees/tree.js";

export function* allBinaryTrees(begin: number, end: number): Generator<Span[]> {
  if (end - begin === 1) {
    yield [];
    return;
  }
  for (let split = begin + 1; split < end; split++) {
    for (const left of allBinaryTrees(begin, split)) {
      for (const right of allBinaryTrees(split, end)) yield [...left, ...right, { begin, end }];
    }
  }
}
