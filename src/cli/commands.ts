/**
 * The table of commands. `bracken --help` is printed from it alone; the module of a command is loaded only when
 * the command is called.
 */

import type { Command } from "commander";

export interface CommandEntry {
  readonly name: string;
  /** The heading in the help under which the command is listed. */
  readonly group: "Parse" | "Train" | "Measure" | "Large runs";
  readonly summary: string;
  readonly example: string;
  load(): Promise<{ build(command: Command): void }>;
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "parse",
    group: "Parse",
    summary: "parse text into trees",
    example: 'bracken parse "The old man sat down."',
    load: () => import("./parse.js"),
  },
  {
    name: "phrases",
    group: "Parse",
    summary: "list the noun phrases of a text, or phrases with other labels",
    example: "bracken phrases report.txt --label NP,PP",
    load: () => import("./phrases.js"),
  },
  {
    name: "convert",
    group: "Parse",
    summary: "convert trees to text, JSON, SVG, LaTeX and other formats",
    example: "bracken convert trees.mrg --format text",
    load: () => import("./convert.js"),
  },
  {
    name: "serve",
    group: "Parse",
    summary: "serve the parser and its page over HTTP",
    example: "bracken serve --port 8080",
    load: () => import("./serve.js"),
  },
  {
    name: "model",
    group: "Parse",
    summary: "describe, check, export or shrink models, or name their labels",
    example: "bracken model info",
    load: () => import("./model.js"),
  },
  {
    name: "adapt",
    group: "Train",
    summary: "adapt a model to your documents, and measure whether that helped",
    example: "bracken adapt docs/ --out models/mine",
    load: () => import("./adapt.js"),
  },
  {
    name: "annotate",
    group: "Train",
    summary: "answer questions about your documents, from which a model learns",
    example: "bracken annotate docs/ -o my.jsonl",
    load: () => import("./annotate.js"),
  },
  {
    name: "extract",
    group: "Train",
    summary: "extract brackets from answers, links and other markup",
    example: "bracken extract qasrl qasrl-bank/ --clean -o qasrl.jsonl",
    load: () => import("./extract.js"),
  },
  {
    name: "stats",
    group: "Train",
    summary: "count brackets, and compare them with gold trees",
    example: "bracken stats qasrl.jsonl --gold wsj/",
    load: () => import("./stats.js"),
  },
  {
    name: "train",
    group: "Train",
    summary: "train a parser on brackets",
    example: "bracken train answers.jsonl --out models/mine",
    load: () => import("./train.js"),
  },
  {
    name: "distil",
    group: "Train",
    summary: "write the soft labels of models, to train another model on",
    example: "bracken distil links.jsonl -m runs/seed-1 -m runs/seed-2 -o soft.jsonl",
    load: () => import("./distil.js"),
  },
  {
    name: "induce",
    group: "Train",
    summary: "cluster brackets into categories, to use as labels",
    example: "bracken induce answers.jsonl -m bracken-en --categories 20 -o induced.jsonl",
    load: () => import("./induce.js"),
  },
  {
    name: "plot",
    group: "Train",
    summary: "draw training curves",
    example: "bracken plot models/mine -o curves.svg",
    load: () => import("./plot.js"),
  },
  {
    name: "evaluate",
    group: "Measure",
    summary: "score predicted trees against a treebank",
    example: "bracken evaluate gold.mrg predicted.txt --protocol nob --labels",
    load: () => import("./evaluate.js"),
  },
  {
    name: "baseline",
    group: "Measure",
    summary: "build or score baseline trees",
    example: "bracken baseline all wsj/ --evaluate --protocol kim",
    load: () => import("./baseline.js"),
  },
  {
    name: "simulate",
    group: "Measure",
    summary: "draw learning curves, with gold trees in place of people",
    example: "bracken simulate --gold take/ --test other/ --protocol nob --out curves",
    load: () => import("./simulate.js"),
  },
  {
    name: "reproduce",
    group: "Measure",
    summary: "reproduce the paper's Tables 1, 2 and 3",
    example: "bracken reproduce table2 --data data/ --seeds 3",
    load: () => import("./reproduce.js"),
  },
  {
    name: "plan",
    group: "Large runs",
    summary: "cut a large run into parts",
    example: "bracken plan parse corpus.txt --parts 400 -o plan/",
    load: () => import("./plan.js"),
  },
  {
    name: "submit",
    group: "Large runs",
    summary: "put the parts of a plan into a queue",
    example: "bracken submit plan/ --queue redis://127.0.0.1:6379",
    load: () => import("./submit.js"),
  },
  {
    name: "work",
    group: "Large runs",
    summary: "do parts of a plan, on any number of machines",
    example: "bracken work plan/",
    load: () => import("./work.js"),
  },
  {
    name: "status",
    group: "Large runs",
    summary: "show how far a plan has come",
    example: "bracken status plan/",
    load: () => import("./status.js"),
  },
  {
    name: "gather",
    group: "Large runs",
    summary: "join the results of a plan into one output",
    example: "bracken gather plan/ -o trees.txt",
    load: () => import("./gather.js"),
  },
];
