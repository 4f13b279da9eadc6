/** Plots that follow the page's colours: bars for counts, lines for curves over steps. */

import { niceCeiling, shortNumber } from "../src/display/plot.js";
import { h, s } from "./dom.js";

const WIDTH = 360;
const HEIGHT = 160;
const MARGIN = { left: 44, right: 10, top: 10, bottom: 24 };
const INNER_WIDTH = WIDTH - MARGIN.left - MARGIN.right;
const INNER_HEIGHT = HEIGHT - MARGIN.top - MARGIN.bottom;

function frame(title: string, summary: string, ...content: Element[]): HTMLElement {
  return h(
    "figure",
    { class: "plot" },
    h("figcaption", {}, title),
    s(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${title}. ${summary}` },
      ...content,
    ),
  );
}

function grid(most: number): SVGGElement {
  const lines = [0, 0.5, 1].flatMap((share) => {
    const y = MARGIN.top + INNER_HEIGHT * (1 - share);
    return [
      s("line", { class: "grid", x1: MARGIN.left, x2: WIDTH - MARGIN.right, y1: y, y2: y }),
      s("text", { class: "tick end", x: MARGIN.left - 6, y: y + 4 }, shortNumber(most * share)),
    ];
  });
  return s("g", {}, ...lines);
}

const MOST_BARS = 40;

/** How often each number occurs; what is beyond the last bar is counted in it. */
export function histogram(
  title: string,
  counts: ReadonlyMap<number, number>,
  unit: string,
): HTMLElement {
  const largest = Math.min(MOST_BARS, Math.max(1, ...counts.keys()));
  const bars = new Array<number>(largest + 1).fill(0);
  for (const [value, count] of counts) {
    const bar = Math.min(value, largest);
    bars[bar] = (bars[bar] as number) + count;
  }
  const most = niceCeiling(Math.max(1, ...bars));
  const step = INNER_WIDTH / bars.length;
  const name = (value: number) =>
    value === largest && [...counts.keys()].some((key) => key > largest)
      ? `${value}+`
      : String(value);
  const drawn = bars.flatMap((count, value) => {
    const height = (count / most) * INNER_HEIGHT;
    const x = MARGIN.left + value * step;
    const isNamed = value % (bars.length > 20 ? 5 : 1 + Math.floor(bars.length / 12)) === 0;
    return [
      s(
        "rect",
        {
          class: "bar",
          x: x + step * 0.12,
          y: MARGIN.top + INNER_HEIGHT - height,
          width: step * 0.76,
          height,
          rx: Math.min(2, step / 4),
        },
        s("title", {}, `${name(value)}: ${count} ${unit}`),
      ),
      ...(isNamed
        ? [s("text", { class: "tick mid", x: x + step / 2, y: HEIGHT - 8 }, name(value))]
        : []),
    ];
  });
  const commonest = bars.indexOf(Math.max(...bars));
  return frame(title, `Most often ${commonest}: ${bars[commonest]} ${unit}.`, grid(most), ...drawn);
}

/** Shares of named things, longest first, as rows that need no axis. */
export function shareRows(
  title: string,
  counts: ReadonlyMap<string, number>,
  colourOf: (name: string) => string,
): HTMLElement {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const rows = [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 12)
    .map(([name, count]) => {
      const bar = h("i", {});
      bar.style.width = `${(100 * count) / Math.max(1, total)}%`;
      bar.style.background = colourOf(name);
      return h(
        "li",
        {},
        h("span", {}, name || "(none)"),
        h("span", { class: "track", "aria-hidden": "true" }, bar),
        h("span", { class: "count" }, count.toLocaleString("en")),
      );
    });
  return h(
    "figure",
    { class: "plot" },
    h("figcaption", {}, title),
    h("ul", { class: "shares" }, ...rows),
  );
}

export interface Series {
  readonly name: string;
  readonly colour: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

export interface LineChart {
  readonly element: HTMLElement;
  /** Shows the values at a step; at none without one. */
  point(x: number | undefined): void;
}

const FEW_POINTS = 12;

/**
 * Curves over training steps, or over something else that is counted. `onPoint` is called with the step at the pointer.
 */
export function lineChart(
  title: string,
  series: readonly Series[],
  onPoint: (x: number | undefined) => void,
  unit = "step",
): LineChart {
  const all = series.flatMap(({ points }) => points);
  if (all.length === 0) {
    const nothing = s("text", { class: "tick", x: MARGIN.left, y: HEIGHT / 2 }, "not measured");
    return { element: frame(title, "Not measured.", nothing), point: () => {} };
  }
  const last = all.reduce((most, { x }) => Math.max(most, x), 1);
  const most = niceCeiling(all.reduce((highest, { y }) => Math.max(highest, y), 0));
  const toX = (x: number) => MARGIN.left + (x / last) * INNER_WIDTH;
  const toY = (y: number) => MARGIN.top + INNER_HEIGHT * (1 - y / most);
  const lines = series.flatMap(({ colour, points }) => {
    const path = points.map(({ x, y }) => `${toX(x).toFixed(1)},${toY(y).toFixed(1)}`).join(" ");
    // Few points are shown as such: a single one makes no line.
    const dots = points.length > FEW_POINTS ? [] : points;
    return [
      s("polyline", { class: "curve", points: path, stroke: colour }),
      ...dots.map(({ x, y }) => s("circle", { cx: toX(x), cy: toY(y), r: 2.5, fill: colour })),
    ];
  });
  const cursor = s("g", { class: "cursor", "aria-hidden": "true" });
  const steps = [
    s("text", { class: "tick", x: MARGIN.left, y: HEIGHT - 8 }, "0"),
    s(
      "text",
      { class: "tick end", x: WIDTH - MARGIN.right, y: HEIGHT - 8 },
      `${unit} ${last.toLocaleString("en")}`,
    ),
  ];
  const element = frame(title, summary(series, unit), grid(most), ...steps, ...lines, cursor);
  const svg = element.querySelector("svg") as SVGSVGElement;
  svg.addEventListener("pointermove", (event) => {
    const { left, width } = svg.getBoundingClientRect();
    const place = ((event.clientX - left) / width) * WIDTH - MARGIN.left;
    onPoint(Math.min(last, Math.max(0, (place / INNER_WIDTH) * last)));
  });
  svg.addEventListener("pointerleave", () => onPoint(undefined));
  const caption = element.querySelector("figcaption") as HTMLElement;
  return {
    element,
    point: (x) => {
      const found = x === undefined ? [] : series.flatMap((one) => nearest(one, x) ?? []);
      cursor.replaceChildren(
        ...found.map(({ at, colour }) =>
          s("circle", { cx: toX(at.x), cy: toY(at.y), r: 3.5, fill: colour }),
        ),
      );
      caption.replaceChildren(
        title,
        ...found.map(({ at, colour }) => {
          const value = h("b", { "aria-hidden": "true" }, shortNumber(at.y));
          value.style.color = colour;
          return value;
        }),
      );
    },
  };
}

function summary(series: readonly Series[], unit: string): string {
  return series
    .flatMap(({ name, points }) => {
      const [first, last] = [points[0], points.at(-1)];
      if (!first || !last) return [];
      return `${name}: ${shortNumber(first.y)} at ${unit} ${first.x}, ${shortNumber(last.y)} at ${unit} ${last.x}.`;
    })
    .join(" ");
}

function nearest({ points, colour }: Series, x: number) {
  let [best, least] = [points[0], Number.POSITIVE_INFINITY];
  for (const point of points) {
    const distance = Math.abs(point.x - x);
    if (distance < least) [best, least] = [point, distance];
  }
  return best && { at: best, colour };
}
