/** Turns question-answer data, wikis, web pages and Markdown into Bracketings. Exported as `bracken/extract`. */

export { Cleaner, type CleanOptions, type Counter } from "../brackets/clean.js";
export type { MergeBy } from "../brackets/merge.js";
export type { RawBracket, RawSentence, RecordOptions } from "../brackets/raw-sentence.js";
export { type Bracketing, parseBracketing, toLine } from "../brackets/record.js";
export {
  BracketStatistics,
  type GoldComparison,
  type LabelCount,
  type LabelRow,
} from "../brackets/statistics.js";
export {
  type GoldRecord,
  type StatisticsRecord,
  statisticsJson,
  statisticsSvg,
  statisticsText,
} from "../brackets/statistics-report.js";
export type { OpenOptions } from "../files/input.js";
export type { Shard } from "../files/shard.js";
export { TextInput } from "../files/text-input.js";
export { readExcluded } from "./exclude.js";
export { type Extraction, extract } from "./extract.js";
export type { DocumentFormat } from "./links/articles.js";
export { BLOCK_KINDS, type BlockKind } from "./links/marked.js";
export type { ExtractOptions } from "./options.js";
export { ExtractReport, type ReportCounts } from "./report.js";
export { SOURCES } from "./sources/index.js";
export type {
  AnswerSource,
  DocumentSource,
  Source,
  SourceContext,
  SourceOptions,
} from "./sources/source.js";
