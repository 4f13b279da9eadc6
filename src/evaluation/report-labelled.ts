/** Labelled scores, EVALB's summary and confusions, as tables for people and as JSON for programs. */

import { alignColumns, percent } from "../display/columns.js";
import type { Confusion, LabelMeasure } from "./confusion.js";
import { EVALB_CUTOFF, type EvalbSummaries, type EvalbSummary } from "./evalb.js";
import type { LabelledEvaluation } from "./labelled.js";
import { measures, totalsRows } from "./report-totals.js";

/** Which phrases labelled scores count. */
export function phrasesCounted({ oneWord }: LabelledEvaluation): string {
  return oneWord ? "phrases of one word and more" : "phrases of two words and more";
}

export function labelledText(labelled: LabelledEvaluation, protocol: string): string {
  return alignColumns([
    ["labelled", `${protocol}, ${phrasesCounted(labelled)}`],
    ...totalsRows(labelled.tally.totals),
  ]);
}

/** Recall, precision and F1 by label: the labelled sister of the paper's Table 3. */
export function labelledTables(labelled: LabelledEvaluation, protocol: string): string[] {
  const { labels, oneWordLabels, oneWord } = labelled;
  return [
    measuresTable(labels, `(${protocol}, labelled, two words and more)`),
    ...(oneWord ? [measuresTable(oneWordLabels, `(${protocol}, labelled, one word)`)] : []),
  ];
}

function measuresTable(rows: readonly LabelMeasure[], what: string): string {
  return alignColumns([
    ["label", "recall", "precision", "F1", "matched", "gold", "predicted", what],
    ...rows.map(({ label, recall, precision, f1, matched, gold, predicted }) => [
      label || NO_LABEL,
      recall === undefined ? "-" : percent(recall),
      precision === undefined ? "-" : percent(precision),
      percent(f1),
      ...[matched, gold, predicted].map(String),
    ]),
  ]);
}

const NO_LABEL = "(none)";

export function labelledJson(labelled: LabelledEvaluation, options: { labels?: boolean }) {
  const { oneWord, tally } = labelled;
  return {
    oneWord,
    ...measures(tally.totals),
    ...(options.labels
      ? {
          labels: labelled.labels.map(inPercent),
          ...(oneWord ? { oneWordLabels: labelled.oneWordLabels.map(inPercent) } : {}),
        }
      : {}),
  };
}

/** Recall and precision are left out where there is nothing to divide by. */
function inPercent({ label, recall, precision, f1, gold, predicted, matched }: LabelMeasure) {
  return {
    label,
    ...(recall === undefined ? {} : { recall: recall * 100 }),
    ...(precision === undefined ? {} : { precision: precision * 100 }),
    f1: f1 * 100,
    gold,
    predicted,
    matched,
  };
}

/** EVALB's summary: all sentences, and those up to its cut-off. */
export function evalbText({ all, short }: EvalbSummaries): string {
  const row = (name: string, cell: (summary: EvalbSummary) => string) => [
    name,
    cell(all),
    short.totals.sentences === 0 ? "-" : cell(short),
  ];
  return alignColumns([
    ["evalb", "all", `${EVALB_CUTOFF} tokens or fewer`],
    row("bracketing recall", ({ totals }) => percent(totals.recall)),
    row("bracketing precision", ({ totals }) => percent(totals.precision)),
    row("bracketing F1", ({ totals }) => percent(totals.corpusF1)),
    row("complete match", ({ completeMatch }) => percent(completeMatch)),
    row("average crossing", ({ averageCrossing }) => averageCrossing.toFixed(2)),
    row("no crossing", ({ noCrossing }) => percent(noCrossing)),
    row("two or fewer crossing", ({ twoOrFewerCrossing }) => percent(twoOrFewerCrossing)),
    row("sentences", ({ totals }) => `${totals.sentences}`),
  ]);
}

export function evalbJson({ all, short }: EvalbSummaries) {
  const column = (summary: EvalbSummary) => ({
    ...measures(summary.totals),
    completeMatch: summary.completeMatch * 100,
    averageCrossing: summary.averageCrossing,
    noCrossing: summary.noCrossing * 100,
    twoOrFewerCrossing: summary.twoOrFewerCrossing * 100,
  });
  return {
    all: column(all),
    ...(short.totals.sentences === 0 ? {} : { short: { tokens: EVALB_CUTOFF, ...column(short) } }),
  };
}

/**
 * Label accuracy with its two tables: each label's measures, and what is taken for what.
 * @param where - What the spans are: `gold spans`.
 */
export function labelAccuracyText(confusion: Confusion, where: string): string {
  const { accuracy, total, labels } = confusion;
  return [
    alignColumns([["label accuracy", `${percent(accuracy)}  (${total} spans, ${where})`]]),
    measuresTable(labels, `(${where})`),
    confusionText(confusion),
  ].join("\n\n");
}

/** What is taken for what: gold labels down, predicted ones across, the rarest as one. */
export function confusionText(confusion: Confusion, { most = 12 } = {}): string {
  const frequent = (labels: readonly string[], count: (label: string) => number) =>
    new Set([...labels].sort((a, b) => count(b) - count(a)).slice(0, most));
  const { goldLabels, predictedLabels } = confusion;
  const rows = frequent(goldLabels, (label) => confusion.goldCount(label));
  const columns = frequent(predictedLabels, (label) => confusion.predictedCount(label));
  const listed = predictedLabels.filter((label) => columns.has(label));
  const others = predictedLabels.filter((label) => !columns.has(label));
  return alignColumns([
    ["gold", ...listed.map((label) => label || NO_LABEL), ...(others.length > 0 ? ["others"] : [])],
    ...goldLabels
      .filter((label) => rows.has(label))
      .map((gold) => {
        const count = (predicted: string) => confusion.count(gold, predicted);
        const rest = others.reduce((sum, predicted) => sum + count(predicted), 0);
        return [
          gold || NO_LABEL,
          ...listed.map((predicted) => `${count(predicted)}`),
          ...(others.length > 0 ? [`${rest}`] : []),
        ];
      }),
  ]);
}

/** Label accuracy in percent, each label's measures, and every pair of labels with its count. */
export function labelAccuracyJson(confusion: Confusion) {
  return {
    spans: confusion.total,
    accuracy: confusion.accuracy * 100,
    labels: confusion.labels.map(inPercent),
    confusion: confusion.goldLabels.map((gold) => ({
      gold,
      predicted: Object.fromEntries(
        confusion.predictedLabels.flatMap((label) => {
          const count = confusion.count(gold, label);
          return count === 0 ? [] : [[label, count] as const];
        }),
      ),
    })),
  };
}
