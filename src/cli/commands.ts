/**
 * The table of commands. `bracken --help` is printed from it alone; the module of a command is loaded only when
 * the command is called.
 */

import type { Command } from "commander";

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly example: string;
  load(): Promise<{ build(command: Command): void }>;
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "parse",
    summary: "parse text into trees",
    example: 'bracken parse "The old man sat down."',
    load: () => import("./parse.js"),
  },
  {
    name: "phrases",
    summary: "the noun phrases of a text, or other phrases by name",
    example: "bracken phrases report.txt --label NP",
    load: () => import("./phrases.js"),
  },
  {
    name: "plan",
    summary: "cut a large run into parts for many machines",
    example: "bracken plan parse corpus.txt --parts 400 -o plan/",
    load: () => import("./plan.js"),
  },
  {
    name: "work",
    summary: "do parts of a plan",
    example: "bracken work plan/",
    load: () => import("./work.js"),
  },
  {
    name: "submit",
    summary: "put the parts of a plan into a queue",
    example: "bracken submit plan/ --queue redis://127.0.0.1:6379",
    load: () => import("./submit.js"),
  },
  {
    name: "status",
    summary: "show how far a plan is",
    example: "bracken status plan/",
    load: () => import("./status.js"),
  },
  {
    name: "gather",
    summary: "join the results of a plan",
    example: "bracken gather plan/ -o trees.txt",
    load: () => import("./gather.js"),
  },
  {
    name: "model",
    summary: "describe, verify or export a model, or name its labels",
    example: "bracken model info",
    load: () => import("./model.js"),
  },
  {
    name: "serve",
    summary: "serve the parser over HTTP, with its page",
    example: "bracken serve --port 8080",
    load: () => import("./serve.js"),
  },
  {
    name: "extract",
    summary: "extract brackets from answers and links",
    example: "bracken extract qasrl qasrl-bank/ --clean -o qasrl.jsonl",
    load: () => import("./extract.js"),
  },
  {
    name: "stats",
    summary: "count brackets and compare them with gold trees",
    example: "bracken stats qasrl.jsonl --gold wsj/",
    load: () => import("./stats.js"),
  },
  {
    name: "train",
    summary: "train a parser on brackets",
    example: "bracken train answers.jsonl --out models/mine",
    load: () => import("./train.js"),
  },
  {
    name: "adapt",
    summary: "adapt a model to your documents, and tell whether that helped",
    example: "bracken adapt docs/ --out models/mine",
    load: () => import("./adapt.js"),
  },
  {
    name: "annotate",
    summary: "answer questions about your documents, and let a model learn from that",
    example: "bracken annotate docs/ -o my.jsonl",
    load: () => import("./annotate.js"),
  },
  {
    name: "simulate",
    summary: "learning curves of answers and trees, with gold trees in place of people",
    example: "bracken simulate --gold take/ --test other/ --protocol nob --out curves",
    load: () => import("./simulate.js"),
  },
  {
    name: "distil",
    summary: "write soft labels from models, to train another model on",
    example: "bracken distil links.jsonl -m runs/seed-1 -m runs/seed-2 -o soft.jsonl",
    load: () => import("./distil.js"),
  },
  {
    name: "induce",
    summary: "cluster brackets into categories, as labels without names",
    example: "bracken induce answers.jsonl -m bracken-en --categories 20 -o induced.jsonl",
    load: () => import("./induce.js"),
  },
  {
    name: "plot",
    summary: "draw training curves",
    example: "bracken plot models/mine -o curves.svg",
    load: () => import("./plot.js"),
  },
  {
    name: "evaluate",
    summary: "score predicted trees against a treebank",
    example: "bracken evaluate gold.mrg predicted.txt --protocol nob --labels",
    load: () => import("./evaluate.js"),
  },
  {
    name: "baseline",
    summary: "build or score baseline trees",
    example: "bracken baseline all wsj/ --evaluate --protocol kim",
    load: () => import("./baseline.js"),
  },
  {
    name: "reproduce",
    summary: "reproduce the paper's Tables 1, 2 and 3",
    example: "bracken reproduce table2 --data data/ --seeds 3",
    load: () => import("./reproduce.js"),
  },
  {
    name: "convert",
    summary: "convert trees to text, JSON, SVG, LaTeX and other formats",
    example: "bracken convert trees.mrg --format text",
    load: () => import("./convert.js"),
  },
];
