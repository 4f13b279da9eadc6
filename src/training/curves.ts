/** Draws training logs: one panel per measure, one line per run. */

import { drawPicture } from "../display/plot.js";
import type { StepRecord } from "./log-record.js";

/** A training log and its name in the picture. */
export interface NamedLog {
  /** The name in the legend. */
  readonly name: string;
  /** The records, from `parseLog`. */
  readonly records: readonly StepRecord[];
}

export interface Panel {
  readonly title: string;
  readonly value: (record: StepRecord) => number | undefined;
}

export const PANELS: readonly Panel[] = [
  { title: "Loss", value: ({ loss }) => loss },
  { title: "Violations, % of sentences", value: ({ violations }) => violations * 100 },
  { title: "Gradient norm", value: ({ gradientNorm }) => gradientNorm },
  {
    title: "Bracket recall, %",
    value: ({ bracketRecall }) => (bracketRecall === undefined ? undefined : bracketRecall * 100),
  },
];

/**
 * Draws the curves of training logs as an SVG picture.
 *
 * @example
 * ```ts no-run
 * import { readFile } from "node:fs/promises";
 * import { drawCurves, parseLog } from "bracken/train";
 *
 * const records = parseLog(await readFile("models/mine/training/log.jsonl", "utf8"));
 * console.log(drawCurves([{ name: "mine", records }]));
 * ```
 */
export function drawCurves(logs: readonly NamedLog[]): string {
  const panels = PANELS.map(({ title, value }) => ({
    title,
    series: logs.map(({ records }) =>
      records.flatMap((record) => {
        const y = value(record);
        return y === undefined ? [] : [{ x: record.step, y }];
      }),
    ),
  }));
  const legend = logs.map(({ name }) => name);
  return drawPicture({ title: "Training curves", panels, columns: 2, legend });
}
