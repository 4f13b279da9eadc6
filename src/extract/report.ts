/** Counts what an extraction read, wrote and left out, in the same way for all sources. */

import { type Bracketing, isMark, isMultiToken } from "../brackets/record.js";

/** A report as plain values, as it is printed, saved with a run, and sent by workers. */
export interface ReportCounts {
  /** The pages that were read; absent if there were none. */
  readonly pages?: number;
  /** The sentences that were read, before merging. */
  readonly read: number;
  /** The records that were written. */
  readonly written: number;
  /** The brackets of these records. */
  readonly brackets: number;
  /** Brackets of two or more tokens that are not the whole sentence. */
  readonly multiToken: number;
  /** Malformed parts that were skipped. */
  readonly bad: number;
  /** What was left out or changed, by reason. */
  readonly dropped: Readonly<Record<string, number>>;
}

/**
 * The counts of an extraction, up to date at any time.
 *
 * @example
 * ```ts no-run
 * import { extract } from "bracken/extract";
 *
 * const extraction = extract("qasrl-bank/", { clean: true });
 * for await (const { id } of extraction) console.log(id);
 * console.log(extraction.report.written, extraction.report.dropped.get("single-word brackets"));
 * ```
 */
export class ExtractReport {
  /** The pages that were read, if the source has pages. */
  pages = 0;
  /** The sentences that were read, before merging. */
  read = 0;
  /** The records that were written. */
  written = 0;
  /** The brackets of these records, without marks such as chunks. */
  brackets = 0;
  /** Brackets of two or more tokens that are not the whole sentence. */
  multiToken = 0;
  /** Malformed parts that were skipped. */
  bad = 0;
  /** What was left out or changed, by reason. */
  readonly dropped = new Map<string, number>();

  /** Counts something that is left out. */
  drop(reason: string, count = 1): void {
    if (count > 0) this.dropped.set(reason, (this.dropped.get(reason) ?? 0) + count);
  }

  /** Counts a record that is written. */
  countRecord({ brackets, kinds, tokens }: Bracketing): void {
    this.written += 1;
    for (const [index, bracket] of brackets.entries()) {
      if (isMark(kinds?.[index])) continue;
      this.brackets += 1;
      if (isMultiToken(bracket, tokens.length)) this.multiToken += 1;
    }
  }

  /** Adds the counts of another report. */
  add({ pages = 0, dropped, ...counts }: ReportCounts): void {
    this.pages += pages;
    for (const key of Object.keys(counts) as (keyof typeof counts)[]) this[key] += counts[key];
    for (const [reason, count] of Object.entries(dropped)) this.drop(reason, count);
  }

  /** The counts as plain values. */
  toJSON(): ReportCounts {
    const { pages, read, written, brackets, multiToken, bad, dropped } = this;
    return {
      ...(pages > 0 ? { pages } : {}),
      read,
      written,
      brackets,
      multiToken,
      bad,
      dropped: Object.fromEntries(dropped),
    };
  }
}
