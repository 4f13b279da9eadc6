/** `bracken parse`: parses text into trees, in the order of the input and in bounded memory. */

import type { Command } from "commander";
import { AUTO } from "../languages/codes.js";
import type { Decoding } from "../model/config.js";
import { MOST_TREES } from "../parser/options.js";
import { INPUT_FORMATS } from "../runs/inputs.js";
import { type ParseSettings, parseFiles } from "../runs/parse-files.js";
import type { Outcome } from "../runs/parse-run.js";
import { type WriteOptions, writeOutcome } from "../runs/parse-writer.js";
import type { TreeFormatName } from "../trees/formats.js";
import {
  addBulkOptions,
  addInputOptions,
  type BulkOptions,
  findInputs,
  type InputOptions,
  withProgress,
} from "./inputs.js";
import {
  checkSingleStdin,
  decodingOption,
  examples,
  formatHelp,
  formatOption,
  probability,
  wholeNumber,
} from "./options.js";

/** What the trees are like, and how they are written. */
export interface ParseFlags extends InputOptions {
  readonly format: TreeFormatName;
  readonly scores?: boolean;
  readonly marginals?: boolean;
  readonly kbest?: number;
  readonly decoding?: Decoding;
  readonly threshold?: number;
  readonly constrain?: boolean;
  readonly punct: boolean;
  readonly oneWord: boolean;
  readonly maxTokens?: number;
}

type Options = ParseFlags & BulkOptions;

/** Adds the arguments and options that determine the output. */
export function addParseOptions(command: Command): Command {
  const inputs = Object.entries(INPUT_FORMATS).map(
    ([name, summary]) => `  ${name.padEnd(11)} ${summary}`,
  );
  return addInputOptions(command)
    .addOption(formatOption())
    .option("--scores", "json: add the score of each phrase")
    .option("--marginals", "json: add the probability of each phrase")
    .option("--kbest <k>", "json: add the k best trees", wholeNumber(1, MOST_TREES))
    .addOption(decodingOption())
    .option("--threshold <p>", "drop phrases with a probability below p", probability)
    .option("--constrain", "require brackets that the input marks: [the old man] left")
    .option("--no-one-word", "do not let single words be phrases, if the model names phrases")
    .option("--no-punct", "leave punctuation out of the trees")
    .option(
      "--max-tokens <n>",
      "do not parse sentences with more words; they get flat trees (default: 1000)",
      wholeNumber(1),
    )
    .addHelpText(
      "after",
      `\nInput formats:\n${inputs.join("\n")}\n${formatHelp("Output formats")}`,
    );
}

export function build(command: Command): void {
  addBulkOptions(addParseOptions(command))
    .addHelpText(
      "after",
      examples(
        'bracken parse "The old man the boats." --format text',
        "bracken parse --lines corpus.txt.gz -o trees.txt",
        "bracken parse --model models/mine report.txt",
        "bracken parse --language de brief.txt",
        "bracken parse --lines corpus.txt --shard 3/8 -o trees-3.txt",
      ),
    )
    .action(run);
}

/** The settings of a run, after notes about flags that do nothing. */
export function parseSettings(options: ParseFlags): ParseSettings<WriteOptions> {
  const { decoding, threshold, marginals, kbest, maxTokens, format, scores, punct } = options;
  const { precision, constrain } = options;
  // Left out where it is the default, so that runs begun before the option was there go on.
  const oneWord = options.oneWord ? undefined : false;
  noteUnused(options);
  return {
    parse: { decoding, threshold, marginals, kBest: kbest, maxTokens, oneWord },
    write: { format, scores, marginals, punct },
    ...{ precision, constrain },
    // Left out where it is the default, as above.
    ...(options.language === AUTO ? {} : { language: options.language }),
  };
}

async function run(names: string[], options: Options): Promise<void> {
  checkSingleStdin(names);
  const { threads, shard, out } = options;
  const { write, ...settings } = parseSettings(options);
  const columns = out === undefined && process.stdout.isTTY ? process.stdout.columns : undefined;
  const job = {
    inputs: await findInputs(names, options),
    models: options.model,
    ...{ ...settings, write: { ...write, columns }, threads, shard, out },
  };
  const openWriter = (_: unknown, write: WriteOptions) => {
    return { write: (outcome: Outcome) => writeOutcome(outcome, write) };
  };
  await withProgress((progress, onNote) => parseFiles(job, openWriter, progress, onNote));
}

/** Says which options do nothing here. */
function noteUnused({ format, scores, marginals, kbest, lines, tokens, input }: ParseFlags): void {
  const unused = [
    ...(format === "json"
      ? []
      : [scores && "--scores", marginals && "--marginals", kbest && "--kbest"]
          .filter((flag) => typeof flag === "string")
          .map((flag) => `${flag} has no effect without --format json`)),
    ...(lines && tokens ? ["--tokens has no effect beside --lines"] : []),
    ...(input && (lines || tokens) ? ["--input has no effect beside --lines or --tokens"] : []),
  ];
  for (const note of unused) process.stderr.write(`note: ${note}\n`);
}
