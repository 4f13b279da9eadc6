/**
 * The library: loads a parser and has its trees. Training, extraction and evaluation have entries of
 * their own (`bracken/train`, `bracken/extract`, `bracken/evaluation`, …), as have drawings and CoNLL-U
 * (`bracken/trees`).
 */

export type { BertConfig } from "./encoder/config.js";
export { InputError, type Place, WorkFailure } from "./errors.js";
export {
  DECODINGS,
  type Decoding,
  type LabelConfig,
  type ModelConfig,
  PRECISIONS,
  type Precision,
  type ScorerConfig,
} from "./model/config.js";
export { exportModel } from "./model/export-onnx.js";
export { BUNDLED_MODELS, findModel } from "./model/find-model.js";
export { ModelFolder } from "./model/folder.js";
export { type ModelInfo, modelInfo } from "./model/info.js";
export type { LabelFactors } from "./model/label-scorer.js";
export type { FileDescription, ModelSource } from "./model/source.js";
export type { SentenceScores, SpanModelOptions } from "./model/span-model.js";
export type { DecodeOutcome, Decoder, DecodeTask } from "./parser/decoder.js";
export { ParsedDocument } from "./parser/document.js";
export { sentencesFromText } from "./parser/from-text.js";
export { loadParser, type ParserOptions } from "./parser/load-parser.js";
export type { DecodeOptions, ParseOptions } from "./parser/options.js";
export { type ParseRecord, type RecordOptions, toParseRecord } from "./parser/parse-record.js";
export { type Parseable, Parser } from "./parser/parser.js";
export {
  type DocumentPhrase,
  NESTINGS,
  type Nesting,
  type PhraseOptions,
} from "./parser/phrases.js";
export { type Decoded, ScoredSentence } from "./parser/scored-sentence.js";
export type {
  Parse,
  ParseChart,
  ParsedSpan,
  ParseProblem,
  SentenceInput,
} from "./parser/sentence.js";
export {
  type LabelChart,
  ScoredLabels,
  type SentenceLabels,
  type SpanLabel,
} from "./parser/sentence-labels.js";
export { drawOutline, drawText } from "./trees/draw-text.js";
export { fromRecord, parseRecord, type TreeRecord, toRecord } from "./trees/json.js";
export { category, INDUCED } from "./trees/labels.js";
export { type PennOptions, parsePenn } from "./trees/penn-reader.js";
export { toPenn, toPrettyPenn } from "./trees/penn-writer.js";
export {
  binarise,
  collapseUnary,
  dropEmpty,
  filterLeaves,
  mapLeaves,
  treeFromSpans,
  unwrapRoot,
} from "./trees/transform.js";
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
} from "./trees/tree.js";
