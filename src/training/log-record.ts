/** Records of a training log, which `bracken plot` and the page read. */

import { InputError } from "../errors.js";

/** One record of a training log. */
export interface StepRecord {
  /** The step, counted from 1. */
  readonly step: number;
  /** The mean loss since the last record. */
  readonly loss: number;
  /** The mean share of sentences whose loss is above 0. */
  readonly violations: number;
  /** The mean norm of the gradient, before clipping. */
  readonly gradientNorm: number;
  /** The learning rate of the encoder. */
  readonly rate: number;
  /** The speed since the last record. */
  readonly tokensPerSecond: number;
  /** The time since the beginning of the run. */
  readonly seconds: number;
  /** The bracket recall, at steps where it was measured. */
  readonly bracketRecall?: number;
  /** The share of validation spans whose label is the one with the most votes, at the same steps. */
  readonly labelAgreement?: number;
}

/**
 * Reads a training log.
 *
 * @param text the contents of `training/log.jsonl`.
 * @param file its name, for error messages.
 * @throws InputError that names the line, if it is not a record.
 */
export function parseLog(text: string, file?: string): StepRecord[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line, index) => {
    try {
      const record = JSON.parse(line) as StepRecord;
      if (Number.isFinite(record.step) && Number.isFinite(record.loss)) return record;
    } catch {
      // Reported below.
    }
    throw new InputError(
      "not a record of a training log",
      { file, line: index + 1 },
      "logs are written by bracken train, as training/log.jsonl in its output folder",
    );
  });
}
