/** Gold trees as people paste them, and trees without tags made ready for scoring. */

import { InputError } from "../../src/errors.js";
import {
  constituents,
  leaves,
  mapLeaves,
  parsePenn,
  type Tree,
  unwrapRoot,
} from "../../src/trees/index.js";

const FILE = "gold trees";

/** With labels and tags, with labels alone, or bare brackets. */
export function readGold(text: string): Tree[] {
  try {
    const labelled = parsePenn(text, { file: FILE });
    const isBare = labelled.every(hasNoLabels);
    const trees = isBare ? parsePenn(text, { file: FILE, unlabelled: true }) : labelled;
    return trees.map((tree) => tagged(unwrapRoot(tree)));
  } catch (error) {
    throw error instanceof InputError ? new InputError(placeInWords(error.message)) : error;
  }
}

function hasNoLabels(tree: Tree): boolean {
  const isWord = (label = "") => label === "" || /^\p{Ll}/u.test(label);
  return (
    leaves(tree).every(({ tag }) => isWord(tag)) &&
    constituents(tree).every(({ label }) => isWord(label))
  );
}

/** `gold trees:1:5: …` as a person says it. */
function placeInWords(message: string): string {
  return message.replace(
    /^gold trees:(\d+):(?:(\d+):)?/,
    (_, line, place) => `Gold trees, line ${line}${place ? `, character ${place}` : ""}:`,
  );
}

/** Words without a tag get one that tells punctuation from words, which is all that scoring asks. */
export function tagged(tree: Tree): Tree {
  return mapLeaves(tree, (leaf) =>
    leaf.tag === undefined ? { ...leaf, tag: /[\p{L}\p{N}]/u.test(leaf.word) ? "NN" : "." } : leaf,
  );
}
