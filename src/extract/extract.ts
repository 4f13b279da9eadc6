/** Extraction for the library: files in, Bracketings out, with a report. */

import type { Bracketing } from "../brackets/record.js";
import { checkExtractOptions, type ExtractOptions } from "./options.js";
import { extractSteps, planExtraction } from "./pipeline.js";
import { ExtractReport } from "./report.js";

/** The records of an extraction, which can be read once, and its report. */
export interface Extraction extends AsyncIterable<Bracketing> {
  /** What has been read, written and left out so far. */
  readonly report: ExtractReport;
}

/**
 * Turns question-answer data, wikis, web pages and Markdown into Bracketings. Nothing is read before you
 * iterate over the records.
 *
 * @param files files, folders or patterns, plain or compressed; "-" is standard input.
 * @param options what to read and how to clean it.
 * @returns the records, in the order in which their sentences first appear.
 * @throws InputError if an option is invalid; while iterating, if a file is missing or of no known source, or if a
 * part of it is malformed and `skipBad` is not set. An aborted signal throws its reason.
 *
 * @example
 * ```ts no-run
 * import { toLine } from "bracken/brackets";
 * import { extract } from "bracken/extract";
 *
 * const extraction = extract(["qasrl-bank/", "qamr/"], { clean: true, english: true });
 * for await (const record of extraction) process.stdout.write(toLine(record));
 * console.error(`${extraction.report.written} sentences`);
 * ```
 *
 * @example Links from a sample of Wikipedia, with four worker threads
 * ```ts no-run
 * import { extract } from "bracken/extract";
 *
 * const dump = "enwiki-pages-articles.xml.bz2";
 * const options = { source: "wikipedia", sample: 0.01, threads: 4 };
 * for await (const { text, brackets } of extract(dump, options)) console.log(text, brackets);
 * ```
 */
export function extract(
  files: string | readonly string[],
  options: ExtractOptions = {},
): Extraction {
  checkExtractOptions(options);
  const report = new ExtractReport();
  const records = readRecords([files].flat(), options, report);
  return { report, [Symbol.asyncIterator]: () => records };
}

async function* readRecords(
  files: readonly string[],
  options: ExtractOptions,
  report: ExtractReport,
): AsyncGenerator<Bracketing> {
  const plan = await planExtraction(files, options);
  for await (const step of extractSteps(plan, report)) yield* step.records();
}
