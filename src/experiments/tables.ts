/**
 * The paper's three tables, its numbers beside ours: from results to rows, which are printed as JSON,
 * and from rows to cells. Nothing here reads a file or runs anything.
 */

import { TABLE_LABELS } from "../trees/labels.js";
import type { DataStatistics } from "./data.js";
import type { BaselineResults } from "./gold.js";
import {
  type DataName,
  type PaperScore,
  type PublishedSystem,
  type SettingName,
  TABLE_1,
  TABLE_2_BASELINES,
  TABLE_2_OTHERS,
  TABLE_2_SETTINGS,
  TABLE_3_CAO,
  TABLE_3_SETTINGS,
} from "./paper-numbers.js";
import type { RunScores } from "./runs.js";

/** What a table looks like, whatever it is written as. */
export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly notes: readonly string[];
}

const DATA_NAMES: Readonly<Record<DataName, string>> = { qasrl: "QA-SRL", wikipedia: "Wikipedia" };

/** Where there is no number. */
const NONE = "-";

/** Table 1: a data set's numbers, where they are known. */
export interface DataResult {
  readonly data: DataName;
  readonly statistics?: DataStatistics | undefined;
  readonly trainingSentences?: number | undefined;
}

export interface Table1Row {
  readonly name: string;
  readonly cells: readonly {
    readonly data: DataName;
    readonly paper: number | undefined;
    readonly ours: number | undefined;
  }[];
  readonly unit: "count" | "ratio" | "percent";
}

interface Measure {
  readonly name: string;
  readonly unit: Table1Row["unit"];
  readonly paper: (data: DataName) => number | undefined;
  readonly ours: (result: DataResult) => number | null | undefined;
}

const MEASURES: readonly Measure[] = [
  {
    name: "Number of sentences",
    unit: "count",
    paper: (data) => TABLE_1[data].sentences,
    ours: ({ statistics }) => statistics?.sentences,
  },
  {
    name: "Brackets/sentence",
    unit: "ratio",
    paper: (data) => TABLE_1[data].bracketsPerSentence,
    ours: ({ statistics }) => statistics?.bracketsPerSentence,
  },
  {
    name: "Single word",
    unit: "percent",
    paper: (data) => TABLE_1[data].singleWord,
    ours: ({ statistics }) => statistics?.singleWord,
  },
  {
    name: "Constituent in reference",
    unit: "percent",
    paper: (data) => TABLE_1[data].constituent,
    ours: ({ statistics }) => statistics?.gold?.constituent,
  },
  {
    name: "Conflicting with reference",
    unit: "percent",
    paper: (data) => TABLE_1[data].conflicting,
    ours: ({ statistics }) => statistics?.gold?.conflicting,
  },
  ...[...TABLE_LABELS, "total"].map<Measure>((label) => ({
    name: label === "total" ? "Total" : label,
    unit: "percent",
    paper: (data) => TABLE_1[data].labels[label],
    ours: ({ statistics }) => statistics?.gold?.labels.find((row) => row.label === label)?.share,
  })),
  {
    name: "Sentences with a reference tree",
    unit: "count",
    paper: (data) => TABLE_1[data].sentences,
    ours: ({ statistics }) => statistics && (statistics.gold?.sentences ?? 0),
  },
  {
    name: "Sentences to learn from",
    unit: "count",
    paper: (data) => TABLE_1[data].trainingSentences,
    ours: ({ trainingSentences }) => trainingSentences,
  },
];

export function table1Rows(results: readonly DataResult[]): Table1Row[] {
  return MEASURES.map(({ name, unit, paper, ours }) => ({
    name,
    unit,
    cells: results.map((result) => ({
      data: result.data,
      paper: paper(result.data),
      ours: ours(result) ?? undefined,
    })),
  }));
}

export function table1(rows: readonly Table1Row[], notes: readonly string[] = []): Table {
  const columns = rows[0]?.cells.map(({ data }) => DATA_NAMES[data]) ?? [];
  return {
    title: "Table 1: dataset statistics",
    head: ["", ...columns.flatMap((name) => [`${name}, paper`, "ours"])],
    rows: rows.map(({ name, unit, cells }) => [
      name,
      ...cells.flatMap(({ paper, ours }) => [amount(paper, unit), amount(ours, unit, paper)]),
    ]),
    notes,
  };
}

/** Ours has as many digits as the paper's. */
function amount(value: number | undefined, unit: Table1Row["unit"], paper = value): string {
  if (value === undefined) return NONE;
  if (unit === "count") return count(value);
  if (unit === "ratio") return value.toFixed(2);
  return `${value.toFixed(`${paper}`.split(".")[1]?.length ?? 0)} %`;
}

/** Tables 2 and 3: the finished runs of a setting, and what they are made of. */
export interface SettingResult {
  readonly setting: SettingName;
  readonly data: DataName;
  readonly cost: string;
  readonly encoder: string;
  /** Sentences learnt from, once that is known. */
  readonly sentences: number | undefined;
  readonly runs: readonly { readonly seed: number; readonly scores: RunScores }[];
}

export interface Spread {
  readonly mean: number;
  readonly max: number;
  readonly seeds: number;
}

/** Mean and maximum; undefined if there is nothing yet. */
export function spread(values: readonly number[]): Spread | undefined {
  if (values.length === 0) return undefined;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, max: Math.max(...values), seeds: values.length };
}

export interface Table2Row {
  readonly name: string;
  readonly pretrained: PublishedSystem["pretrained"];
  readonly paper: PaperScore;
  readonly ours?: Spread | undefined;
  /** Of learnt rows only. */
  readonly encoder?: string | undefined;
  readonly data?: DataName | undefined;
  readonly sentences?: number | undefined;
  /** Sentence F1 of each seed. */
  readonly runs?: readonly { readonly seed: number; readonly sentenceF1: number }[] | undefined;
}

