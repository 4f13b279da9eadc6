/** What became of everything that an extraction read, counted in one way for all sources. */

import { type Bracketing, isMark, isMultiToken } from "../brackets/record.js";

/** A report in plain values, as it is printed, saved with a run, and sent by workers. */
export interface ReportCounts {
  /** Absent where no page was read. */
  readonly pages?: number;
  readonly read: number;
  readonly written: number;
  readonly brackets: number;
  readonly multiToken: number;
  readonly bad: number;
  readonly dropped: Readonly<Record<string, number>>;
}

/**
 * Counts of an extraction, up to date at any time.
 *
 * @example
 * ```ts
 * const extraction = extract("qasrl-bank/", { clean: true });
 * for await (const record of extraction) train(record);
 * console.log(extraction.report.written, extraction.report.dropped.get("single-word brackets"));
 * ```
 */
export class ExtractReport {
  /** Pages that sentences were taken from, where a source has pages. */
  pages = 0;
  /** Sentences as the sources gave them, before merging. */
  read = 0;
  /** Records that came out. */
  written = 0;
  /** Their brackets. Entries that only say something of brackets, such as chunks, do not count. */
  brackets = 0;
  /** Brackets of two or more tokens that are not the whole sentence. */
  multiToken = 0;
  /** Malformed parts that were passed over. */
  bad = 0;
  /** What was left out or changed, by reason. */
  readonly dropped = new Map<string, number>();

  /** Counts what is left out for a reason. */
  drop(reason: string, count = 1): void {
    if (count > 0) this.dropped.set(reason, (this.dropped.get(reason) ?? 0) + count);
  }

  /** Counts a record that comes out. */
  countRecord({ brackets, kinds, tokens }: Bracketing): void {
    this.written += 1;
    for (const [index, bracket] of brackets.entries()) {
      if (isMark(kinds?.[index])) continue;
      this.brackets += 1;
      if (isMultiToken(bracket, tokens.length)) this.multiToken += 1;
    }
  }

  /** Adds the counts of other work. */
  add({ pages = 0, dropped, ...counts }: ReportCounts): void {
    this.pages += pages;
    for (const key of Object.keys(counts) as (keyof typeof counts)[]) this[key] += counts[key];
    for (const [reason, count] of Object.entries(dropped)) this.drop(reason, count);
  }

  /** The counts in plain values. */
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
