/**
 * The table of commands. `bracken --help` is printed from it alone; a command's own module, and
 * what that imports, is loaded only when the command is called.
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
    summary: "text in, trees out",
    example: 'bracken parse "The old man sat down."',
    load: () => import("./parse.js"),
  },
  {
    name: "model",
    summary: "what a model is, whether it is whole; export to ONNX",
    example: "bracken model info",
    load: () => import("./model.js"),
  },
  {
    name: "serve",
    summary: "the parser as an HTTP service, with its page",
    example: "bracken serve --port 8080",
    load: () => import("./serve.js"),
  },
  {
    name: "extract",
    summary: "turn answers and links into brackets to learn from",
    example: "bracken extract qasrl qasrl-bank/ --clean -o qasrl.jsonl",
    load: () => import("./extract.js"),
  },
  {
    name: "stats",
    summary: "count brackets, and compare them with gold trees",
    example: "bracken stats qasrl.jsonl --gold wsj/",
    load: () => import("./stats.js"),
  },
  {
    name: "train",
    summary: "learn a parser from brackets",
    example: "bracken train answers.jsonl --out models/mine",
    load: () => import("./train.js"),
  },
  {
    name: "distil",
    summary: "what models believe, as brackets for another to learn from",
    example: "bracken distil links.jsonl -m runs/seed-1 -m runs/seed-2 -o soft.jsonl",
    load: () => import("./distil.js"),
  },
  {
    name: "plot",
    summary: "draw the curves of training logs",
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
    summary: "left, right, random, punctuation and best binary trees",
    example: "bracken baseline all wsj/ --evaluate --protocol kim",
    load: () => import("./baseline.js"),
  },
  {
    name: "reproduce",
    summary: "the paper's Tables 1, 2 and 3, run again",
    example: "bracken reproduce table2 --data data/ --seeds 3",
    load: () => import("./reproduce.js"),
  },
  {
    name: "convert",
    summary: "write trees in another form: text, JSON, SVG, LaTeX, …",
    example: "bracken convert trees.mrg --format text",
    load: () => import("./convert.js"),
  },
];
