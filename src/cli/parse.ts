/** `bracken parse`: text in, trees out, in the order of the input and in bounded memory. */

import { stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { type Command, Option } from "commander";
import { Progress } from "../display/progress.js";
import { InputError } from "../errors.js";
import { expandInputs, STDIN } from "../files/input.js";
import { type DonePlace, NOTHING_DONE, type Shard } from "../files/shard.js";
import { openSink, withNote } from "../files/sink.js";
import type { Decoding } from "../model/config.js";
import { findModel } from "../model/find-model.js";
import { modelIdentity } from "../model/folder.js";
import type { Precision } from "../model/precision.js";
import { loadParser } from "../parser/load-parser.js";
import type { ParseOptions, ParseProblem, Parser } from "../parser/parser.js";
import type { Parse, ParserInput } from "../parser/sentence.js";
import { formatOf, INPUT_FORMATS, type InputFormat, type SentenceInput } from "../runs/inputs.js";
import { parseEach } from "../runs/parse-each.js";
import { type ParseRun, runParser } from "../runs/parse-run.js";
import { writeOutcome } from "../runs/parse-writer.js";
import { WINDOW_ITEMS } from "../streams/windows.js";
import { TREE_FORMATS, type TreeFormatName } from "../trees/formats.js";
import {
  checkSingleStdin,
  collect,
  decodingOption,
  examples,
  precisionOption,
  probability,
  shardOption,
  wholeNumber,
} from "./options.js";

interface Options {
  readonly model: readonly string[];
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
  const outputs = Object.entries(TREE_FORMATS).map(
    ([name, { summary }]) => `  ${name.padEnd(11)} ${summary}`,
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
    .addOption(decodingOption())
    .option("--threshold <p>", "leave out phrases less probable than p", probability)
    .option("--constrain", "brackets in the input must be in the tree: [the old man] left")
    .option("--no-punct", "leave punctuation out of the trees written")
    .option("--max-tokens <n>", "longer sentences get a right-branching tree", wholeNumber(1))
    .option("--threads <n>", "processor threads", wholeNumber(1))
    .addOption(precisionOption())
    .addOption(shardOption("the i-th of n parts of the input"))
    .option("-o, --out <file>", "write to a file; started again, a killed run goes on")
    .addHelpText("after", `\nInput:\n${inputs.join("\n")}\n\nOutput:\n${outputs.join("\n")}`)
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
  const inputs = await findInputs(names, options);
  const sizes = await Promise.all(inputs.map(sizeOf));
  const models = options.model.length > 0 ? options.model : ["default"];
  const identities = await Promise.all(
    models.map(async (model) => modelIdentity(await findModel(model))),
  );
  const parser = new LazyParser(models, options);
  const progress = new Progress({ unit: "sentences" });
  try {
    await parseInputs(parser, inputs, {
      options,
      key: runKey(options, inputs, sizes, identities),
      meter: new Meter(sizes, options.shard, progress),
    });
  } finally {
    progress.finish();
    await parser.close();
  }
}

/** Loaded when there is something to parse, since that tells whether it pays to start threads. */
class LazyParser {
  readonly #models: readonly string[];
  readonly #options: Options;
  readonly #processors: number;
  #parser: Promise<Parser> | undefined;

  constructor(models: readonly string[], options: Options) {
    this.#models = models;
    this.#options = options;
    this.#processors = options.threads ?? availableParallelism();
  }

  /** One window more than threads, so that there is work at hand when one ends. */
  get width(): number {
    return this.#processors + 1;
  }

  async parse(sentences: readonly ParserInput[]): Promise<(Parse | ParseProblem)[]> {
    this.#parser ??= this.#load(sentences.length);
    return parseEach(await this.#parser, sentences, parseOptions(this.#options));
  }

  /** Many sentences in the first window are a sign of more to come. */
  #load(sentences: number): Promise<Parser> {
    const threads = this.#processors;
    const workers = sentences >= WINDOW_ITEMS / 2 && threads > 1 ? threads : 0;
    return loadParser(this.#models, { threads, workers, precision: this.#options.precision });
  }

  async close(): Promise<void> {
    await (await this.#parser)?.close();
  }
}

const FOLDER_EXTENSIONS = [".txt", ".jsonl", ".conllu", ".mrg", ".tree", ".penn"];

async function findInputs(names: readonly string[], options: Options): Promise<SentenceInput[]> {
  const given = options.lines ? "lines" : options.tokens ? "tokens" : options.input;
  const inputs: SentenceInput[] = [];
  for (const name of names) {
    if (await isText(name)) {
      inputs.push({ name: "the text", format: given ?? "text", text: name });
      continue;
    }
    for (const file of await expandInputs([name], FOLDER_EXTENSIONS)) {
      inputs.push({ name: file, format: given ?? formatOf(file) });
    }
  }
  return inputs;
}

/** An argument that is no file and looks like none is a text. */
async function isText(name: string): Promise<boolean> {
  if (name === STDIN || (await stat(name).catch(() => undefined))) return false;
  return /\s/.test(name.trim()) || /[.?!]$/.test(name);
}

/** In bytes on disk; not a number where that is not known. */
async function sizeOf({ name, text }: SentenceInput): Promise<number> {
  if (text !== undefined) return Buffer.byteLength(text);
  return name === STDIN ? Number.NaN : (await stat(name)).size;
}

/** What must be the same for a run to be taken up: all but where it is written and by how many. */
function runKey(
  { out: _, threads: __, model: ___, ...options }: Options,
  inputs: readonly SentenceInput[],
  sizes: readonly number[],
  models: readonly string[],
): string {
  return JSON.stringify({ inputs, sizes, options, models });
}

interface ParseProgress {
  readonly done: DonePlace;
}

async function parseInputs(
  parser: LazyParser,
  inputs: readonly SentenceInput[],
  { options, key, meter }: { options: Options; key: string; meter: Meter },
): Promise<void> {
  const sink = await openSink<ParseProgress>(options.out, key);
  const toTerminal = options.out === undefined && process.stdout.isTTY;
  const columns = toTerminal ? process.stdout.columns : undefined;
  const { constrain, shard } = options;
  if (sink.resumed) meter.resume();
  let done = sink.resumed?.done ?? NOTHING_DONE;
  const run: ParseRun = {
    inputs,
    parse: (sentences) => parser.parse(sentences),
    width: parser.width,
    constrain,
    shard,
    done: sink.resumed?.done,
    onBytes: (count) => meter.read(count),
  };
  try {
    for await (const step of runParser(run)) {
      const written = step.outcomes.map((outcome) =>
        writeOutcome(outcome, { ...options, columns }),
      );
      for (const { note } of written) if (note) process.stderr.write(`${note}\n`);
      done = step.done;
      await sink.write(written.map(({ text }) => text).join(""), { done });
      meter.done(step.outcomes.length);
    }
  } catch (error) {
    const note = await sink.stop({ done });
    throw error instanceof InputError ? withNote(error, note) : error;
  }
  await sink.finish();
}

function parseOptions({ marginals, kbest, decoding, threshold, maxTokens }: Options): ParseOptions {
  return { marginals, kBest: kbest, decoding, threshold, maxTokens };
}

/** Tells the progress how far along the run is: of the bytes that are its own to read. */
class Meter {
  readonly #progress: Progress;
  readonly #end: number;
  /** Whether it begins with the first byte. */
  #isWhole: boolean;
  #begin: number | undefined;
  #read = 0;

  constructor(sizes: readonly number[], shard: Shard | undefined, progress: Progress) {
    this.#progress = progress;
    const total = sizes.reduce((sum, size) => sum + size, 0);
    this.#end = shard ? (total / shard.of) * shard.number : total;
    this.#isWhole = shard === undefined || shard.number === 1;
  }

  /** Some of it was done before. */
  resume(): void {
    this.#isWhole = false;
  }

  read(bytes: number): void {
    this.#read += bytes;
  }

  /** What was read before the first sentences were done was another shard's, or done before. */
  done(sentences: number): void {
    this.#begin ??= this.#isWhole ? 0 : this.#read;
    const share = (this.#read - this.#begin) / (this.#end - this.#begin);
    this.#progress.advance(sentences, Number.isFinite(share) && share > 0 ? share : undefined);
  }
}
