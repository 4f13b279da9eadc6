/** `bracken baseline`: builds and scores trees that need no learning. */

import { Argument, type Command } from "commander";
import { alignColumns, percent } from "../display/columns.js";
import { Progress } from "../display/progress.js";
import { InputError } from "../errors.js";
import { tellPunctuation } from "../evaluation/evaluate.js";
import { PROTOCOLS, type ProtocolName, withPunctuation } from "../evaluation/protocols.js";
import { describePunctuation } from "../evaluation/punctuation.js";
import {
  type BaselineName,
  type BaselineScores,
  buildBaseline,
  scoreBaselines,
} from "../evaluation/score-baselines.js";
import { boundProblem } from "../evaluation/upper-bound.js";
import { type Output, withOutput } from "../files/output.js";
import { Random } from "../random.js";
import { readTreebank, treebankFiles } from "../treebanks/read-treebank.js";
import type { LocatedTree } from "../trees/penn-reader.js";
import { toPenn } from "../trees/penn-writer.js";
import { BadTrees, skipBadOption } from "./bad-trees.js";
import {
  examples,
  protocolHelp,
  protocolOption,
  punctuationHelp,
  punctuationOption,
  wholeNumber,
} from "./options.js";

const ROWS = {
  random: "Random trees",
  left: "Left branching",
  right: "Right branching",
  punctuation: "Punctuation",
  "upper-bound": "Upper bound",
} as const satisfies Record<BaselineName, string>;

interface Options {
  readonly protocol: ProtocolName;
  readonly punctuation: string;
  readonly evaluate?: boolean;
  readonly withPunctuation?: boolean;
  readonly skipBad?: boolean;
  readonly seeds: number;
  readonly seed: number;
  readonly json?: boolean;
  readonly out?: string;
}

export function build(command: Command): void {
  command
    .addArgument(new Argument("<kind>", "which trees").choices([...Object.keys(ROWS), "all"]))
    .argument(
      "<treebank>",
      "gold trees: a file, folder or pattern (also .gz, .bz2, .xz), or - for standard input",
    )
    .addOption(protocolOption())
    .addOption(punctuationOption())
    .option("--evaluate", "print scores, not trees")
    .option("--with-punctuation", "build trees over all tokens, not only words")
    .addOption(skipBadOption())
    .option("--seeds <n>", "number of random trees per sentence to score", wholeNumber(1), 5)
    .option("--seed <n>", "first seed", wholeNumber(0), 1)
    .option("--json", "print scores as JSON")
    .option("-o, --out <file>", "write to a file")
    .addHelpText("after", () => protocolHelp())
    .addHelpText("after", punctuationHelp)
    .addHelpText(
      "after",
      examples(
        "bracken baseline all wsj/ --evaluate --protocol nob",
        "bracken baseline right wsj/ | bracken evaluate wsj/ -",
      ),
    )
    .action(run);
}

async function run(kind: BaselineName | "all", treebank: string, options: Options): Promise<void> {
  if (kind === "all" && !options.evaluate) {
    throw new InputError(
      "'all' only prints scores",
      {},
      "add --evaluate, or choose one kind of tree",
    );
  }
  const progress = new Progress({ unit: "trees" });
  const files = await treebankFiles(treebank);
  const kinds = kind === "all" ? (Object.keys(ROWS) as BaselineName[]) : [kind];
  const bad = new BadTrees(options);
  const read = readTreebank(files, {
    skipBad: options.skipBad,
    onMissing: bad.see,
    onProgress: (fraction) => progress.advance(0, fraction),
  });
  const trees = progress.count(kinds.includes("upper-bound") ? shortEnough(read, bad) : read);
  const write = async (output: Output) => {
    if (options.evaluate) {
      await output.write(`${await scoreRows(kinds, trees, options)}\n`);
      return;
    }
    await writeTrees(kinds[0] as BaselineName, trees, options, output);
  };
  await withOutput(options.out, write, files);
  progress.finish();
  bad.finish();
}

async function writeTrees(
  kind: BaselineName,
  gold: AsyncIterable<LocatedTree>,
  options: Options,
  output: Output,
): Promise<void> {
  const { punctuation, trees } = await tellPunctuation(gold, options.punctuation);
  if (punctuation.caution) process.stderr.write(`caution: ${punctuation.caution}\n`);
  const protocol = withPunctuation(PROTOCOLS[options.protocol], punctuation);
  const random = new Random(options.seed);
  for await (const tree of trees) {
    await output.write(`${toPenn(buildBaseline(kind, tree, protocol, options, random))}\n`);
  }
}

/** The trees whose upper bound can be found. */
async function* shortEnough(
  trees: AsyncIterable<LocatedTree>,
  bad: BadTrees,
): AsyncGenerator<LocatedTree> {
  for await (const gold of trees) {
    const problem = boundProblem(gold);
    if (problem) bad.see({ reason: "too large", problem });
    else yield gold;
  }
}

async function scoreRows(
  kinds: readonly BaselineName[],
  trees: AsyncIterable<LocatedTree>,
  options: Options,
): Promise<string> {
  const scores = await scoreBaselines(kinds, trees, options);
  return options.json ? rowsJson(scores, options) : rowsText(scores, options);
}

type Scores = Awaited<ReturnType<typeof scoreBaselines>>;

function summarise({ kind, runs }: BaselineScores) {
  const spread = (measure: "sentenceF1" | "corpusF1") => {
    const values = runs.map((totals) => totals[measure]);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return { mean, max: Math.max(...values) };
  };
  return { kind, seeds: runs.length, sentence: spread("sentenceF1"), corpus: spread("corpusF1") };
}

function describeTrees({ withPunctuation }: Options): string {
  return withPunctuation ? "trees over all tokens" : "trees over words";
}

function rowsText({ rows, skipped, punctuation }: Scores, options: Options): string {
  const scored = rows[0]?.runs[0]?.sentences ?? 0;
  const lines = rows
    .map(summarise)
    .map(({ kind, seeds, sentence, corpus }) => [
      `${ROWS[kind]}${seeds > 1 ? ` (${seeds} seeds)` : ""}`,
      percent(sentence.mean),
      seeds > 1 ? percent(sentence.max) : "",
      percent(corpus.mean),
      seeds > 1 ? percent(corpus.max) : "",
    ]);
  const title = `protocol ${options.protocol}, punctuation ${describePunctuation(punctuation)}, ${describeTrees(options)}; ${scored} sentences scored, ${skipped} skipped`;
  const head = ["", "sentence F1", "max", "corpus F1", "max"];
  const caution = punctuation.caution ? `\ncaution: ${punctuation.caution}` : "";
  return `${title}\n${alignColumns([head, ...lines])}${caution}`;
}

function rowsJson({ rows, skipped, punctuation }: Scores, options: Options): string {
  const inPercent = ({ mean, max }: { mean: number; max: number }) => ({
    mean: mean * 100,
    max: max * 100,
  });
  return JSON.stringify(
    {
      protocol: options.protocol,
      punctuation: punctuation.name,
      punctuationTags: punctuation.tags,
      ...(punctuation.caution ? { caution: punctuation.caution } : {}),
      withPunctuation: options.withPunctuation ?? false,
      sentences: rows[0]?.runs[0]?.sentences ?? 0,
      skipped,
      rows: rows.map(summarise).map(({ kind, seeds, sentence, corpus }) => ({
        kind,
        seeds,
        sentenceF1: inPercent(sentence),
        corpusF1: inPercent(corpus),
      })),
    },
    null,
    2,
  );
}
