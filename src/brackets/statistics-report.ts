/** Shows statistics of brackets: as a table, as JSON, and as a picture of two histograms. */

import { alignColumns } from "../display/columns.js";
import { drawPicture } from "../display/plot.js";
import type { BracketStatistics, LabelRow } from "./statistics.js";

/** Statistics as a table. */
export function statisticsText(statistics: BracketStatistics): string {
  const { sentences, brackets, gold } = statistics;
  const rows = [
    ["sentences", `${sentences}`],
    ["tokens per sentence", ratio(statistics.tokens, sentences)],
    ["brackets per sentence", ratio(brackets, sentences)],
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

/** Statistics as a plain object. Shares are in percent, or null if there is nothing to count. */
export interface StatisticsRecord {
  /** The number of sentences. */
  readonly sentences: number;
  /** The number of tokens. */
  readonly tokens: number;
  /** The number of brackets. */
  readonly brackets: number;
  /** Brackets per sentence. */
  readonly bracketsPerSentence: number;
  /** Brackets of two or more tokens that are not the whole sentence, per sentence. */
  readonly multiTokenPerSentence: number;
  /** The share of brackets of a single word. */
  readonly singleWord: number | null;
  /** The share of brackets over the whole sentence. */
  readonly wholeSentence: number | null;
  /** The share of pairs of brackets that cross. */
  readonly crossingPairs: number | null;
  /** The number of entries of each kind. */
  readonly kinds: Readonly<Record<string, number>>;
  /** The number of brackets of each length. */
  readonly lengths: Readonly<Record<string, number>>;
  /** The number of sentences with each number of brackets. */
  readonly counts: Readonly<Record<string, number>>;
  /** How the brackets compare with gold trees, if there are any. */
  readonly gold?: GoldRecord;
}

/** How brackets compare with gold trees, as a plain object. */
export interface GoldRecord {
  /** Sentences for which a gold tree is known. */
  readonly sentences: number;
  /** The brackets of these sentences. */
  readonly brackets: number;
  /** The share of brackets of a single word. */
  readonly singleWord: number | null;
  /** The share of brackets that are constituents. */
  readonly constituent: number | null;
  /** The share of brackets that cross a constituent. */
  readonly conflicting: number | null;
  /** The gold phrases of each label, and the share that is among the brackets. */
  readonly labels: readonly (LabelRow & {
    /** The share of the gold phrases that are among the brackets. */
    readonly share: number | null;
  })[];
}

/** Statistics as a plain object for JSON. */
export function statisticsJson(statistics: BracketStatistics): StatisticsRecord {
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

/** Histograms of bracket lengths and of brackets per sentence, one above the other, as an SVG picture. */
export function statisticsSvg({ lengths, counts }: BracketStatistics): string {
  return drawPicture({
    title: "Brackets: lengths and numbers",
    panels: [
      { title: "Tokens in a bracket", unit: "brackets", counts: lengths },
      { title: "Brackets in a sentence", unit: "sentences", counts },
    ],
    columns: 1,
  });
}
