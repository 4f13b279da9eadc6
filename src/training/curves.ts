/** Training logs as a picture: one panel a measure, one line a run. */

import { drawPicture } from "../display/plot.js";
import type { StepRecord } from "./log-record.js";

/** A training log and what it is called in the picture. */
export interface NamedLog {
  readonly name: string;
  readonly records: readonly StepRecord[];
}

export interface Panel {
  readonly title: string;
  readonly value: (record: StepRecord) => number | undefined;
}

export const PANELS: readonly Panel[] = [
  { title: "Loss", value: ({ loss }) => loss },
  { title: "Sentences that violate, %", value: ({ violations }) => violations * 100 },
  { title: "Norm of the gradient", value: ({ gradientNorm }) => gradientNorm },
  {
    title: "Held-back brackets found, %",
    value: ({ bracketRecall }) => (bracketRecall === undefined ? undefined : bracketRecall * 100),
  },
];

/** Draws the curves of training logs as an SVG picture. */
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
