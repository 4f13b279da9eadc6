/** One line of a training log, and how a log is read: for `bracken plot` and for the page. */

import { InputError } from "../errors.js";

/** One record of a training log. */
export interface StepRecord {
  readonly step: number;
  /** Means over the steps since the last record. */
  readonly loss: number;
  readonly violations: number;
  readonly gradientNorm: number;
  readonly rate: number;
  readonly tokensPerSecond: number;
  readonly seconds: number;
  /** The share of validation brackets found, at steps where it was measured. */
  readonly bracketRecall?: number;
}

/**
 * Reads a training log.
 * @throws InputError that names the line, if it is none.
 */
export function parseLog(text: string, file?: string): StepRecord[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line, index) => {
    try {
      const record = JSON.parse(line) as StepRecord;
      if (Number.isFinite(record.step) && Number.isFinite(record.loss)) return record;
    } catch {
      // Told below.
    }
    throw new InputError(
      "not a record of a training log",
      { file, line: index + 1 },
      "logs are written by bracken train, as training/log.jsonl in its output folder",
    );
  });
}
