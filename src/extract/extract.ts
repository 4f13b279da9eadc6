/** The library's way to extract: files in, records out, with an account of what became of the rest. */

import type { Bracketing } from "../brackets/record.js";
import { checkExtractOptions, type ExtractOptions } from "./options.js";
import { extractSteps, planExtraction } from "./pipeline.js";
import { ExtractReport } from "./report.js";

/** The records of an extraction, to be read once, and its report. */
export interface Extraction extends AsyncIterable<Bracketing> {
  /** What has been read, written and left out so far. */
  readonly report: ExtractReport;
}

/**
 * Turns what people published (question-answer data, wikis, web pages, Markdown) into Bracketings.
 * Nothing is read before the records are asked for.
 *
 * @param files files, folders or patterns, plain or compressed; "-" is standard input
 * @param options what to read and how to clean it
 * @returns the records, in the order in which their sentences first appear
 * @throws InputError if an option is wrong; when the records are asked for, if a file is not there or
 * of no known source, or if a part of it is malformed and `skipBad` is not set; the signal's reason if
 * it is aborted
 *
 * @example
 * ```ts
 * import { toLine } from "bracken/brackets";
 * import { extract } from "bracken/extract";
 *
 * const extraction = extract(["qasrl-bank/", "qamr/"], { clean: true, english: true });
 * for await (const record of extraction) process.stdout.write(toLine(record));
 * console.error(`${extraction.report.written} sentences`);
 * ```
 *
 * @example Links of a sample of Wikipedia, over four worker threads:
 * ```ts
 * extract("enwiki-pages-articles.xml.bz2", { source: "wikipedia", sample: 0.01, threads: 4 });
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
