/** The report of an adaptation as a page that needs nothing else: numbers, curves, and trees before and after. */

import { drawCurves } from "../training/curves.js";
import type { StepRecord } from "../training/log-record.js";
import { drawSvg, escapeXml } from "../trees/draw-svg.js";
import type { Span, Tree } from "../trees/tree.js";
import type { ChangedTree } from "./compare.js";
import { type AdaptReport, introduction, rows, verdict } from "./report.js";

const STYLE = `
body{font:15px/1.5 system-ui,Helvetica,Arial,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;
color:#1b1f24;background:#fff}
table{border-collapse:collapse}td,th{padding:.2rem .8rem;border-bottom:1px solid #d0d7de;text-align:left}
td:nth-child(2),td:nth-child(3){text-align:right;font-variant-numeric:tabular-nums}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:1rem}.pair>figure{margin:0;overflow-x:auto}
figcaption{color:#59636e}mark.gained{background:#c9e8cf}mark.lost{background:#f5c9cf}
@media(max-width:50rem){.pair{grid-template-columns:1fr}}
@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}td,th{border-color:#3d444d}
figcaption{color:#9198a1}mark{color:inherit}mark.gained{background:#1f4d2b}mark.lost{background:#5c2129}}`;

/**
 * The report as a page.
 *
 * @param out the name of the new model.
 * @param log the training log of the new model.
 */
export function adaptHtml(report: AdaptReport, out: string, log: readonly StepRecord[]): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    `<title>${escapeXml(out)}: before and after</title><style>${STYLE}</style></head><body>`,
    `<h1>${escapeXml(out)}: before and after</h1>`,
    ...introduction(report).map((line) => `<p>${escapeXml(sentence(line))}</p>`),
    `<p><strong>${escapeXml(sentence(verdict(report, out)))}</strong></p>`,
    table(rows(report)),
    "<h2>Trees that changed</h2>",
    ...report.examples.map(pair),
    ...(report.examples.length === 0 ? ["<p>None of the held-back sentences.</p>"] : []),
    ...(log.length > 1 ? ["<h2>Training</h2>", drawCurves([{ name: out, records: log }])] : []),
    "</body></html>",
    "",
  ].join("\n");
}

function sentence(line: string): string {
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}.`;
}

function table([head = [], ...body]: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[], tag: string) =>
    `<tr>${row.map((cell) => `<${tag}>${escapeXml(cell)}</${tag}>`).join("")}</tr>`;
  return `<table>${cells(head, "th")}${body.map((row) => cells(row, "td")).join("")}</table>`;
}

function pair({ words, before, after, gained, lost }: ChangedTree): string {
  const figure = (tree: Tree, caption: string) =>
    `<figure><figcaption>${caption}</figcaption>${drawSvg(tree)}</figure>`;
  return [
    `<h3>${marked(words, gained, lost)}</h3>`,
    `<div class="pair">${figure(before, "before")}${figure(after, "after")}</div>`,
  ].join("\n");
}

/** The words, with held-back brackets that were gained or lost. Brackets may cross: each is closed by itself. */
function marked(words: readonly string[], gained: readonly Span[], lost: readonly Span[]): string {
  const kindOf = (at: number) => {
    const isIn = ({ begin, end }: Span) => begin <= at && at < end;
    if (gained.some(isIn)) return "gained";
    return lost.some(isIn) ? "lost" : undefined;
  };
  return words
    .map((word, at) => {
      const kind = kindOf(at);
      return kind ? `<mark class="${kind}">${escapeXml(word)}</mark>` : escapeXml(word);
    })
    .join(" ");
}
