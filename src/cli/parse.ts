/** `bracken parse`: parses text into trees, in the order of the input and in bounded memory. */

import { stat } from "node:fs/promises";
import { type Command, Option } from "commander";
import { Progress } from "../display/progress.js";
import { InputError } from "../errors.js";
import { expandInputs, STDIN } from "../files/input.js";
import type { Shard } from "../files/shard.js";
import type { Decoding, Precision } from "../model/config.js";
import { MOST_TREES } from "../parser/options.js";
import { formatOf, INPUT_FORMATS, type InputFormat, type RunInput } from "../runs/inputs.js";
import { parseFiles } from "../runs/parse-files.js";
import type { TreeFormatName } from "../trees/formats.js";
import {
  checkSingleStdin,
  collect,
  decodingOption,
  examples,
  formatHelp,
  formatOption,
  INPUT_FILES,
  precisionOption,
  probability,
  RESUMABLE_OUT,
  shardOption,
  threadsOption,
  wholeNumber,
} from "./options.js";

interface Options {
  readonly model?: readonly string[];
  readonly input?: InputFormat;
  readonly lines?: boolean;
  readonly tokens?: boolean;
  readonly format: TreeFormatName;
  readonly scores?: boolean;
  readonly marginals?: boolean;
  readonly kbest?: number;
  readonly decoding?: Decoding;
  readonly threshold?: number;
  readonly constrain?: boolean;
  readonly punct: boolean;
  readonly maxTokens?: number;
  readonly threads?: number;
  readonly precision: Precision;
  readonly shard?: Shard;
  readonly out?: string;
}

export function build(command: Command): void {
  const inputs = Object.entries(INPUT_FORMATS).map(
    ([name, summary]) => `  ${name.padEnd(11)} ${summary}`,
  );
  command
    .argument("<input...>", `a text, or ${INPUT_FILES}`)
    .option(
      "-m, --model <name>",
      "name or folder of a model; repeat it to parse with several models together",
      collect,
    )
    .addOption(
      new Option("--input <format>", "input format (default: by file name)").choices(
        Object.keys(INPUT_FORMATS),
      ),
    )
    .option("--lines", "same as --input lines")
    .option("--tokens", "same as --input tokens")
    .addOption(formatOption())
    .option("--scores", "json: add the score of each phrase")
    .option("--marginals", "json: add the probability of each phrase")
    .option("--kbest <k>", "json: add the k best trees", wholeNumber(1, MOST_TREES))
    .addOption(decodingOption())
    .option("--threshold <p>", "leave out phrases with a probability below p", probability)
    .option("--constrain", "require the brackets in the input: [the old man] left")
    .option("--no-punct", "leave punctuation out of the trees")
    .option(
      "--max-tokens <n>",
      "do not parse longer sentences, which get flat trees (default: 1000)",
      wholeNumber(1),
    )
    .addOption(threadsOption())
    .addOption(precisionOption())
    .addOption(shardOption("parse the i-th of n parts of the input"))
    .option("-o, --out <file>", RESUMABLE_OUT)
    .addHelpText("after", `\nInput formats:\n${inputs.join("\n")}\n${formatHelp("Output formats")}`)
    .addHelpText(
      "after",
      examples(
        'bracken parse "The old man the boats." --format text',
        "bracken parse --lines corpus.txt.gz -o trees.txt",
        "bracken parse --model models/mine report.txt",
        "bracken parse --lines corpus.txt --shard 3/8 -o trees-3.txt",
      ),
    )
    .action(run);
}

async function run(names: string[], options: Options): Promise<void> {
  checkSingleStdin(names);
  const { decoding, threshold, marginals, kbest, maxTokens, format, scores, punct } = options;
  const { precision, threads, constrain, shard, out } = options;
  noteUnused(options);
  const columns = out === undefined && process.stdout.isTTY ? process.stdout.columns : undefined;
  const progress = new Progress({ unit: "sentences" });
  try {
    await parseFiles(
      {
        inputs: await findInputs(names, options),
        models: options.model ?? ["default"],
        parse: { decoding, threshold, marginals, kBest: kbest, maxTokens },
        write: { format, scores, marginals, punct, columns },
        ...{ precision, threads, constrain, shard, out },
      },
      progress,
      (note) => process.stderr.write(`${note}\n`),
    );
  } finally {
    progress.finish();
  }
}

/** Says which options do nothing here. */
function noteUnused({ format, scores, marginals, kbest, lines, tokens, input }: Options): void {
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

const FOLDER_EXTENSIONS = [".txt", ".jsonl", ".conllu", ".mrg", ".tree", ".penn"];

async function findInputs(names: readonly string[], options: Options): Promise<RunInput[]> {
  const given = options.lines ? "lines" : options.tokens ? "tokens" : options.input;
  const inputs: RunInput[] = [];
  for (const name of names) {
    if (await isText(name)) {
      inputs.push({ name: "the text", format: given ?? "text", text: name });
      continue;
    }
    for (const file of await filesOf(name)) {
      inputs.push({ name: file, format: given ?? formatOf(file), isGuess: given === undefined });
    }
  }
  return inputs;
}

/** A name that is no file may have been meant as a text. */
async function filesOf(name: string): Promise<string[]> {
  try {
    return await expandInputs([name], FOLDER_EXTENSIONS);
  } catch (error) {
    if (!(error instanceof InputError) || (await stat(name).catch(() => undefined))) throw error;
    const { problem, place, remedy } = error;
    const quoted = "if it is a text, put all of it in quotes, or pipe it: echo … | bracken parse -";
    throw new InputError(problem, place, `${remedy}; ${quoted}`);
  }
}

/** An argument that is no file and looks like none is a text. */
async function isText(name: string): Promise<boolean> {
  if (name === STDIN || (await stat(name).catch(() => undefined))) return false;
  return /\s/.test(name.trim()) || /[.?!]$/.test(name);
}
