/** Reads treebanks from files, as streams. */

export { GoldTrees } from "./gold-trees.js";
export {
  readEntries,
  readTreebank,
  TREEBANK_EXTENSIONS,
  type TreebankOptions,
} from "./read-treebank.js";
