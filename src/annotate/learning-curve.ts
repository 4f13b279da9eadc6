/** The results of a simulation as a table and as a picture: means over the draws. */

import { alignColumns } from "../display/columns.js";
import { drawPicture } from "../display/plot.js";
import { type SimulatedPoint, STRATEGIES, type Strategy } from "./simulate.js";

/** The mean over the draws of a strategy after so many answers or trees. */
export interface CurvePoint {
  readonly strategy: Strategy;
  readonly count: number;
  readonly draws: number;
  /** The mean of the F1. */
  readonly f1: number;
  /** The least and the largest. */
  readonly range: readonly [least: number, most: number];
  /** The means on the other treebanks. */
  readonly also: readonly number[];
}

/** The means, by strategy and count. */
export function curveOf(results: readonly SimulatedPoint[]): CurvePoint[] {
  return STRATEGIES.flatMap((strategy) => {
    const own = results.filter((result) => result.strategy === strategy);
    const counts = [...new Set(own.map(({ count }) => count))].sort((a, b) => a - b);
    return counts.map((count) => meanOf(own.filter((result) => result.count === count)));
  });
}

function meanOf(results: readonly SimulatedPoint[]): CurvePoint {
  const { strategy, count, also } = results[0] as SimulatedPoint;
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const scores = results.map(({ f1 }) => f1);
  return {
    ...{ strategy, count, draws: results.length, f1: mean(scores) },
    range: [Math.min(...scores), Math.max(...scores)],
    also: also.map((_, at) => mean(results.map((result) => result.also[at] as number))),
  };
}

/** @param also the names of the other treebanks. */
export function curveText(curve: readonly CurvePoint[], also: readonly string[]): string {
  const rows = curve.map((point) => [
    point.strategy,
    String(point.count),
    String(point.draws),
    point.f1.toFixed(2),
    point.range.map((value) => value.toFixed(2)).join("–"),
    ...point.also.map((value) => value.toFixed(2)),
  ]);
  const head = ["strategy", "answers or trees", "draws", "F1", "range", ...also.map(titleOf)];
  return alignColumns([head, ...rows]);
}

function titleOf(name: string): string {
  return `F1 on ${name.replace(/\/+$/, "").split("/").at(-1)}`;
}

/** The curves as an SVG picture. */
export function drawCurve(curve: readonly CurvePoint[]): string {
  const named = STRATEGIES.filter((strategy) => curve.some((point) => point.strategy === strategy));
  const scores = curve.map(({ f1 }) => f1);
  const range = [
    Math.floor(Math.min(...scores) / 4) * 4,
    Math.ceil((Math.max(...scores) + 0.01) / 4) * 4,
  ] as const;
  const series = named.map((strategy) =>
    curve
      .filter((point) => point.strategy === strategy)
      .map(({ count, f1 }) => ({ x: count, y: f1 })),
  );
  const panels = [{ title: "F1", unit: "answers or trees", range, series }];
  return drawPicture({ title: "Learning curves", panels, columns: 1, legend: named });
}