const BASELINE_NAMES: Readonly<Record<keyof typeof TABLE_2_BASELINES, string>> = {
  random: "Random trees",
  left: "Left branching",
  right: "Right branching",
  "upper-bound": "Upper bound",
};

export function table2Rows(
  baselines: BaselineResults | undefined,
  results: readonly SettingResult[],
): Table2Row[] {
  const plain = Object.entries(BASELINE_NAMES).map<Table2Row>(([kind, name]) => ({
    name,
    pretrained: "none",
    paper: TABLE_2_BASELINES[kind as keyof typeof TABLE_2_BASELINES],
    ours: spread(baselines?.scores[kind] ?? []),
  }));
  const others = TABLE_2_OTHERS.map<Table2Row>(({ name, pretrained, mean, max }) => ({
    name,
    pretrained,
    paper: { mean, max },
  }));
  const learnt = results.map<Table2Row>(({ setting, data, cost, encoder, sentences, runs }) => ({
    name: `NOB ${DATA_NAMES[data]}, ${cost}`,
    pretrained: "contextual",
    paper: TABLE_2_SETTINGS[setting],
    ours: spread(runs.map(({ scores }) => scores.sentenceF1)),
    encoder,
    data,
    sentences,
    runs: runs.map(({ seed, scores }) => ({ seed, sentenceF1: scores.sentenceF1 })),
  }));
  return [...plain, ...others, ...learnt];
}

const PRETRAINED_MARKS: Readonly<Record<PublishedSystem["pretrained"], string>> = {
  none: "",
  embeddings: "o",
  contextual: "*",
};

export function table2(rows: readonly Table2Row[], notes: readonly string[] = []): Table {
  return {
    title: "Table 2: sentence-level unlabelled F1 (%), protocol nob",
    head: ["", "PLM", "paper mean", "max", "ours mean", "max", "seeds", "encoder", "learnt from"],
    rows: rows.map(({ name, pretrained, paper, ours, encoder, data, sentences }) => {
      const seeds = ours?.seeds ?? 0;
      const hasSpread = data !== undefined || seeds > 1;
      return [
        name,
        PRETRAINED_MARKS[pretrained],
        score(paper.mean),
        paper.max === undefined ? "" : score(paper.max),
        score(ours?.mean),
        hasSpread ? score(ours?.max) : "",
        hasSpread ? `${seeds}` : "",
        encoder ?? "",
        data === undefined ? "" : learntFrom(data, sentences),
      ];
    }),
    notes: ["PLM: * pretrained language model in context, o its embeddings alone", ...notes],
  };
}

function learntFrom(data: DataName, sentences: number | undefined): string {
  const size = sentences === undefined ? "" : `, ${count(sentences)} sentences`;
  return `${DATA_NAMES[data]}${size}`;
}

export interface Table3Column {
  readonly name: string;
  readonly paper: Readonly<Record<string, number>>;
  /** Mean recall over the seeds, by label; missing for the system that the paper quotes. */
  readonly ours?: Readonly<Record<string, number>> | undefined;
  readonly seeds?: number | undefined;
  readonly encoder?: string | undefined;
  readonly data?: DataName | undefined;
  readonly sentences?: number | undefined;
}

export function table3Columns(results: readonly SettingResult[]): Table3Column[] {
  const learnt = results.map<Table3Column>(({ setting, data, cost, encoder, sentences, runs }) => ({
    name: `NOB ${DATA_NAMES[data]}, ${cost}`,
    paper: TABLE_3_SETTINGS[setting],
    ours: meanRecalls(runs.map(({ scores }) => scores)),
    seeds: runs.length,
    encoder,
    data,
    sentences,
  }));
  return [{ name: "Cao et al. (2020)", paper: TABLE_3_CAO }, ...learnt];
}

/** A label that the treebank does not have is left out. */
function meanRecalls(runs: readonly RunScores[]): Record<string, number> {
  const recalls = TABLE_LABELS.flatMap((label) => {
    const found = runs.flatMap(({ labels }) => labels.filter((row) => row.label === label));
    const mean = spread(found.map(({ recall }) => recall))?.mean;
    return mean === undefined ? [] : [[label, mean] as const];
  });
  return Object.fromEntries(recalls);
}

export function table3(columns: readonly Table3Column[], notes: readonly string[] = []): Table {
  const row = (name: string, cells: (column: Table3Column) => [paper: string, ours: string]) => [
    name,
    ...columns.flatMap((column) => (column.ours ? cells(column) : [cells(column)[0]])),
  ];
  return {
    title: "Table 3: average recall per constituent type (%), protocol nob",
    head: row("", ({ name, ours }) => [`${name}${ours ? ": paper" : ""}`, "ours"]),
    rows: [
      ...TABLE_LABELS.map((label) =>
        row(label, ({ paper, ours }) => [score(paper[label]), score(ours?.[label])]),
      ),
      row("seeds", ({ seeds }) => [seeds === undefined ? "" : "5", `${seeds}`]),
      row("encoder", ({ encoder }) => [encoder === undefined ? "" : "BERT-base", `${encoder}`]),
      row("learnt from", ({ data, sentences }) => [
        data ? count(TABLE_1[data].trainingSentences) : "",
        sentences === undefined ? NONE : count(sentences),
      ]),
    ],
    notes,
  };
}

function score(value: number | undefined): string {
  return value === undefined ? NONE : value.toFixed(1);
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
