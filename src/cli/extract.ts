/** `bracken extract`: from what people published to Bracketings, one JSON object a line. */

import { availableParallelism } from "node:os";
import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import type { ExtractOptions } from "../extract/options.js";
import type { ExtractReport } from "../extract/report.js";
import { runExtract } from "../extract/run.js";
import { SOURCES } from "../extract/sources/index.js";
import {
  checkSingleStdin,
  examples,
  languageOption,
  MOST_THREADS,
  shardOption,
  wholeNumber,
} from "./options.js";

interface Options extends Omit<ExtractOptions, "source" | "signal"> {
  readonly out?: string;
  readonly json?: boolean;
}

export function build(command: Command): void {
  const names = [...SOURCES.map(({ name }) => name), "auto"];
  const sources = SOURCES.map(({ name, summary }) => `  ${name.padEnd(12)} ${summary}`);
  command
    .addArgument(
      new Argument("<source>", "where the files are from; auto recognises them").choices(names),
    )
    .argument("<files...>", "files, folders or patterns, plain or gzipped, or -")
    .option("-o, --out <file>", "write to a file")
    .addOption(
      new Option(
        "--merge <by>",
        "unite what is said of the same sentence (default: text; links: none)",
      ).choices(["text", "id", "none"]),
    )
    .option("--predicates", "qasrl: also bracket verbs with what was asked of them")
    .option("--clauses", "qasrl: --predicates, and clauses, and verbs with each auxiliary")
    .option("--match-text", "qasrl-gs: find answers by their text, not their offsets")
    .option("--skip-bad", "count malformed lines and go on")
    .option("--clean", "all from --trim-punctuation on that have no value, and --max-tokens 100")
    .option("--english", "--clauses and the three that follow: the rules for English phrases")
    .option("--take-determiners", "let brackets after an article or possessive begin with it")
    .option("--add-parts", "add phrases that brackets must have inside")
    .option("--mark-flat", "mark spans in and around brackets that are no phrases")
    .option("--trim-punctuation", "cut punctuation from the ends of brackets")
    .option("--drop-single", "drop single-word brackets")
    .option("--drop-whole", "drop whole-sentence brackets")
    .option("--drop-unbalanced", "drop brackets with half a pair of quotes or parentheses")
    .option("--drop-near-duplicates", "drop sentences nearly equal to one before")
    .option("--require-multi", "drop sentences without a multi-token bracket")
    .option("--max-tokens <n>", "drop longer sentences", wholeNumber(1))
    .option(
      "--min-annotators <k>",
      "drop brackets given by fewer than k annotators",
      wholeNumber(1),
    )
    .option("--keep-annotators", "write who gave each bracket")
    .option("--labels", "vote for the names of phrases: NP, VP, PP, …; keeps questions, too")
    .addOption(
      new Option(
        "--kinds <list>",
        "keep these kinds only, separated by commas; links: link, emphasis, bold, code, quote, …",
      ).argParser(commaList),
    )
    .option("--exclude <file...>", "drop sentences that stand in a treebank, data set or text")
    .option("--json", "print the report as JSON, on standard error")
    .addOption(
      new Option("--sample <share>", "links: a share of the pages, 1% or 0.01").argParser(share),
    )
    .option("--seed <n>", "links: which sample (default: 1)", wholeNumber(0))
    .option(
      "--all-sentences",
      "also those without a bracket; links: also those over 100 tokens or without a multi-token one",
    )
    .addOption(
      new Option("--blocks <list>", "links: sentences of prose,list,heading,caption").argParser(
        commaList,
      ),
    )
    .addOption(languageOption("of the text, such as de or pt-BR; en, or what a dump says"))
    .option(
      "--threads <n>",
      "links: threads; as many as there are cores",
      wholeNumber(1, MOST_THREADS),
    )
    .addOption(shardOption("links: the i-th of n parts of the input"))
    .addHelpText("after", `\nSources:\n${sources.join("\n")}`)
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

function reportText(report: ExtractReport): string {
  const lines = [
    ...(report.pages > 0 ? [`${report.pages} pages, ${report.read} sentences in them`] : []),
    `${report.written} sentences, ${report.brackets} brackets, ${report.multiToken} of two or more tokens`,
    ...[...report.dropped].map(([reason, count]) => `  left out: ${count} ${reason}`),
    ...(report.bad > 0 ? [`  malformed, passed over: ${report.bad}`] : []),
  ];
  return `${lines.join("\n")}\n`;
}
