/** `bracken extract`: turns published data into Bracketings, one JSON object per line. */

import { availableParallelism } from "node:os";
import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import type { ExtractOptions } from "../extract/options.js";
import type { ExtractReport } from "../extract/report.js";
import { runExtract } from "../extract/run.js";
import { SOURCES } from "../extract/sources/index.js";
import {
  checkSingleStdin,
  examples,
  INPUT_FILES,
  languageOption,
  shardOption,
  threadsOption,
  wholeNumber,
} from "./options.js";

/** What determines the records. */
export type ExtractFlags = Omit<ExtractOptions, "source" | "signal" | "shard" | "threads">;

interface Options extends ExtractFlags, Pick<ExtractOptions, "shard" | "threads"> {
  readonly out?: string;
  readonly json?: boolean;
}

/** Adds the arguments and options that determine the output. */
export function addExtractOptions(command: Command): Command {
  const names = [...SOURCES.map(({ name }) => name), "auto"];
  const sources = SOURCES.map(({ name, summary }) => `  ${name.padEnd(12)} ${summary}`);
  return command
    .addArgument(
      new Argument("<source>", "source of the files; auto recognises it by the content").choices(
        names,
      ),
    )
    .argument("<files...>", INPUT_FILES)
    .addOption(
      new Option(
        "--merge <by>",
        "merge sentences with the same text or id (default: text; links: none)",
      ).choices(["text", "id", "none"]),
    )
    .option("--predicates", "qasrl: also add brackets over verbs with the answers about them")
    .option(
      "--clauses",
      "qasrl: like --predicates, and also add brackets over clauses and from auxiliaries on",
    )
    .option("--match-text", "qasrl-gs: find answers by their text instead of their offsets")
    .option("--skip-bad", "skip malformed lines, and say how many there are")
    .option(
      "--clean",
      "turn on --trim-punctuation, all --drop options, --require-multi and --max-tokens 100",
    )
    .option(
      "--english",
      "turn on the rules for English phrases: --clauses, --take-determiners, --add-parts and --mark-flat",
    )
    .option("--take-determiners", "extend brackets to an article or possessive before them")
    .option("--add-parts", "add phrases that follow from brackets, mostly inside them")
    .option("--mark-flat", "mark spans in and around brackets that are not phrases")
    .option(
      "--split-hyphens",
      "split words at their hyphens, as newer treebanks do; leave out sentences without such words",
    )
    .option("--trim-punctuation", "trim punctuation from both ends of brackets")
    .option("--drop-single", "drop brackets of a single word")
    .option("--drop-whole", "drop brackets over the whole sentence")
    .option("--drop-unbalanced", "drop brackets with one half of a pair of quotes or parentheses")
    .option("--drop-near-duplicates", "drop sentences that are nearly equal to an earlier one")
    .option("--require-multi", "drop sentences without a bracket of two or more tokens")
    .option("--max-tokens <n>", "leave out longer sentences", wholeNumber(1))
    .option("--min-annotators <k>", "drop brackets with fewer than k annotators", wholeNumber(1))
    .option("--keep-annotators", "write the annotators of each bracket")
    .option(
      "--labels",
      "add votes for the labels of phrases (NP, VP, PP, …), and keep the questions",
    )
    .addOption(
      new Option(
        "--kinds <list>",
        "keep only brackets of these kinds, separated by commas; links: link, emphasis, bold, code, quote, …",
      ).argParser(commaList),
    )
    .option("--exclude <file...>", "leave out the sentences of a treebank, data set or text")
    .addOption(
      new Option(
        "--sample <share>",
        "links: share of the pages to read, such as 1% or 0.01",
      ).argParser(share),
    )
    .option("--seed <n>", "links: seed of the sample (default: 1)", wholeNumber(0))
    .option(
      "--all-sentences",
      "keep sentences without a bracket; links: also those over 100 tokens, or with brackets of one token only",
    )
    .addOption(
      new Option(
        "--blocks <list>",
        "links: parts of pages to take sentences from: prose,list,heading,caption",
      ).argParser(commaList),
    )
    .addOption(
      languageOption(
        "language of the text, such as de or pt-BR (default: the dump's, otherwise en)",
      ),
    )
    .option("--same-language", "leave out sentences that are surely in another language")
    .addHelpText("after", `\nSources:\n${sources.join("\n")}`);
}

export function build(command: Command): void {
  addExtractOptions(command)
    .option("-o, --out <file>", "write to a file; links: a killed run continues when started again")
    .option("--json", "print the report as JSON (to standard error)")
    .addOption(threadsOption("links: "))
    .addOption(shardOption("links: read only the i-th of n parts of the input"))
    .addHelpText(
      "after",
      examples(
        "bracken extract qasrl qasrl-bank/ --predicates --clean -o qasrl.jsonl",
        "bracken extract auto qasrl/ qamr/ --clean --english --exclude wsj/ -o answers.jsonl",
        "bracken extract wikipedia enwiki-*-pages-articles.xml.bz2 --sample 1% -o wiki.jsonl",
        "bracken extract markdown docs/ --kinds link,emphasis -o docs.jsonl",
      ),
    )
    .action(run);
}

async function run(source: string, names: string[], options: Options): Promise<void> {
  checkSingleStdin(names);
  const { out, json, threads = availableParallelism(), ...rest } = options;
  const onNote = (note: string) => process.stderr.write(`${note}\n`);
  const report = await runExtract(names, { ...rest, source, threads }, out, onNote);
  process.stderr.write(json ? `${JSON.stringify(report)}\n` : reportText(report));
}

function commaList(value: string): string[] {
  return value.split(",").map((name) => name.trim());
}

function share(value: string): number {
  const number = value.endsWith("%") ? Number(value.slice(0, -1)) / 100 : Number(value);
  if (number > 0 && number <= 1) return number;
  throw new InvalidArgumentError("It must be a share like 1% or 0.01.");
}

/** The report for people. */
export function reportText(report: ExtractReport): string {
  const lines = [
    ...(report.pages > 0 ? [`${report.pages} pages, ${report.read} sentences in them`] : []),
    `${report.written} sentences, ${report.brackets} brackets, ${report.multiToken} of two or more tokens`,
    ...[...report.dropped].map(([reason, count]) => `  left out: ${count} ${reason}`),
    ...(report.bad > 0 ? [`  malformed, skipped: ${report.bad}`] : []),
  ];
  return `${lines.join("\n")}\n`;
}
