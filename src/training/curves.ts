/** Training logs as a picture: one panel a measure, one line a run. */

import { escapeXml } from "../trees/draw-svg.js";
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

const COLOURS = ["#4c8055", "#3b6ea8", "#b3632a", "#8a4f9e", "#a83b5e", "#6b6b2a"];
const [WIDTH, HEIGHT, MARGIN, GAP] = [420, 220, 56, 34];

/** Draws the curves of training logs as an SVG picture. */
export function drawCurves(logs: readonly NamedLog[]): string {
  const panels = PANELS.map((panel, index) => {
    const [column, row] = [index % 2, Math.floor(index / 2)];
    const place = `translate(${column * (WIDTH + MARGIN)} ${row * (HEIGHT + MARGIN)})`;
    return `<g transform="${place}">${drawPanel(panel, logs)}</g>`;
  });
  const [width, height] = [
    2 * (WIDTH + MARGIN),
    2 * (HEIGHT + MARGIN) + 24 * Math.ceil(logs.length / 3),
  ];
  const legend = logs.map(({ name }, index) => {
    const [x, y] = [
      MARGIN + (index % 3) * 300,
      2 * (HEIGHT + MARGIN) + 12 + 24 * Math.floor(index / 3),
    ];
    return `<rect x="${x}" y="${y - 9}" width="10" height="10" fill="${colour(index)}"/><text x="${x + 16}" y="${y}">${escapeXml(name)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    "<title>Training curves</title>",
    `<style>${STYLE}</style>`,
    ...panels,
    ...legend,
    "</svg>",
  ].join("\n");
}

const STYLE = [
  "text{font:12px system-ui,Helvetica,Arial,sans-serif;fill:#1b1f24}",
  "text.title{font-weight:600}text.tick{fill:#59636e}text.left{text-anchor:end}",
  "polyline{fill:none;stroke-width:1.6}line{stroke:#d0d7de}",
  "@media(prefers-color-scheme:dark){text{fill:#e6edf3}text.tick{fill:#9198a1}line{stroke:#3d444d}}",
].join("");

function colour(index: number): string {
  return COLOURS[index % COLOURS.length] as string;
}

function drawPanel({ title, value }: Panel, logs: readonly NamedLog[]): string {
  const series = logs.map(({ records }) =>
    records.flatMap((record) => {
      const y = value(record);
      return y === undefined ? [] : [{ x: record.step, y }];
    }),
  );
  const all = series.flat();
  const heading = `<text class="title" x="${MARGIN}" y="20">${escapeXml(title)}</text>`;
  if (all.length === 0)
    return `${heading}<text class="tick" x="${MARGIN}" y="60">not measured</text>`;
  const most = {
    x: Math.max(...all.map(({ x }) => x)),
    y: niceCeiling(Math.max(...all.map(({ y }) => y))),
  };
  const x = (step: number) => MARGIN + (step / most.x) * (WIDTH - MARGIN);
  const y = (amount: number) => HEIGHT - (amount / most.y) * (HEIGHT - GAP);
  const grid = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const at = y(share * most.y).toFixed(1);
    const label = `<text class="tick left" x="${MARGIN - 6}" y="${Number(at) + 4}">${shorten(share * most.y)}</text>`;
    return `<line x1="${MARGIN}" x2="${WIDTH}" y1="${at}" y2="${at}"/>${label}`;
  });
  const lines = series.map((points, index) => {
    const path = points
      .map((point) => `${x(point.x).toFixed(1)},${y(point.y).toFixed(1)}`)
      .join(" ");
    return `<polyline points="${path}" stroke="${colour(index)}"/>`;
  });
  const steps = `<text class="tick" x="${MARGIN}" y="${HEIGHT + 18}">0</text><text class="tick left" x="${WIDTH}" y="${HEIGHT + 18}">step ${most.x}</text>`;
  return [heading, ...grid, ...lines, steps].join("");
}

/** The next of 1, 2, 5, 10, 20, … above a number, so that ticks read well. */
export function niceCeiling(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 5, 8, 10].find((factor) => factor * power >= value) ?? 10) * power;
}

function shorten(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
