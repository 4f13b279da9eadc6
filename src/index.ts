/** The library. What needs no file system is also found under `bracken/trees` and `bracken/evaluation`. */

export * from "./evaluation/index.js";
export { readTreebank, TREEBANK_EXTENSIONS, type TreebankOptions } from "./io/treebank.js";
export { Random, type RandomState } from "./random.js";
export * from "./trees/index.js";
