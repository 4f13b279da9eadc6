/** `bracken induce`: clusters brackets into categories without names, and writes votes for them. */

import type { Command } from "commander";
import { expandInputs } from "../files/expand-inputs.js";
import { withOutput } from "../files/output.js";
import type { Precision } from "../model/config.js";
import { openModel } from "../model/open-model.js";
import { categoriesText } from "../training/categories.js";
import { induce } from "../training/induce.js";
import {
  examples,
  MOST_CATEGORIES,
  precisionOption,
  RESUMABLE_OUT,
  threadsOption,
  wholeNumber,
} from "./options.js";

interface Options {
  readonly model: string;
  readonly categories: number;
  readonly out: string;
  readonly kinds?: string;
  readonly seed: number;
  readonly precision: Precision;
  readonly threads?: number;
}

export function build(command: Command): void {
  command
    .argument("<data...>", "Bracketings (JSON lines, also .gz, .bz2, .xz)")
    .requiredOption("-m, --model <name>", "name or folder of a model, with or without labels")
    .requiredOption("-o, --out <file>", RESUMABLE_OUT)
    .option("--categories <k>", "number of categories", wholeNumber(2, MOST_CATEGORIES), 20)
    .option("--kinds <list>", "cluster only brackets of these kinds, separated by commas")
    .option("--seed <n>", "seed", wholeNumber(0), 1)
    .addOption(precisionOption())
    .addOption(threadsOption())
    .addHelpText(
      "after",
      `\nPrints the categories, each with its most typical phrases, in the form that bracken model name reads.\n${examples(
        "bracken induce answers.jsonl -m bracken-en --categories 20 -o induced.jsonl > categories.txt",
        "bracken train induced.jsonl --from bracken-en --out models/induced",
        "bracken model name models/induced categories.txt",
      )}`,
    )
    .action(run);
}

async function run(names: string[], { model, out, kinds, ...options }: Options): Promise<void> {
  const files = await expandInputs(names, [".jsonl"]);
  const categories = await induce(files, await openModel(model), out, {
    ...options,
    kinds: kinds === undefined ? undefined : new Set(kinds.split(",")),
    onNote: (note) => process.stderr.write(`${note}\n`),
  });
  await withOutput(undefined, (output) => output.write(categoriesText(categories)));
}
