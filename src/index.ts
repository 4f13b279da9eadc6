/** The library. What needs no file system is also found under `bracken/trees`, `bracken/text`, … */

export * from "./brackets/index.js";
export * from "./chart/index.js";
export * from "./evaluation/index.js";
export { type ExtractOptions, ExtractReport, extract } from "./extract/extract.js";
export { SOURCES } from "./extract/sources/index.js";
export type { Source, SourceContext, SourceOptions } from "./extract/sources/source.js";
export { TextInput } from "./files/input.js";
export { exportModel } from "./model/export-onnx.js";
export { BUNDLED_MODELS, findModel } from "./model/find-model.js";
export { ModelFolder } from "./model/folder.js";
export { type ModelInfo, modelInfo } from "./model/info.js";
export type { DecodeOptions } from "./parser/decode-sentence.js";
export { loadParser, type ParserOptions } from "./parser/load-parser.js";
export { type ParseRecord, type RecordOptions, toParseRecord } from "./parser/parse-record.js";
export { type ParseOptions, Parser, sentencesOf } from "./parser/parser.js";
export type { Parse, ParsedSpan, ParserInput } from "./parser/sentence.js";
export { Random, type RandomState } from "./random.js";
export * from "./text/index.js";
export { PRESETS, type TrainSettings } from "./training/settings.js";
export { type TrainOptions, type TrainOutcome, train } from "./training/train.js";
export {
  readTreebank,
  TREEBANK_EXTENSIONS,
  type TreebankOptions,
} from "./treebanks/read-treebank.js";
export * from "./trees/index.js";
