/** `bracken convert`: converts trees between formats. */

import type { Command } from "commander";
import { Progress } from "../display/progress.js";
import { InputError } from "../errors.js";
import { type Output, withOutput } from "../files/output.js";
import { readEntries, treebankFiles } from "../treebanks/read-treebank.js";
import { ended, sizeProblem, TREE_FORMATS, type TreeFormatName } from "../trees/formats.js";
import { category } from "../trees/labels.js";
import { isMissing, type TreebankEntry } from "../trees/penn-reader.js";
import { collapseUnary, unwrapRoot } from "../trees/transform.js";
import { fold, type Tree } from "../trees/tree.js";
import { BadTrees, skipBadOption } from "./bad-trees.js";
import {
  checkPictureName,
  checkSingleStdin,
  examples,
  formatHelp,
  formatOption,
  INPUT_FILES,
  unlabelledOption,
  wholeNumber,
} from "./options.js";

interface Options {
  readonly format: TreeFormatName;
  readonly unlabelled?: boolean;
  readonly keepEmpty?: boolean;
  readonly unescape?: boolean;
  readonly categories?: boolean;
  readonly unwrap?: boolean;
  readonly collapse?: boolean;
  readonly skipBad?: boolean;
  readonly limit?: number;
  readonly out?: string;
}

export function build(command: Command): void {
  command
    .argument("<treebank...>", INPUT_FILES)
    .addOption(formatOption())
    .addOption(unlabelledOption())
    .option("--keep-empty", "keep traces and other -NONE- leaves")
    .option("--unescape", "write -LRB- as ( and 1\\/2 as 1/2, if the format allows it")
    .option("--categories", "remove function tags and indices: NP-SBJ-1 becomes NP")
    .option("--unwrap", "remove the wrapper of ( (S …) ), ROOT and TOP")
    .option("--collapse", "collapse each unary chain into one phrase")
    .addOption(skipBadOption())
    .option("--limit <n>", "stop after n trees", wholeNumber(1))
    .option("-o, --out <file>", "write to a file")
    .addHelpText("after", formatHelp("Formats"))
    .addHelpText(
      "after",
      examples(
        "bracken convert wsj_0001.mrg --format text --unwrap",
        "echo '((the cat) sat)' | bracken convert - --unlabelled --format svg -o cat.svg",
      ),
    )
    .action(run);
}

async function run(names: string[], options: Options): Promise<void> {
  checkSingleStdin(names);
  if (options.format === "svg") checkPictureName(options.out);
  const progress = new Progress({ unit: "trees" });
  const files = await treebankFiles(names);
  const bad = new BadTrees(options);
  const { skipBad } = options;
  const entries = readEntries(files, {
    unlabelled: options.unlabelled,
    keepEmpty: options.keepEmpty,
    unescape: options.unescape,
    skipBad,
    onMissing: (missing) => {
      // Nothing is lost of a failed parse that keeps its place.
      if (skipBad || missing.reason !== "failed") bad.see(missing);
    },
    onProgress: (fraction) => progress.advance(0, fraction),
  });
  const write = async (output: Output) => {
    let written = 0;
    for await (const entry of entries) {
      const text = convert(entry, options, bad);
      if (text === undefined) continue;
      await output.write(ended(text, TREE_FORMATS[options.format]));
      progress.advance();
      written += 1;
      if (written === options.limit) break;
    }
  };
  await withOutput(options.out, write, files);
  progress.finish();
  bad.finish();
}

/** What is written for an entry; undefined if it is left out. */
function convert(entry: TreebankEntry, options: Options, bad: BadTrees): string | undefined {
  const format = TREE_FORMATS[options.format];
  if (isMissing(entry)) {
    return options.skipBad ? undefined : format.writeError(entry.problem.problem);
  }
  const { file, line } = entry;
  const tree = reshape(entry.tree, options);
  const problem = sizeProblem(tree, options.format);
  if (problem !== undefined) {
    const remedy = "penn, json, conllu-misc and spans have no such limit";
    bad.see({ reason: "too large", problem: new InputError(problem, { file, line }, remedy) });
    return undefined;
  }
  const toTerminal = options.out === undefined && process.stdout.isTTY;
  return format.write(tree, toTerminal ? process.stdout.columns : undefined);
}

function reshape(tree: Tree, { unwrap, collapse, categories }: Options): Tree {
  let shaped = unwrap ? unwrapRoot(tree) : tree;
  if (collapse) shaped = collapseUnary(shaped);
  if (!categories) return shaped;
  return fold<Tree>(
    shaped,
    (leaf) => leaf,
    ({ label }, children) => ({ label: category(label), children }),
  );
}
