/** The log of a run: one JSON object per line, which `bracken plot` draws and the page watches. */

import { appendFile, readFile } from "node:fs/promises";
import { fileFailure } from "../files/failure.js";
import { writeWhole } from "../files/output.js";
import type { StepRecord } from "./log-record.js";

export class TrainingLog {
  readonly #file: string;

  private constructor(file: string) {
    this.#file = file;
  }

  /** Opens the log of a run that goes on after a step; what was logged later is forgotten. */
  static async open(file: string, afterStep: number): Promise<TrainingLog> {
    const text = await readFile(file, "utf8").catch(() => "");
    const kept = text
      .split("\n")
      .filter((line) => line !== "" && isUpTo(line, afterStep))
      .map((line) => `${line}\n`);
    await writeWhole(file, kept.join(""));
    return new TrainingLog(file);
  }

  async add(record: StepRecord): Promise<void> {
    await appendFile(this.#file, `${JSON.stringify(record)}\n`).catch((error) => {
      throw fileFailure(error, this.#file);
    });
  }
}

/** A line that was cut by a crash is not kept either. */
function isUpTo(line: string, step: number): boolean {
  try {
    return (JSON.parse(line) as StepRecord).step <= step;
  } catch {
    return false;
  }
}
