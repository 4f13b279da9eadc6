/** `bracken distil`: writes the soft labels of one or several models, for another model to learn from. */

import type { Command } from "commander";
import { expandInputs } from "../files/expand-inputs.js";
import type { Precision } from "../model/config.js";
import { findModel } from "../model/find-model.js";
import { ModelFolder } from "../model/folder.js";
import { distil } from "../training/distil.js";
import type { SoftLabelOptions } from "../training/soft-labels.js";
import {
  checkSingleStdin,
  collect,
  examples,
  numberThat,
  precisionOption,
  probability,
  RESUMABLE_OUT,
  threadsOption,
  wholeNumber,
} from "./options.js";

/** What determines the output. */
export interface DistilFlags extends SoftLabelOptions {
  readonly model: readonly string[];
  readonly maxTokens: number;
  readonly precision: Precision;
}

interface Options extends DistilFlags {
  readonly threads?: number;
  readonly out?: string;
}

/** Adds the arguments and options that determine the output. */
export function addDistilOptions(command: Command): Command {
  return command
    .argument(
      "<data...>",
      "Bracketings (JSON lines, also .gz, .bz2, .xz), with or without brackets",
    )
    .requiredOption(
      "-m, --model <name>",
      "name or folder of a model; repeat it for several",
      collect,
    )
    .option(
      "--cost-factor <lambda>",
      "score that a tree loses for each bracket that it crosses",
      numberThat((value) => value >= 0, "a number, 0 or more"),
      3,
    )
    .option("--least <p>", "leave out spans with a probability below p", probability, 0.02)
    .option("--max-tokens <n>", "leave out longer sentences", wholeNumber(1), 100)
    .option(
      "--no-labels",
      "keep the sentences' own votes for labels, instead of the models' probabilities",
    )
    .option(
      "--english",
      "correct the models by what is known of English phrases: how likely they are together",
    )
    .addOption(precisionOption());
}

export function build(command: Command): void {
  addDistilOptions(command)
    .addOption(threadsOption())
    .option("-o, --out <file>", RESUMABLE_OUT)
    .addHelpText(
      "after",
      examples(
        "bracken distil answers.jsonl links.jsonl -m runs/seed-1 -m runs/seed-2 -o soft.jsonl",
        "bracken train soft.jsonl --out models/student",
      ),
    )
    .action(run);
}

async function run(names: string[], options: Options): Promise<void> {
  checkSingleStdin(names);
  const files = await expandInputs(names, [".jsonl"]);
  const folders = await Promise.all(
    options.model.map(async (name) => ModelFolder.open(await findModel(name))),
  );
  await distil(files, folders, options.out, {
    ...options,
    onNote: (note) => process.stderr.write(`${note}\n`),
  });
}
