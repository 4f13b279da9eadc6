/** `bracken phrases`: the noun phrases of a corpus, or phrases of other names, or how often each is there. */

import { type Command, Option } from "commander";
import { parseFiles } from "../runs/parse-files.js";
import { PHRASE_FORMATS, type PhraseWriteOptions, phraseWriter } from "../runs/phrase-writer.js";
import {
  addBulkOptions,
  addInputOptions,
  type BulkOptions,
  findInputs,
  type InputOptions,
  withProgress,
} from "./inputs.js";
import { checkSingleStdin, examples, wholeNumber } from "./options.js";

interface Options extends InputOptions, BulkOptions {
  readonly label: readonly string[];
  readonly format: PhraseWriteOptions["format"];
  readonly maximal?: boolean;
  readonly minimal?: boolean;
  readonly count?: boolean;
  readonly oneWord: boolean;
  readonly maxTokens?: number;
}

export function build(command: Command): void {
  addInputOptions(command)
    .addOption(
      new Option("-l, --label <list>", "labels, separated by commas")
        .default(["NP"], "NP")
        .argParser((value: string) => value.split(",").map((label) => label.trim())),
    )
    .addOption(
      new Option("-f, --format <name>", "output format").choices(PHRASE_FORMATS).default("tsv"),
    )
    .addOption(
      new Option(
        "--maximal",
        "only phrases that are not inside another with one of these labels",
      ).conflicts("minimal"),
    )
    .option("--minimal", "only phrases that have no other with one of these labels inside")
    .option("--count", "count how often each phrase occurs, the most frequent first")
    .option("--no-one-word", "leave out phrases of a single word")
    .option(
      "--max-tokens <n>",
      "do not parse sentences with more words (default: 1000)",
      wholeNumber(1),
    );
  addBulkOptions(command)
    .addHelpText(
      "after",
      [
        "",
        "Columns of tsv: label, phrase, head, probability, file, line, begin and end in the file (with",
        "--lines: in the line). Columns of --count: count, label, phrase.",
      ].join("\n"),
    )
    .addHelpText(
      "after",
      examples(
        'bracken phrases "She crossed the old bridge."',
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
  const job = {
    inputs,
    models: options.model,
    named: true,
    language: options.language,
    // Probabilities are written beside phrases, not beside counts.
    parse: { maxTokens, oneWord: options.oneWord, marginals: !count },
    write: { labels: label, format, nesting, count, inputs: inputs.map(({ name }) => name) },
    ...{ precision, threads, shard, out },
  } as const;
  await withProgress((progress, onNote) => parseFiles(job, phraseWriter, progress, onNote));
}
