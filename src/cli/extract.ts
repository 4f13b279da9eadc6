/** `bracken extract`: from what people published to Bracketings, one JSON object a line. */

import { stat } from "node:fs/promises";
import { Argument, type Command, Option } from "commander";
import { readExcluded } from "../brackets/exclude.js";
import { type ExtractOptions, ExtractReport, extract } from "../brackets/extract.js";
import { toLine } from "../brackets/record.js";
import { SOURCES } from "../brackets/sources/index.js";
import { expandInputs, STDIN, TextInput } from "../io/input.js";
import { withOutput } from "../io/output.js";
import { Progress } from "../io/progress.js";
import { checkSingleStdin, examples, wholeNumber } from "./options.js";

interface Options extends Omit<ExtractOptions, "source" | "exclude" | "kinds"> {
  readonly output?: string;
  readonly exclude?: string[];
  readonly clean?: boolean;
  readonly kinds?: string;
  readonly json?: boolean;
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

export function build(command: Command): void {
  const names = [...SOURCES.map(({ name }) => name), "auto"];
  const sources = SOURCES.map(({ name, summary }) => `  ${name.padEnd(12)} ${summary}`);
  command
    .addArgument(
      new Argument("<source>", "where the files are from; auto recognises them").choices(names),
    )
    .argument("<files...>", "files, folders or patterns, plain or gzipped, or -")
    .option("-o, --output <file>", "write to a file")
    .addOption(
      new Option("--merge <by>", "unite what is said of the same sentence")
        .choices(["text", "id", "none"])
        .default("text"),
    )
    .option("--predicates", "qasrl: also bracket verbs with what was asked of them")
    .option("--match-text", "qasrl-gs: find answers by their text, not their offsets")
    .option("--skip-bad", "count malformed lines and go on")
    .option("--clean", "all of the following that have no number, and --max-tokens 100")
    .option("--trim-punctuation", "cut punctuation from the ends of brackets")
    .option("--drop-single", "drop single-word brackets")
    .option("--drop-whole", "drop whole-sentence brackets")
    .option("--drop-unbalanced", "drop brackets with half a pair of quotes or parentheses")
    .option("--drop-near-duplicates", "drop sentences nearly equal to one before")
    .option("--require-multi", "drop sentences without a multi-token bracket")
    .option("--max-tokens <n>", "drop longer sentences", wholeNumber(1))
    .option("--agreement <k>", "drop brackets that fewer than k people gave", wholeNumber(1))
    .option("--kinds <list>", "keep these kinds only, separated by commas")
    .option("--exclude <file...>", "drop sentences that stand in a treebank, data set or text")
    .option("--json", "print the report as JSON, on standard error")
    .addHelpText("after", `\nSources:\n${sources.join("\n")}`)
    .addHelpText(
      "after",
      examples(
        "bracken extract qasrl qasrl-bank/ --predicates --clean -o qasrl.jsonl",
        "bracken extract auto qasrl/ qamr/ --clean --exclude wsj/ -o answers.jsonl",
      ),
    )
    .action(run);
}

async function run(sourceName: string, names: string[], options: Options): Promise<void> {
  checkSingleStdin(names);
  const source = SOURCES.find(({ name }) => name === sourceName);
  const extensions = source?.extensions ?? [...new Set(SOURCES.flatMap((each) => each.extensions))];
  const files = await expandInputs(names, extensions);
  const exclude = options.exclude && (await readExcluded(options.exclude));
  const progress = new Progress({ unit: "sentences" });
  const inputs = await openInputs(files, progress);
  const report = new ExtractReport();
  const { kinds, ...rest } = { ...(options.clean ? CLEAN : {}), ...options };
  const settings = {
    ...rest,
    source,
    exclude,
    kinds: kinds ? new Set(kinds.split(",")) : undefined,
  };
  await withOutput(options.output, async (output) => {
    for await (const bracketing of extract(inputs, settings, report)) {
      await output.write(toLine(bracketing));
      progress.advance();
    }
  });
  progress.finish();
  process.stderr.write(options.json ? `${reportJson(report)}\n` : reportText(report));
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
    `${report.written} sentences, ${report.brackets} brackets, ${report.multiToken} of two or more tokens`,
    ...[...report.dropped].map(([reason, count]) => `  left out: ${count} ${reason}`),
    ...(report.bad > 0 ? [`  malformed, passed over: ${report.bad}`] : []),
  ];
  return `${lines.join("\n")}\n`;
}

function reportJson({ read, written, brackets, multiToken, bad, dropped }: ExtractReport): string {
  return JSON.stringify({
    read,
    written,
    brackets,
    multiToken,
    bad,
    dropped: Object.fromEntries(dropped),
  });
}
