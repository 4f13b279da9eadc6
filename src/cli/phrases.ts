/** `bracken phrases`: the noun phrases of a corpus, or phrases of other names, or how often each is there. */

import { type Command, Option } from "commander";
import { Progress } from "../display/progress.js";
import type { Shard } from "../files/shard.js";
import type { Precision } from "../model/config.js";
import { INPUT_FORMATS } from "../runs/inputs.js";
import { parseFiles } from "../runs/parse-files.js";
import { PHRASE_FORMATS, type PhraseWriteOptions, phraseWriter } from "../runs/phrase-writer.js";
import { findInputs, type InputOptions } from "./inputs.js";
import {
  checkSingleStdin,
  collect,
  examples,
  INPUT_FILES,
  precisionOption,
  RESUMABLE_OUT,
  shardOption,
  threadsOption,
  wholeNumber,
} from "./options.js";

interface Options extends InputOptions {
  readonly model?: readonly string[];
  readonly label: readonly string[];
  readonly format: PhraseWriteOptions["format"];
  readonly maximal?: boolean;
  readonly minimal?: boolean;
  readonly count?: boolean;
  readonly oneWord: boolean;
  readonly maxTokens?: number;
  readonly threads?: number;
  readonly precision: Precision;
  readonly shard?: Shard;
  readonly out?: string;
}

export function build(command: Command): void {
  command
    .argument("<input...>", `a text, or ${INPUT_FILES}`)
    .addOption(
      new Option("-l, --label <list>", "labels, separated by commas")
        .default(["NP"], "NP")
        .argParser((value: string) => value.split(",").map((label) => label.trim())),
    )
    .option(
      "-m, --model <name>",
      "name or folder of a model; repeat it to parse with several models together",
      collect,
    )
    .addOption(
      new Option("-f, --format <name>", "output format").choices(PHRASE_FORMATS).default("tsv"),
    )
    .addOption(
      new Option("--maximal", "only phrases inside no other of these labels").conflicts("minimal"),
    )
    .option("--minimal", "only phrases with no other of these labels inside")
    .option("--count", "how often each phrase is there, the most frequent first")
    .option("--no-one-word", "no phrases of a single word")
    .addOption(
      new Option("--input <format>", "input format (default: by file name)").choices(
        Object.keys(INPUT_FORMATS),
      ),
    )
    .option("--lines", "same as --input lines")
    .option("--tokens", "same as --input tokens")
    .option("--max-tokens <n>", "do not parse longer sentences (default: 1000)", wholeNumber(1))
    .addOption(threadsOption())
    .addOption(precisionOption())
    .addOption(shardOption("take the i-th of n parts of the input"))
    .option("-o, --out <file>", RESUMABLE_OUT)
    .addHelpText(
      "after",
      [
        "",
        "Columns of tsv: label, phrase, head, probability, file, line, begin and end in the file (with",
        "--lines: in the line). Columns of --count: how often, label, phrase.",
      ].join("\n"),
    )
    .addHelpText(
      "after",
      examples(
        'bracken phrases "She crossed the old bridge by the river."',
        "bracken phrases report.txt --label NP,PP --maximal --format jsonl",
        "bracken phrases --lines corpus.txt.gz --count -o noun-phrases.tsv",
      ),
    )
    .action(run);
}

async function run(names: string[], options: Options): Promise<void> {
  checkSingleStdin(names);
  const { label, format, maximal, minimal, count, maxTokens, precision, threads, shard, out } =
    options;
  const inputs = await findInputs(names, options);
  const nesting = maximal ? "maximal" : minimal ? "minimal" : "all";
  const progress = new Progress({ unit: "sentences" });
  try {
    await parseFiles<PhraseWriteOptions>(
      {
        inputs,
        models: options.model ?? ["default"],
        parse: { maxTokens, oneWord: options.oneWord },
        write: { labels: label, format, nesting, count, inputs: inputs.map(({ name }) => name) },
        ...{ precision, threads, shard, out },
      },
      phraseWriter,
      progress,
      (note) => process.stderr.write(`${note}\n`),
    );
  } finally {
    progress.finish();
  }
}
