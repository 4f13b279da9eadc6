/** Statistics of brackets as a table, as JSON, and as a picture of two histograms. */

import { alignColumns } from "../display/columns.js";
import { escapeXml } from "../trees/draw-svg.js";
import type { BracketStatistics } from "./statistics.js";

/** Statistics as a table. */
export function statisticsText(statistics: BracketStatistics): string {
  const { sentences, brackets, gold } = statistics;
  const rows = [
    ["sentences", `${sentences}`],
    ["tokens a sentence", ratio(statistics.tokens, sentences)],
    ["brackets a sentence", ratio(brackets, sentences)],
    ["  of two or more tokens, not all", ratio(statistics.multiToken, sentences)],
    ["single word", share(statistics.single, brackets)],
    ["whole sentence", share(statistics.whole, brackets)],
    ["crossing pairs", share(statistics.crossingPairs, statistics.pairs)],
    ...[...statistics.kinds].map(([kind, count]) => [`kind ${kind}`, `${count}`]),
  ];
  if (gold.sentences === 0) return alignColumns(rows);
  return [
    alignColumns(rows),
    alignColumns([
      ["with gold trees", `${gold.sentences} sentences, ${gold.brackets} brackets`],
      ["single word", share(gold.single, gold.brackets)],
      ["constituent in reference", share(gold.constituents, gold.brackets)],
      ["conflicting with reference", share(gold.conflicting, gold.brackets)],
    ]),
    alignColumns([
      ["phrases found", "", "found", "gold"],
      ...statistics.labelRows.map(({ label, found, gold: total }) => [
        label,
        share(found, total),
        `${found}`,
        `${total}`,
      ]),
    ]),
  ].join("\n\n");
}

/** Statistics as a plain object. */
export function statisticsJson(statistics: BracketStatistics) {
  const { sentences, tokens, brackets, gold } = statistics;
  const percent = (part: number, whole: number) => (whole === 0 ? null : (100 * part) / whole);
  return {
    sentences,
    tokens,
    brackets,
    bracketsPerSentence: brackets / sentences,
    multiTokenPerSentence: statistics.multiToken / sentences,
    singleWord: percent(statistics.single, brackets),
    wholeSentence: percent(statistics.whole, brackets),
    crossingPairs: percent(statistics.crossingPairs, statistics.pairs),
    kinds: Object.fromEntries(statistics.kinds),
    lengths: Object.fromEntries([...statistics.lengths].sort(([a], [b]) => a - b)),
    counts: Object.fromEntries([...statistics.counts].sort(([a], [b]) => a - b)),
    ...(gold.sentences === 0
      ? {}
      : {
          gold: {
            sentences: gold.sentences,
            brackets: gold.brackets,
            singleWord: percent(gold.single, gold.brackets),
            constituent: percent(gold.constituents, gold.brackets),
            conflicting: percent(gold.conflicting, gold.brackets),
            labels: statistics.labelRows.map((row) => ({
              ...row,
              share: percent(row.found, row.gold),
            })),
          },
        }),
  };
}

function ratio(part: number, whole: number): string {
  return whole === 0 ? "-" : (part / whole).toFixed(2);
}

function share(part: number, whole: number): string {
  return whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)} %`;
}

const MOST_BARS = 30;
const [BAR_WIDTH, CHART_HEIGHT, MARGIN] = [14, 160, 40];

/** Histograms of bracket lengths and of brackets a sentence, one above the other. */
export function statisticsSvg(statistics: BracketStatistics): string {
  const charts = [
    histogram(statistics.lengths, "Tokens in a bracket", "brackets"),
    histogram(statistics.counts, "Brackets in a sentence", "sentences"),
  ];
  const width = (MOST_BARS + 1) * BAR_WIDTH + 2 * MARGIN;
  const height = CHART_HEIGHT + 2 * MARGIN;
  const size = `width="${width}" height="${height * 2}" viewBox="0 0 ${width} ${height * 2}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">`,
    "<title>Brackets: lengths and numbers</title>",
    `<style>${STYLE}</style>`,
    ...charts.map((chart, index) => `<g transform="translate(0 ${index * height})">${chart}</g>`),
    "</svg>",
  ].join("\n");
}

const STYLE = [
  "text{font:12px system-ui,Helvetica,Arial,sans-serif;fill:#1b1f24;text-anchor:middle}",
  "text.title{font-weight:600;text-anchor:start}text.most{text-anchor:end;fill:#59636e}",
  "rect{fill:#4c8055}line{stroke:#8c959f}",
  "@media(prefers-color-scheme:dark){text{fill:#e6edf3}text.most{fill:#9198a1}rect{fill:#7cb587}}",
].join("");

function histogram(counts: ReadonlyMap<number, number>, title: string, unit: string): string {
  const bars = new Array<number>(MOST_BARS + 1).fill(0);
  for (const [value, count] of counts) {
    const bar = Math.min(value, MOST_BARS);
    bars[bar] = (bars[bar] ?? 0) + count;
  }
  const most = Math.max(1, ...bars);
  const bottom = MARGIN + CHART_HEIGHT;
  const right = MARGIN + (MOST_BARS + 1) * BAR_WIDTH;
  const drawn = bars.map((count, value) => {
    const height = (count / most) * CHART_HEIGHT;
    const x = MARGIN + value * BAR_WIDTH;
    const rect = `<rect x="${x + 1}" y="${(bottom - height).toFixed(1)}" width="${BAR_WIDTH - 2}" height="${height.toFixed(1)}"><title>${value}: ${count} ${unit}</title></rect>`;
    if (value % 5 !== 0) return rect;
    const label = value === MOST_BARS ? `${value}+` : `${value}`;
    return `${rect}<text x="${x + BAR_WIDTH / 2}" y="${bottom + 16}">${label}</text>`;
  });
  return [
    `<text class="title" x="${MARGIN}" y="22">${escapeXml(title)}</text>`,
    `<text class="most" x="${right}" y="22">${most} ${escapeXml(unit)} at the most</text>`,
    ...drawn,
    `<line x1="${MARGIN}" y1="${bottom}" x2="${right}" y2="${bottom}"/>`,
  ].join("");
}
