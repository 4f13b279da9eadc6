/** Bracketings without a file system: what a browser can import. */

export { Cleaner, type CleanOptions, type Counter } from "./clean.js";
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
export { BracketStatistics, type GoldComparison } from "./statistics.js";
export { statisticsJson, statisticsSvg, statisticsText } from "./statistics-report.js";
