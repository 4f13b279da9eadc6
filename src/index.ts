/** The library. What needs no file system is also found under `bracken/trees`, `bracken/text`, … */

export { type ExtractOptions, ExtractReport, extract } from "./brackets/extract.js";
export * from "./brackets/index.js";
export { SOURCES } from "./brackets/sources/index.js";
export type { Source, SourceContext, SourceOptions } from "./brackets/sources/source.js";
export * from "./chart/index.js";
export * from "./evaluation/index.js";
export { TextInput } from "./io/input.js";
export { readTreebank, TREEBANK_EXTENSIONS, type TreebankOptions } from "./io/treebank.js";
export type { DecodeOptions } from "./parser/decode-sentence.js";
export { exportModel } from "./parser/export-model.js";
export { loadParser, type ParserOptions } from "./parser/load-parser.js";
export { ModelFolder } from "./parser/model-folder.js";
export { type ModelInfo, modelInfo } from "./parser/model-info.js";
export { BUNDLED_MODELS, findModel } from "./parser/models.js";
export { type ParseRecord, type RecordOptions, toParseRecord } from "./parser/parse-record.js";
export { type ParseOptions, Parser, sentencesOf } from "./parser/parser.js";
export type { Parse, ParsedSpan, ParserInput } from "./parser/sentence.js";
export { Random, type RandomState } from "./random.js";
export * from "./text/index.js";
export { PRESETS, type TrainSettings } from "./training/settings.js";
export { type TrainOptions, type TrainOutcome, train } from "./training/train.js";
export * from "./trees/index.js";
