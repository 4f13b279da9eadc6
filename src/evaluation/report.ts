/** Evaluations as tables for people and as JSON for programs, always with the protocol's name. */

import { alignColumns, percent } from "../display/columns.js";
import type { Evaluation } from "./evaluate.js";
import type { Totals } from "./score.js";
import type { Comparison, Significance } from "./significance.js";

export interface ReportOptions {
  readonly labels?: boolean | undefined;
  readonly byLength?: boolean | undefined;
}

export function reportText(evaluation: Evaluation, options: ReportOptions = {}): string {
  const { protocol, totals, skipped } = evaluation;
  const blocks = [
    alignColumns([
      ["protocol", protocol],
      ["sentence F1", percent(totals.sentenceF1)],
      ["corpus F1", percent(totals.corpusF1)],
      ["precision", `${percent(totals.precision)}  (${totals.matched} of ${totals.predicted})`],
      ["recall", `${percent(totals.recall)}  (${totals.matched} of ${totals.gold})`],
      ["sentences", `${totals.sentences} scored, ${skipped} skipped (fewer than two words)`],
    ]),
  ];
  const caution = cautionText(evaluation);
  if (caution) blocks.push(caution);
  if (options.labels) blocks.push(labelTable(evaluation));
  if (options.byLength) blocks.push(lengthTable(evaluation));
  return blocks.join("\n\n");
}

/** From this share on, what a protocol does with unary roots decides what its number means. */
const MANY_UNARY_ROOTS = 0.1;

/** What a reader must know of the number beside it; undefined where it means what it should. */
export function cautionText({ protocol, totals, unaryRoots }: Evaluation): string | undefined {
  const share = unaryRoots / Math.max(1, totals.sentences);
  if (protocol !== "kim" || share < MANY_UNARY_ROOTS) return undefined;
  return `caution: ${percent(share)} % of the gold trees have a unary root, which kim counts as a phrase to be found; use --protocol kim-nofull or nob for this treebank`;
}

function labelTable({ labels, protocol }: Evaluation): string {
  return alignColumns([
    ["label", "recall", "found", "gold", `(${protocol})`],
    ...labels.map(({ label, recall, found, gold }) => [
      label,
      percent(recall),
      `${found}`,
      `${gold}`,
    ]),
  ]);
}

function lengthTable({ lengths, protocol }: Evaluation): string {
  return alignColumns([
    ["words", "sentence F1", "corpus F1", "sentences", `(${protocol})`],
    ...lengths.map(({ from, to, totals }) => [
      `${from}-${to}`,
      percent(totals.sentenceF1),
      percent(totals.corpusF1),
      `${totals.sentences}`,
    ]),
  ]);
}

export function significanceText(significance: Significance): string {
  const row = (name: string, { difference, p, interval }: Comparison) => [
    name,
    signed(difference),
    `${signed(interval[0])} to ${signed(interval[1])}`,
    p < 0.001 ? p.toExponential(1) : p.toFixed(3),
  ];
  const { trials, seed } = significance;
  return [
    alignColumns([
      ["first - second", "difference", "95 % interval", "p"],
      row("sentence F1", significance.sentenceF1),
      row("corpus F1", significance.corpusF1),
    ]),
    `paired: p by approximate randomisation, interval by bootstrap, ${trials} trials each, seed ${seed}`,
  ].join("\n");
}

/** The evaluation as a plain object; F1, precision and recall in percent. */
export function reportJson(evaluation: Evaluation, options: ReportOptions = {}) {
  const { protocol, totals, skipped } = evaluation;
  return {
    protocol,
    ...measures(totals),
    skipped,
    ...(cautionText(evaluation) ? { caution: cautionText(evaluation) } : {}),
    ...(options.labels
      ? { labels: evaluation.labels.map((row) => ({ ...row, recall: row.recall * 100 })) }
      : {}),
    ...(options.byLength
      ? {
          byLength: evaluation.lengths.map(({ from, to, totals: bucket }) => ({
            from,
            to,
            ...measures(bucket),
          })),
        }
      : {}),
  };
}

function measures(totals: Totals) {
  const { sentences, gold, predicted, matched } = totals;
  return {
    sentenceF1: totals.sentenceF1 * 100,
    corpusF1: totals.corpusF1 * 100,
    precision: totals.precision * 100,
    recall: totals.recall * 100,
    sentences,
    gold,
    predicted,
    matched,
  };
}

export function significanceJson({ sentenceF1, corpusF1, trials, seed }: Significance) {
  const inPercent = ({ difference, p, interval }: Comparison) => ({
    difference: difference * 100,
    p,
    interval: interval.map((bound) => bound * 100),
  });
  return { sentenceF1: inPercent(sentenceF1), corpusF1: inPercent(corpusF1), trials, seed };
}

function signed(difference: number): string {
  return `${difference < 0 ? "-" : "+"}${percent(Math.abs(difference))}`;
}
