/** A phrase whose closing bracket the reader has not seen yet. */

import { isWrapper } from "./transform.js";
import type { Leaf, Tree } from "./tree.js";

export interface OpenPhrase {
  label: string | undefined;
  readonly children: Tree[];
  /** Whether -NONE- leaves or emptied phrases were dropped from it. */
  emptied: boolean;
  /** Brackets around nothing that are in it. */
  hollow: OpenPhrase | undefined;
  readonly line: number;
  readonly column: number;
}

/** Whether it is nothing but brackets, around nothing. */
export function isHollow({ label = "", children, emptied }: OpenPhrase): boolean {
  return children.length === 0 && !emptied && isWrapper(label);
}

export function isBareWord(tree: Tree): tree is Leaf {
  return "word" in tree && tree.tag === undefined;
}
