/** Trees, without a file system, so that a browser can import them. */

export { InputError, type Place } from "../errors.js";
export {
  type ConlluOptions,
  type ConlluSentence,
  conlluTree,
  parseConllu,
  toConllu,
} from "./conllu.js";
export { toForest, toTikzQtree } from "./draw-latex.js";
export { drawSvg } from "./draw-svg.js";
export { drawOutline, drawText } from "./draw-text.js";
export { TREE_FORMATS, type TreeFormat, type TreeFormatName, toSpanList } from "./formats.js";
export { fromRecord, parseRecord, type TreeRecord, toRecord } from "./json.js";
export {
  category,
  escapeToken,
  INDUCED,
  type LabelParts,
  splitLabel,
  TABLE_LABELS,
  unescapeToken,
} from "./labels.js";
export { type Layout, type LayoutOptions, layoutTree, type PlacedNode } from "./layout.js";
export {
  isMissing,
  type LocatedTree,
  type MissingTree,
  type PennOptions,
  PennReader,
  parsePenn,
  type TreebankEntry,
} from "./penn-reader.js";
export { toPenn, toPrettyPenn } from "./penn-writer.js";
export {
  binarise,
  collapseUnary,
  dropEmpty,
  filterLeaves,
  mapLeaves,
  treeFromSpans,
  unwrapRoot,
} from "./transform.js";
export {
  type Constituent,
  constituents,
  cross,
  fold,
  isLeaf,
  type Leaf,
  leaves,
  type Phrase,
  type Span,
  type Tree,
  type Visitor,
  walk,
  words,
} from "./tree.js";
