/** `bracken parse`: text in, trees out, in the order of the input and in bounded memory. */

import { stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { type Command, Option } from "commander";
import { InputError } from "../errors.js";
import { expandInputs, STDIN } from "../io/input.js";
import { mapOrdered } from "../io/ordered.js";
import { type Output, withOutput } from "../io/output.js";
import { Progress } from "../io/progress.js";
import {
  formatOf,
  INPUT_FORMATS,
  type InputFormat,
  type InputItem,
  readSentences,
  textItems,
} from "../parser/inputs.js";
import { loadParser } from "../parser/load-parser.js";
import { toParseRecord, withoutPunctuation } from "../parser/parse-record.js";
import type { ParseOptions, Parser } from "../parser/parser.js";
import type { Parse, ParserInput } from "../parser/sentence.js";
import { PRECISIONS, type Precision } from "../parser/span-parser.js";
import { cutWindows, WINDOW_ITEMS } from "../parser/windows.js";
import { TREE_FORMATS, type TreeFormat, type TreeFormatName } from "../trees/formats.js";
import { checkSingleStdin, collect, examples, probability, wholeNumber } from "./options.js";

interface Options {
  readonly model: readonly string[];
  readonly input?: InputFormat;
  readonly lines?: boolean;
  readonly tokens?: boolean;
  readonly format: TreeFormatName;
  readonly scores?: boolean;
  readonly marginals?: boolean;
  readonly kbest?: number;
  readonly mbr?: boolean;
  readonly nary?: number;
  readonly constrain?: boolean;
  readonly punct: boolean;
  readonly maxTokens?: number;
  readonly threads?: number;
  readonly precision: Precision;
  readonly output?: string;
}

export function build(command: Command): void {
  const inputs = Object.entries(INPUT_FORMATS).map(
    ([name, summary]) => `  ${name.padEnd(8)} ${summary}`,
  );
  const outputs = Object.entries(TREE_FORMATS).map(
    ([name, { summary }]) => `  ${name.padEnd(8)} ${summary}`,
  );
  command
    .argument("<input...>", "a text, or files, folders or patterns, plain or gzipped, or -")
    .option(
      "-m, --model <name>",
      "a model folder; several, named one by one, decide together",
      collect,
      [],
    )
    .addOption(
      new Option(
        "--input <form>",
        "what the input is; told from file names where it is not given",
      ).choices(Object.keys(INPUT_FORMATS)),
    )
    .option("--lines", "the same as --input lines")
    .option("--tokens", "the same as --input tokens")
    .addOption(
      new Option("-f, --format <name>", "the form to write")
        .choices(Object.keys(TREE_FORMATS))
        .default("penn"),
    )
    .option("--scores", "json: the score of each phrase")
    .option("--marginals", "json: the probability of each phrase")
    .option("--kbest <k>", "json: the k best trees", wholeNumber(1))
    .option("--mbr", "the tree expected to have the most phrases right")
    .option("--nary <p>", "leave out phrases less probable than p", probability)
    .option("--constrain", "brackets in the input must be in the tree: [the old man] left")
    .option("--no-punct", "leave punctuation out of the trees written")
    .option("--max-tokens <n>", "longer sentences get a right-branching tree", wholeNumber(1))
    .option("--threads <n>", "processor threads", wholeNumber(1))
    .addOption(
      new Option("--precision <name>", "int8 is faster, and a little less exact")
        .choices([...PRECISIONS])
        .default("fp32" satisfies Precision),
    )
    .option("-o, --output <file>", "write to a file")
    .addHelpText("after", `\nInput:\n${inputs.join("\n")}\n\nOutput:\n${outputs.join("\n")}`)
    .addHelpText(
      "after",
      examples(
        'bracken parse "The old man the boats." --format text',
        "bracken parse --lines corpus.txt.gz -o trees.txt",
        "bracken parse --model models/mine report.txt",
      ),
    )
    .action(run);
}

async function run(names: string[], options: Options): Promise<void> {
  checkSingleStdin(names);
  const progress = new Progress({ unit: "sentences" });
  try {
    await withOutput(options.output, async (output) => {
      const writer = new ParseWriter(output, options);
      for await (const window of parseItems(readAll(names, options), options)) {
        for (const parsed of window) await writer.write(parsed);
        progress.advance(window.length);
      }
    });
  } finally {
    progress.finish();
  }
}

/** The outcomes of all items, window by window. */
async function* parseItems(
  items: AsyncIterable<InputItem>,
  options: Options,
): AsyncGenerator<Outcome[]> {
  const processors = options.threads ?? availableParallelism();
  let parser: Promise<Parser> | undefined;
  const parse = async (window: readonly InputItem[]) => {
    // Where the first window is full, much is to come, and it pays to start threads.
    const workers = isFull(window) && processors > 1 ? processors : 0;
    const { model, precision } = options;
    parser ??= loadParser(model.length > 0 ? model : undefined, {
      threads: processors,
      precision,
      workers,
    });
    return parseWindow(await parser, window, options);
  };
  try {
    yield* mapOrdered(cutWindows(items, wordsOf), processors + 1, parse);
  } finally {
    await (await parser)?.close();
  }
}

function wordsOf({ input }: InputItem): number {
  return input?.leaves.length ?? 0;
}

function isFull(window: readonly InputItem[]): boolean {
  return window.length >= WINDOW_ITEMS;
}

/** An argument that is no file and looks like none is a text. */
async function* readAll(names: readonly string[], options: Options): AsyncGenerator<InputItem> {
  const given = options.lines ? "lines" : options.tokens ? "tokens" : options.input;
  for (const name of names) {
    if (await isText(name)) {
      yield* textItems(name);
      continue;
    }
    for (const file of await expandInputs([name], FOLDER_EXTENSIONS)) {
      yield* readSentences(file, given ?? formatOf(file), { markup: options.constrain });
    }
  }
}

const FOLDER_EXTENSIONS = [".txt", ".jsonl", ".conllu", ".mrg", ".tree", ".penn"];

async function isText(name: string): Promise<boolean> {
  if (name === STDIN || (await stat(name).catch(() => undefined))) return false;
  return /\s/.test(name.trim()) || /[.?!]$/.test(name);
}

type Outcome = InputItem & { readonly parse?: Parse };

/** Parses what can be parsed; constraints that conflict make a sentence a problem, not the run. */
async function parseWindow(
  parser: Parser,
  window: readonly InputItem[],
  options: Options,
): Promise<Outcome[]> {
  const settings: ParseOptions = {
    marginals: options.marginals,
    kBest: options.kbest,
    minimumRisk: options.mbr,
    threshold: options.nary,
    maxTokens: options.maxTokens,
  };
  const wanted = window.flatMap(({ input }) =>
    input ? [options.constrain ? input : unconstrained(input)] : [],
  );
  const parses = await parser.parseEach(wanted, settings);
  const queue = [...parses];
  return window.map((item) => {
    const found = item.input ? queue.shift() : undefined;
    if (!found) return item;
    if ("problem" in found) return { place: item.place, problem: found.problem };
    return { ...item, parse: found };
  });
}

function unconstrained({ leaves, text, offsets }: ParserInput): ParserInput {
  return { leaves, text, offsets };
}

/** Writes parses in the form asked for; a problem takes the place of a tree and is told on stderr. */
class ParseWriter {
  readonly #output: Output;
  readonly #options: Options;
  #written = 0;

  constructor(output: Output, options: Options) {
    this.#output = output;
    this.#options = options;
  }

  async write({ parse, problem, place }: Outcome): Promise<void> {
    const format: TreeFormat = TREE_FORMATS[this.#options.format];
    const gap = format.block && this.#written > 0 ? "\n" : "";
    this.#written += 1;
    if (parse) {
      await this.#output.write(`${gap}${this.#render(parse, format)}\n`);
      return;
    }
    const told = new InputError(problem ?? "no sentence", place);
    if (problem !== "an empty line") process.stderr.write(`${told.message}\n`);
    const isJson = this.#options.format === "json";
    await this.#output.write(isJson ? `${JSON.stringify({ error: told.message })}\n` : "\n");
  }

  #render(parse: Parse, format: TreeFormat): string {
    const { format: name, output, punct } = this.#options;
    if (name === "json") return JSON.stringify(toParseRecord(parse, this.#options));
    const toTerminal = output === undefined && process.stdout.isTTY;
    const tree = punct ? parse.tree : withoutPunctuation(parse.tree);
    return format.write(tree, toTerminal ? process.stdout.columns : undefined);
  }
}
