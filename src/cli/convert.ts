/** `bracken convert`: trees from any form that can be read to any that can be written. */

import { type Command, Option } from "commander";
import { Progress } from "../display/progress.js";
import { type Output, withOutput } from "../files/output.js";
import { readTreebank, treebankFiles } from "../treebanks/read-treebank.js";
import { ended, TREE_FORMATS, type TreeFormat, type TreeFormatName } from "../trees/formats.js";
import { category } from "../trees/labels.js";
import { collapseUnary, unwrapRoot } from "../trees/transform.js";
import { fold, type Tree } from "../trees/tree.js";
import {
  checkPictureName,
  checkSingleStdin,
  examples,
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
  readonly limit?: number;
  readonly out?: string;
}

export function build(command: Command): void {
  const formats = Object.entries(TREE_FORMATS).map(
    ([name, { summary }]) => `  ${name.padEnd(11)} ${summary}`,
  );
  command
    .argument("<treebank...>", "files, folders or patterns, plain or gzipped, or -")
    .addOption(
      new Option("-f, --format <name>", "the form to write")
        .choices(Object.keys(TREE_FORMATS))
        .default("penn"),
    )
    .addOption(unlabelledOption())
    .option("--keep-empty", "keep traces and other -NONE- leaves")
    .option("--unescape", "write -LRB- as ( and 1\\/2 as 1/2, where the form can hold it")
    .option("--categories", "cut function tags and indices: NP-SBJ-1 becomes NP")
    .option("--unwrap", "drop the wrapper of ( (S …) ), ROOT and TOP")
    .option("--collapse", "make each unary chain one phrase")
    .option("--limit <n>", "stop after n trees", wholeNumber(1))
    .option("-o, --out <file>", "write to a file")
    .addHelpText("after", `\nForms:\n${formats.join("\n")}`)
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
  const format: TreeFormat = TREE_FORMATS[options.format];
  const toTerminal = options.out === undefined && process.stdout.isTTY;
  const progress = new Progress({ unit: "trees" });
  const files = await treebankFiles(names);
  const trees = readTreebank(files, {
    unlabelled: options.unlabelled,
    keepEmpty: options.keepEmpty,
    unescape: options.unescape,
    onProgress: (fraction) => progress.advance(0, fraction),
  });
  const write = async (output: Output) => {
    let written = 0;
    for await (const { tree } of trees) {
      const text = format.write(
        reshape(tree, options),
        toTerminal ? process.stdout.columns : undefined,
      );
      await output.write(ended(text, format));
      progress.advance();
      written += 1;
      if (written === options.limit) break;
    }
  };
  await withOutput(options.out, write, files);
  progress.finish();
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
