/** Bracketings, without a file system, so that a browser can import them. */

export { Cleaner, type CleanOptions, type Counter } from "./clean.js";
export type { Question } from "./question.js";
export {
  type Bracket,
  type Bracketing,
  distinctSpans,
  isMultiToken,
  parseBracketing,
  toLine,
  toSpan,
} from "./record.js";
export { textKey, tokenKey } from "./sentence-keys.js";
export {
  BracketStatistics,
  type GoldComparison,
  type LabelCount,
  type LabelRow,
} from "./statistics.js";
export {
  type GoldRecord,
  type StatisticsRecord,
  statisticsJson,
  statisticsSvg,
  statisticsText,
} from "./statistics-report.js";
