/** `bracken stats`: the paper's Table 1 for any data set of Bracketings. */

import type { Command } from "commander";
import { readBracketings } from "../brackets/read-bracketings.js";
import { BracketStatistics } from "../brackets/statistics.js";
import { statisticsJson, statisticsSvg, statisticsText } from "../brackets/statistics-report.js";
import { Progress } from "../display/progress.js";
import { InputError } from "../errors.js";
import { expandInputs } from "../files/expand-inputs.js";
import { checkOutput, withOutput, writeWhole } from "../files/output.js";
import { TextInput } from "../files/text-input.js";
import { GoldTrees } from "../treebanks/gold-trees.js";
import { treebankFiles } from "../treebanks/read-treebank.js";
import { BadTrees, skipBadOption } from "./bad-trees.js";
import { checkPictureName, checkSingleStdin, examples } from "./options.js";

interface Options {
  readonly gold?: string[];
  readonly skipBad?: boolean;
  readonly json?: boolean;
  readonly svg?: string;
  readonly out?: string;
}

export function build(command: Command): void {
  command
    .argument(
      "<files...>",
      "Bracketings (JSON lines, also .gz, .bz2, .xz), or - for standard input",
    )
    .option("--gold <treebank...>", "gold trees of the same sentences, matched by tokens or id")
    .addOption(skipBadOption())
    .option("--json", "print JSON")
    .option("--svg <file.svg>", "also draw histograms of bracket lengths and counts")
    .option("-o, --out <file>", "write to a file")
    .addHelpText(
      "after",
      examples(
        "bracken stats qasrl.jsonl --svg qasrl.svg",
        "bracken stats newswire.jsonl --gold wsj/ --json",
      ),
    )
    .action(run);
}

async function run(names: string[], options: Options): Promise<void> {
  checkSingleStdin(names);
  checkPictureName(options.svg);
  const files = await expandInputs(names, [".jsonl"]);
  const inputs = [...files, ...(await treebankFiles(options.gold ?? []))];
  await checkOutput(options.out, inputs);
  if (options.svg !== undefined) await checkOutput(options.svg, inputs);
  const bad = new BadTrees(options);
  const { skipBad } = options;
  const gold =
    options.gold && (await GoldTrees.read(options.gold, { skipBad, onMissing: bad.see }));
  bad.finish();
  const statistics = new BracketStatistics();
  const progress = new Progress({ unit: "sentences" });
  for (const file of files) {
    for await (const bracketing of readBracketings(new TextInput(file))) {
      statistics.add(bracketing, gold?.find(bracketing));
      progress.advance();
    }
  }
  progress.finish();
  if (statistics.sentences === 0) {
    throw new InputError("the file has no sentences", { file: names[0] }, "check the file");
  }
  if (gold && statistics.gold.sentences === 0) {
    process.stderr.write("no sentence of the data set has a tree in the gold treebank\n");
  }
  const shown = options.json
    ? JSON.stringify(statisticsJson(statistics), null, 2)
    : statisticsText(statistics);
  await withOutput(options.out, (output) => output.write(`${shown}\n`));
  if (options.svg !== undefined) await writeWhole(options.svg, `${statisticsSvg(statistics)}\n`);
}
