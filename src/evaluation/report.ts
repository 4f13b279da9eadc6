/** Shows evaluations as tables and as JSON, always with the name of the protocol. */

import { alignColumns, percent } from "../display/columns.js";
import type { Evaluation } from "./evaluate.js";
import { describePunctuation } from "./punctuation.js";
import { inducedJson, inducedText } from "./report-induced.js";
import {
  evalbJson,
  evalbText,
  labelAccuracyJson,
  labelAccuracyText,
  labelledJson,
  labelledTables,
  labelledText,
} from "./report-labelled.js";
import { measures, totalsRows } from "./report-totals.js";
import type { Comparison, Significance } from "./significance.js";
import type { LengthBucket } from "./tally.js";

export interface ReportOptions {
  readonly labels?: boolean | undefined;
  readonly byLength?: boolean | undefined;
  /** What the spans that both have are called by gold and by the prediction. */
  readonly confusion?: boolean | undefined;
  /** How well predicted labels that are induced categories agree with gold's on those spans. */
  readonly induced?: boolean | undefined;
}

export function reportText(evaluation: Evaluation, options: ReportOptions = {}): string {
  const { protocol, labelled, evalb } = evaluation;
  const blocks = [
    alignColumns([
      ["protocol", protocol],
      ["punctuation", describePunctuation(evaluation.punctuation)],
      ...totalsRows(evaluation.totals),
      ["sentences", sentencesText(evaluation)],
    ]),
  ];
  const caution = cautionText(evaluation);
  if (caution) blocks.push(caution);
  if (evalb) blocks.push(evalbText(evalb));
  else if (labelled) blocks.push(labelledText(labelled, protocol));
  if (options.labels && !evalb) blocks.push(labelTable(evaluation));
  if (options.labels && labelled) blocks.push(...labelledTables(labelled, protocol));
  if (options.induced && labelled) {
    blocks.push(inducedText(labelled.confusion, `${protocol}, spans found`));
  }
  if (options.confusion && labelled) {
    blocks.push(labelAccuracyText(labelled.confusion, `${protocol}, spans found`));
  }
  if (options.byLength) blocks.push(lengthTable(evaluation));
  return blocks.join("\n\n");
}

function sentencesText({ totals, skipped, mismatched, missing, evalb }: Evaluation): string {
  return [
    `${totals.sentences} scored`,
    `${skipped} skipped (${evalb ? "no words" : "fewer than two words"})`,
    ...(mismatched > 0 ? [`${mismatched} left out (other words)`] : []),
    ...(missing > 0 ? [`${missing} left out (no tree)`] : []),
  ].join(", ");
}

/** From this share on, what a protocol does with unary roots decides what its number means. */
const MANY_UNARY_ROOTS = 0.1;

/** What a reader must know of the number beside it; undefined if it means what it should. */
export function cautionText(evaluation: Evaluation): string | undefined {
  const cautions = [evaluation.punctuation.caution, unaryRootCaution(evaluation)];
  const found = cautions.filter((caution) => caution !== undefined);
  return found.length > 0 ? found.map((caution) => `caution: ${caution}`).join("\n") : undefined;
}

function unaryRootCaution({ protocol, totals, unaryRoots }: Evaluation): string | undefined {
  const share = unaryRoots / Math.max(1, totals.sentences);
  if (protocol !== "kim" || share < MANY_UNARY_ROOTS) return undefined;
  return `${percent(share)} % of the gold trees have a unary root, which kim counts as a phrase to be found; use --protocol kim-nofull or nob for this treebank`;
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

function lengthTable({ lengths, protocol, labelled, evalb }: Evaluation): string {
  const withLabels = evalb ? [] : (labelled?.tally.lengths() ?? []);
  const head = withLabels.length > 0 ? ["labelled sentence F1", "labelled corpus F1"] : [];
  return alignColumns([
    ["words", "sentence F1", "corpus F1", ...head, "sentences", `(${protocol})`],
    ...lengths.map(({ from, to, totals }, index) => [
      `${from}-${to}`,
      ...[totals, ...withLabels.slice(index, index + 1).map((bucket) => bucket.totals)].flatMap(
        ({ sentenceF1, corpusF1 }) => [percent(sentenceF1), percent(corpusF1)],
      ),
      `${totals.sentences}`,
    ]),
  ]);
}

export function significanceText(significance: Significance, what = ""): string {
  const row = (name: string, { difference, p, interval }: Comparison) => [
    name,
    signed(difference),
    `${signed(interval[0])} to ${signed(interval[1])}`,
    p < 0.001 ? p.toExponential(1) : p.toFixed(3),
  ];
  const { trials, seed } = significance;
  return [
    alignColumns([
      [`first - second${what}`, "difference", "95 % interval", "p"],
      row("sentence F1", significance.sentenceF1),
      row("corpus F1", significance.corpusF1),
    ]),
    `paired: p by approximate randomisation, interval by bootstrap, ${trials} trials each, seed ${seed}`,
  ].join("\n");
}

/**
 * The evaluation as a plain object; F1, precision and recall in percent. The first ones are of spans
 * alone, but under `evalb`, which always compares labels.
 */
export function reportJson(evaluation: Evaluation, options: ReportOptions = {}) {
  const { protocol, totals, skipped, mismatched, missing, labelled, evalb } = evaluation;
  const caution = cautionText(evaluation);
  return {
    protocol,
    punctuation: evaluation.punctuation.name,
    punctuationTags: evaluation.punctuation.tags,
    ...measures(totals),
    skipped,
    ...(mismatched > 0 ? { mismatched } : {}),
    ...(missing > 0 ? { missing } : {}),
    ...(caution ? { caution } : {}),
    ...(options.labels && !evalb
      ? { labels: evaluation.labels.map((row) => ({ ...row, recall: row.recall * 100 })) }
      : {}),
    ...(options.byLength ? { byLength: lengthsJson(evaluation.lengths) } : {}),
    ...(labelled
      ? {
          labelled: {
            ...labelledJson(labelled, { labels: options.labels ?? false }),
            ...(options.byLength ? { byLength: lengthsJson(labelled.tally.lengths()) } : {}),
            ...(options.induced ? { induced: inducedJson(labelled.confusion) } : {}),
            ...(options.confusion ? { foundSpans: labelAccuracyJson(labelled.confusion) } : {}),
          },
        }
      : {}),
    ...(evalb ? { evalb: evalbJson(evalb) } : {}),
  };
}

function lengthsJson(lengths: readonly LengthBucket[]) {
  return lengths.map(({ from, to, totals }) => ({ from, to, ...measures(totals) }));
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
