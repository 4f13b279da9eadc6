/**
 * Plots as SVG pictures that need nothing else and follow the viewer's light or dark theme: panels of
 * bars or lines over a grid with round values, which begins at zero unless a range is given.
 */

import { escapeXml } from "../trees/draw-svg.js";

/** The whole of a panel, and the space around what is drawn in it. */
const [WIDTH, HEIGHT] = [420, 220];
const MARGIN = { left: 56, right: 12, top: 34, bottom: 26 } as const;
const [RIGHT, BOTTOM] = [WIDTH - MARGIN.right, HEIGHT - MARGIN.bottom];

const COLOURS = ["#4c8055", "#3b6ea8", "#b3632a", "#8a4f9e", "#a83b5e", "#6b6b2a"];

const STYLE = [
  "text{font:12px system-ui,Helvetica,Arial,sans-serif;fill:#1b1f24}",
  "text.title{font-weight:600}text.tick{fill:#59636e}text.end{text-anchor:end}",
  "text.middle{text-anchor:middle}polyline{fill:none;stroke-width:1.6}",
  "line{stroke:#d0d7de}rect.bar{fill:#4c8055}",
  "@media(prefers-color-scheme:dark){text{fill:#e6edf3}text.tick{fill:#9198a1}line{stroke:#3d444d}",
  "rect.bar{fill:#7cb587}}",
].join("");

/** A histogram: how often each whole number from 0 on occurs. */
export interface BarPlot {
  readonly title: string;
  /** What is counted, in the plural. */
  readonly unit: string;
  readonly counts: ReadonlyMap<number, number>;
}

