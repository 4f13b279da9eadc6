/** What an adaptation did and whether it helped, for the terminal; report-html.ts shows the same with pictures. */

import { alignColumns, percent } from "../display/columns.js";
import type { StartModel } from "../training/start.js";
import type { Span } from "../trees/tree.js";
import type {
  BracketComparison,
  ChangedTree,
  FoundBrackets,
  GoldComparison,
  TreeComparison,
} from "./compare.js";

/** How many sentences an adaptation learnt from and measured on. */
export interface AdaptCounts {
  /** The number of files. */
  readonly documents: number;
  /** Sentences with brackets. */
  readonly bracketed: number;
  /** Their brackets. */
  readonly brackets: number;
  /** Sentences without brackets. */
  readonly bare: number;
  /** Gold trees. */
  readonly trees: number;
  /** Sentences of older text. */
  readonly keep: number;
}

/** What an adaptation did, and whether it helped. */
export interface AdaptReport {
  /** The model that it started from. */
  readonly from: StartModel;
  /** What it learnt from. */
  readonly counts: AdaptCounts;
  /** The number of training steps. */
  readonly steps: number;
  /** How long the last call took. */
  readonly seconds: number;
  /** Brackets of documents that were held back. */
  readonly heldBack: BracketComparison;
  /** Gold trees that were held back. */
  readonly gold?: GoldComparison | undefined;
  /** The trees of the held-back sentences. */
  readonly trees: TreeComparison;
  /** Sentences of older text that were held back. */
  readonly keep?:
    | {
        /** Their brackets, if they have any. */
        readonly brackets: BracketComparison;
        /** Their trees. */
        readonly trees: TreeComparison;
      }
    | undefined;
  /** Which model the folder has. */
  readonly kept: "new" | "old";
  /** Trees that changed: where brackets were gained or lost, short ones first. */
  readonly examples: readonly ChangedTree[];
}

/** Gold trees say more than brackets. Without a difference the new model is not worse. */
export function isWorse({ heldBack, gold }: Pick<AdaptReport, "heldBack" | "gold">): boolean {
  if (gold && gold.trees >= FEWEST_TREES) return gold.after < gold.before;
  return heldBack.after < heldBack.before;
}

/** With fewer, their F1 is chance. */
const FEWEST_TREES = 10;

const MOST_EXAMPLES = 4;

/**
 * The report as lines of text.
 *
 * @param out the name of the new model.
 */
export function adaptText(report: AdaptReport, out: string): string {
  return [
    ...introduction(report),
    "",
    alignColumns(rows(report)),
    "",
    ...examplesText(report.examples),
    verdict(report, out),
  ].join("\n");
}

/** What it learnt from. */
export function introduction({ counts, steps, seconds, from }: AdaptReport): string[] {
  const number = (value: number) => value.toLocaleString("en-US");
  const parts = [
    `${number(counts.brackets)} brackets in ${number(counts.bracketed)} sentences`,
    `${number(counts.bare)} sentences without brackets`,
    ...(counts.trees > 0 ? [`${number(counts.trees)} gold trees`] : []),
    ...(counts.keep > 0 ? [`${number(counts.keep)} sentences of older text`] : []),
  ];
  const minutes = `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, "0")}`;
  return [
    `learnt from ${number(counts.documents)} documents: ${parts.join(", ")}`,
    `started from ${from.name}, ${number(steps)} steps, ${minutes} minutes`,
  ];
}

/** The numbers before and after, as rows of a table. */
export function rows({ heldBack, gold, trees, keep }: AdaptReport): string[][] {
  return [
    ["", "before", "after", ""],
    ...bracketRows("held-back brackets found", heldBack),
    ...(gold
      ? [
          [
            `F1 of ${gold.trees} held-back gold trees`,
            percent(gold.before),
            percent(gold.after),
            "",
          ],
        ]
      : []),
    ["phrases in a tree", fixed(trees.phrases.before), fixed(trees.phrases.after), ""],
    changeRow("trees changed", trees),
    ...(keep
      ? [
          ...(keep.brackets.brackets > 0
            ? bracketRows("brackets of older text found", keep.brackets)
            : []),
          changeRow("trees of older text changed", keep.trees),
        ]
      : []),
  ];
}

function bracketRows(title: string, found: BracketComparison): string[][] {
  const { gained, lost, p, kinds } = found;
  const note = `${gained} gained, ${lost} lost (p = ${p < 0.001 ? "< 0.001" : p.toFixed(3)})`;
  const of = Object.entries(kinds).sort(([, a], [, b]) => b.brackets - a.brackets);
  return [
    row(title, found, note.replace("= <", "<")),
    ...(of.length > 1 ? of.map(([kind, counts]) => row(`  ${kind}`, counts, "")) : []),
  ];
}

function row(title: string, { brackets, before, after }: FoundBrackets, note: string): string[] {
  const share = (found: number) => (brackets === 0 ? "–" : percent(found / brackets));
  return [`${title}, % of ${brackets}`, share(before), share(after), note];
}

function changeRow(title: string, { sentences, changed, agreement }: TreeComparison): string[] {
  const note = `F1 of the new trees against the old: ${percent(agreement)}`;
  return [`${title}, of ${sentences}`, "", String(changed), note];
}

function fixed(value: number): string {
  return value.toFixed(1);
}

function examplesText(examples: readonly ChangedTree[]): string[] {
  const shown = (title: string, pick: (changed: ChangedTree) => readonly Span[]) => {
    const found = examples.filter((each) => pick(each).length > 0).slice(0, MOST_EXAMPLES);
    if (found.length === 0) return [];
    const lines = found.map((each) => `  ${bracketed(each.words, pick(each)[0] as Span)}`);
    return [`${title}, for example:`, ...lines, ""];
  };
  return [...shown("gained", ({ gained }) => gained), ...shown("lost", ({ lost }) => lost)];
}

function bracketed(words: readonly string[], { begin, end }: Span): string {
  return [...words.slice(0, begin), "[", ...words.slice(begin, end), "]", ...words.slice(end)].join(
    " ",
  );
}

/** Which model is kept, and why. */
export function verdict(report: AdaptReport, out: string): string {
  const { kept, heldBack, gold } = report;
  if (kept === "old") {
    const what = gold && gold.trees >= FEWEST_TREES ? "gold trees" : "brackets";
    return `the new model does worse on held-back ${what}: ${out} has the old one`;
  }
  return `the new model is kept: ${out}${doubt(heldBack, gold)}`;
}

function doubt({ brackets, gained, lost, p }: BracketComparison, gold?: GoldComparison): string {
  if (gold && gold.trees >= FEWEST_TREES) return "";
  if (gained + lost === 0) return `; both find the same of the ${brackets} held-back brackets`;
  return p < 0.05 ? "" : `; on ${brackets} held-back brackets the difference may be chance`;
}
