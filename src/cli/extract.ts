/** `bracken extract`: from what people published to Bracketings, one JSON object a line. */

import { stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { toLine } from "../brackets/record.js";
import { Progress } from "../display/progress.js";
import { InputError } from "../errors.js";
import { readExcluded } from "../extract/exclude.js";
import { type ExtractOptions, ExtractReport, extract } from "../extract/extract.js";
import { extractLinks } from "../extract/links/extract.js";
import type { JobSettings } from "../extract/links/job.js";
import { type BlockKind, MARK_KINDS } from "../extract/links/marked.js";
import { isLinkSource, type LinkSource } from "../extract/links/source.js";
import { SOURCES } from "../extract/sources/index.js";
import { expandInputs, STDIN, TextInput } from "../files/input.js";
import { withOutput } from "../files/output.js";
import type { Shard } from "../files/shard.js";
import { findLanguage, grammarOf } from "../languages/index.js";
import {
  checkSingleStdin,
  examples,
  languageOption,
  MOST_THREADS,
  shardOption,
  wholeNumber,
} from "./options.js";

interface Options extends Omit<ExtractOptions, "source" | "language" | "exclude" | "kinds"> {
  readonly out?: string;
  readonly exclude?: string[];
  readonly clean?: boolean;
  readonly english?: boolean;
  readonly kinds?: string;
  readonly json?: boolean;
  readonly allSentences?: boolean;
  readonly blocks?: string;
  readonly language?: string;
  readonly sample?: number;
  readonly seed: number;
  readonly shard?: Shard;
  readonly threads?: number;
}

/** What `--clean` turns on: all that a trainer would want gone. */
const CLEAN: Partial<Options> = {
  trimPunctuation: true,
  dropSingle: true,
  dropWhole: true,
  dropUnbalanced: true,
  maxTokens: 100,
  requireMulti: true,
  dropNearDuplicates: true,
};

/** What `--english` turns on. */
const ENGLISH: Partial<Options> = {
  clauses: true,
  takeDeterminers: true,
  addParts: true,
  markFlat: true,
};

/** The options with those that others stand for. */
function unfold(options: Options): Options {
  return { ...(options.clean ? CLEAN : {}), ...(options.english ? ENGLISH : {}), ...options };
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
      new Option("--merge <by>", "unite what is said of the same sentence")
        .choices(["text", "id", "none"])
        .default("text"),
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
    .option("--kinds <list>", "keep these kinds only, separated by commas")
    .option("--exclude <file...>", "drop sentences that stand in a treebank, data set or text")
    .option("--json", "print the report as JSON, on standard error")
    .addOption(
      new Option("--sample <share>", "links: a share of the pages, 1% or 0.01").argParser(share),
    )
    .option("--seed <n>", "links: which sample", wholeNumber(0), 1)
    .option("--all-sentences", "links: also those over 100 tokens or without a multi-token bracket")
    .option("--blocks <list>", "links: sentences of prose,list,heading,caption")
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

async function run(
  sourceName: string,
  names: string[],
  options: Options,
  command: Command,
): Promise<void> {
  checkSingleStdin(names);
  checkGrammar(options);
  const source = SOURCES.find(({ name }) => name === sourceName);
  const report = new ExtractReport();
  if (isLinkSource(source)) {
    refuseComparing(options, command);
    await runLinks(source, names, options, report);
  } else {
    await runAnswers(source, names, options, report);
  }
  process.stderr.write(options.json ? `${reportJson(report)}\n` : reportText(report));
}

async function runAnswers(
  source: ExtractOptions["source"],
  names: string[],
  options: Options,
  report: ExtractReport,
): Promise<void> {
  // Pages of text may stand beside data of any kind; they are taken where they are asked for.
  const others = SOURCES.filter((each) => !isLinkSource(each));
  const extensions = source?.extensions ?? [...new Set(others.flatMap((each) => each.extensions))];
  const files = await expandInputs(names, extensions);
  const exclude = options.exclude && (await readExcluded(options.exclude));
  const progress = new Progress({ unit: "sentences" });
  const inputs = await openInputs(files, progress);
  const { kinds, language, ...rest } = unfold(options);
  const settings = {
    ...rest,
    source,
    language: language === undefined ? undefined : findLanguage(language),
    exclude,
    kinds: kinds ? new Set(kinds.split(",")) : undefined,
  };
  await withOutput(options.out, async (output) => {
    for await (const bracketing of extract(inputs, settings, report)) {
      await output.write(toLine(bracketing));
      progress.advance();
    }
  });
  progress.finish();
}

/** Before any output is opened: rules about phrases need the language's grammar. */
function checkGrammar(options: Options): void {
  const { language, clauses, takeDeterminers, addParts, markFlat } = unfold(options);
  if (language === undefined) return;
  if (clauses || takeDeterminers || addParts || markFlat) grammarOf(findLanguage(language));
}

/** What compares all sentences with each other can not be done page by page. */
function refuseComparing(options: Options, command: Command): void {
  const merges = options.merge !== "none" && command.getOptionValueSource("merge") === "cli";
  if (!merges && !options.dropNearDuplicates) return;
  throw new InputError(
    `${merges ? "--merge" : "--drop-near-duplicates"} is not for pages, which are worked on one by one`,
    {},
    "do it afterwards: bracken extract jsonl PAGES.jsonl --merge text --drop-near-duplicates",
  );
}

async function runLinks(
  source: LinkSource,
  names: string[],
  options: Options,
  report: ExtractReport,
): Promise<void> {
  const exclude = options.exclude && (await readExcluded(options.exclude));
  const progress = new Progress({ unit: "pages" });
  await extractLinks(
    {
      files: await expandInputs(names, source.extensions),
      format: source.format,
      extensions: source.extensions,
      settings: { ...linkSettings(source, options), exclude },
      workers: options.threads ?? availableParallelism(),
      shard: options.shard,
      output: options.out,
      excludeNames: options.exclude ?? [],
      progress,
    },
    report,
  );
  progress.finish();
}

function linkSettings(source: LinkSource, options: Options): JobSettings {
  const { allSentences = false, sample, seed, language, skipBad = false } = options;
  const {
    trimPunctuation,
    takeDeterminers,
    addParts,
    markFlat,
    dropSingle,
    dropWhole,
    dropUnbalanced,
    minAnnotators,
    maxTokens,
    requireMulti,
  } = unfold(options);
  return {
    source: source.name,
    language,
    kinds: chosen("kinds", options.kinds, MARK_KINDS) ?? ["link"],
    blocks: chosen("blocks", options.blocks, BLOCK_KINDS) ?? source.blocks,
    sample: sample === undefined ? undefined : { share: sample, seed },
    clean: {
      trimPunctuation,
      takeDeterminers,
      addParts,
      markFlat,
      dropSingle,
      dropWhole,
      dropUnbalanced,
      minAnnotators,
      maxTokens: maxTokens ?? (allSentences ? undefined : 100),
      requireMulti: requireMulti ?? !allSentences,
    },
    keepBare: allSentences,
    skipBad,
  };
}

const BLOCK_KINDS = ["prose", "list", "heading", "caption"] as const satisfies BlockKind[];

/** The names in a list that is separated by commas, if they are known. */
function chosen<Name extends string>(
  option: string,
  list: string | undefined,
  known: readonly Name[],
): Name[] | undefined {
  const names = list?.split(",").map((name) => name.trim() as Name);
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  throw new InputError(`--${option}: there is no "${unknown}"`, {}, `known: ${known.join(", ")}`);
}

function share(value: string): number {
  const number = value.endsWith("%") ? Number(value.slice(0, -1)) / 100 : Number(value);
  if (number > 0 && number <= 1) return number;
  throw new InvalidArgumentError("It must be a share like 1% or 0.01.");
}

async function openInputs(files: readonly string[], progress: Progress): Promise<TextInput[]> {
  const known = files.filter((file) => file !== STDIN);
  const sizes = await Promise.all(known.map(async (file) => (await stat(file)).size));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let read = 0;
  const onBytes = (count: number) => {
    read += count;
    progress.advance(0, known.length === files.length ? read / total : undefined);
  };
  return files.map((file) => new TextInput(file, { onBytes }));
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

function reportJson(report: ExtractReport): string {
  const { pages, read, written, brackets, multiToken, bad, dropped } = report;
  return JSON.stringify({
    ...(pages > 0 ? { pages } : {}),
    read,
    written,
    brackets,
    multiToken,
    bad,
    dropped: Object.fromEntries(dropped),
  });
}