/** Curves over steps, one for each of the picture's names. */
export interface LinePlot {
  readonly title: string;
  /** What is counted along the lines; by default steps. */
  readonly unit?: string;
  /** The values at the bottom and at the top; by default zero and a round number above all. */
  readonly range?: readonly [least: number, most: number];
  readonly series: readonly (readonly Point[])[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Picture {
  readonly title: string;
  readonly panels: readonly (BarPlot | LinePlot)[];
  readonly columns: number;
  /** What the lines are called, in the order of their series. */
  readonly legend?: readonly string[];
}

const LEGEND_ROW = 24;
const [LEGEND_COLUMN, LEGEND_COLUMNS] = [300, 3];

/** The picture as a document. */
export function drawPicture({ title, panels, columns, legend = [] }: Picture): string {
  const rows = Math.ceil(panels.length / columns);
  const legendRows = Math.ceil(legend.length / LEGEND_COLUMNS);
  const [width, height] = [columns * WIDTH, rows * HEIGHT + legendRows * LEGEND_ROW];
  const drawn = panels.map((panel, index) => {
    const [x, y] = [(index % columns) * WIDTH, Math.floor(index / columns) * HEIGHT];
    const content = "counts" in panel ? drawBars(panel) : drawLines(panel);
    return `<g transform="translate(${x} ${y})">${label("title", MARGIN.left, 20, panel.title)}${content}</g>`;
  });
  const names = legend.map((name, index) => {
    const x = MARGIN.left + (index % LEGEND_COLUMNS) * LEGEND_COLUMN;
    const y = rows * HEIGHT + 12 + LEGEND_ROW * Math.floor(index / LEGEND_COLUMNS);
    const sample = `<rect x="${x}" y="${y - 9}" width="10" height="10" fill="${colour(index)}"/>`;
    return `${sample}${label("", x + 16, y, name)}`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<style>${STYLE}</style>`,
    ...drawn,
    ...names,
    "</svg>",
  ].join("\n");
}

/** Larger numbers are counted in the last bar. */
const MOST_BARS = 30;
const LABEL_EVERY = 5;

function drawBars({ counts, unit }: BarPlot): string {
  const bars = new Array<number>(MOST_BARS + 1).fill(0);
  for (const [value, count] of counts) {
    const bar = Math.min(value, MOST_BARS);
    bars[bar] = (bars[bar] ?? 0) + count;
  }
  const most = niceCeiling(Math.max(1, ...bars));
  const y = scale(0, most, BOTTOM, MARGIN.top);
  const step = (RIGHT - MARGIN.left) / bars.length;
  const drawn = bars.map((count, value) => {
    const [x, top] = [MARGIN.left + value * step, y(count)];
    const name = value === MOST_BARS ? `${value}+` : `${value}`;
    const title = `<title>${name}: ${count} ${escapeXml(unit)}</title>`;
    const bar = `<rect class="bar" x="${fixed(x + 1)}" y="${fixed(top)}" width="${fixed(step - 2)}" height="${fixed(BOTTOM - top)}">${title}</rect>`;
    const isNamed = value % LABEL_EVERY === 0;
    return isNamed ? bar + label("tick middle", x + step / 2, BOTTOM + 16, name) : bar;
  });
  return [...grid(most), label("tick end", RIGHT, 20, unit), ...drawn].join("");
}

const FEW_POINTS = 12;

function drawLines({ series, unit = "step", range }: LinePlot): string {
  const all = series.flat();
  if (all.length === 0) return label("tick", MARGIN.left, 60, "not measured");
  const last = all.reduce((furthest, { x }) => Math.max(furthest, x), 1);
  const highest = all.reduce((most, { y }) => Math.max(most, y), 0);
  const [bottom, top] = range ?? [0, niceCeiling(highest)];
  const x = scale(0, last, MARGIN.left, RIGHT);
  const y = scale(bottom, top, BOTTOM, MARGIN.top);
  const lines = series.map((points, index) => {
    const path = points.map((point) => `${fixed(x(point.x))},${fixed(y(point.y))}`).join(" ");
    // Few points are shown as such: a single one makes no line.
    const dots = (points.length > FEW_POINTS ? [] : points).map(
      (point) =>
        `<circle cx="${fixed(x(point.x))}" cy="${fixed(y(point.y))}" r="2.5" fill="${colour(index)}"/>`,
    );
    return `<polyline points="${path}" stroke="${colour(index)}"/>${dots.join("")}`;
  });
  const ends = [
    label("tick", MARGIN.left, BOTTOM + 16, "0"),
    label("tick end", RIGHT, BOTTOM + 16, `${unit} ${last}`),
  ];
  return [...grid(top, bottom), ...lines, ...ends].join("");
}

function grid(most: number, least = 0): string[] {
  const y = scale(least, most, BOTTOM, MARGIN.top);
  return [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const value = least + share * (most - least);
    const at = y(value);
    const line = `<line x1="${MARGIN.left}" x2="${RIGHT}" y1="${fixed(at)}" y2="${fixed(at)}"/>`;
    return line + label("tick end", MARGIN.left - 6, at + 4, shortNumber(value));
  });
}

function scale(from: number, to: number, begin: number, end: number): (value: number) => number {
  return (value) => begin + ((value - from) / (to - from)) * (end - begin);
}

function label(kind: string, x: number, y: number, text: string): string {
  const attribute = kind === "" ? "" : ` class="${kind}"`;
  return `<text${attribute} x="${fixed(x)}" y="${fixed(y)}">${escapeXml(text)}</text>`;
}

function colour(index: number): string {
  return COLOURS[index % COLOURS.length] as string;
}

function fixed(value: number): string {
  return String(Number(value.toFixed(1)));
}

/** The next of 1, 2, 4, 5, 8, 10, 20, … that is no less, so that ticks read well. */
export function niceCeiling(value: number): number {
  if (!(value > 0) || !Number.isFinite(value)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 5, 8, 10].find((factor) => factor * power >= value) ?? 10) * power;
}

/** A number in few characters: 1.25 M, 12.5 k, 0.031. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e6) return `${Number((value / 1e6).toPrecision(3))} M`;
  if (size >= 1e4) return `${Number((value / 1e3).toPrecision(3))} k`;
  if (size > 0 && size < 1e-3) return value.toExponential(1);
  return String(Number(value.toPrecision(3)));
}
