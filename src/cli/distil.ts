/** `bracken distil`: writes the soft labels of one or several models, for another model to learn from. */

import type { Command } from "commander";
import { readBracketings } from "../brackets/read-bracketings.js";
import { type Bracketing, toLine } from "../brackets/record.js";
import { Progress } from "../display/progress.js";
import { expandInputs } from "../files/input.js";
import type { RunKey } from "../files/resumable.js";
import { openSink, type Sink } from "../files/sink.js";
import { TextInput } from "../files/text-input.js";
import type { Precision } from "../model/config.js";
import { findModel } from "../model/find-model.js";
import { ModelFolder } from "../model/folder.js";
import { SpanModel } from "../model/span-model.js";
import { commonLanguage } from "../parser/from-text.js";
import { cutWindows } from "../streams/windows.js";
import { type SoftLabelOptions, softLabelsOf } from "../training/soft-labels.js";
import {
  checkSingleStdin,
  collect,
  examples,
  numberThat,
  precisionOption,
  probability,
  RESUMABLE_OUT,
  threadsOption,
  wholeNumber,
} from "./options.js";

interface Options extends SoftLabelOptions {
  readonly model: readonly string[];
  readonly maxTokens: number;
  readonly precision: Precision;
  readonly threads?: number;
  readonly out?: string;
}

export function build(command: Command): void {
  command
    .argument("<data...>", "Bracketings (JSON lines, also .gz, .bz2, .xz), with or without brackets")
    .requiredOption(
      "-m, --model <name>",
      "name or folder of a model; repeat it for several",
      collect,
    )
    .option(
      "--cost-factor <lambda>",
      "how much score a tree loses for each bracket that it crosses",
      numberThat((value) => value >= 0, "a number, 0 or more"),
      3,
    )
    .option("--least <p>", "leave out spans with a probability below p", probability, 0.02)
    .option("--max-tokens <n>", "leave out longer sentences", wholeNumber(1), 100)
    .addOption(precisionOption())
    .addOption(threadsOption())
    .option("-o, --out <file>", RESUMABLE_OUT)
    .addHelpText(
      "after",
      examples(
        "bracken distil answers.jsonl links.jsonl -m runs/seed-1 -m runs/seed-2 -o soft.jsonl",
        "bracken train soft.jsonl --out models/student",
      ),
    )
    .action(run);
}

async function run(names: string[], options: Options): Promise<void> {
  checkSingleStdin(names);
  const files = await expandInputs(names, [".jsonl"]);
  const folders = await Promise.all(
    options.model.map(async (name) => ModelFolder.open(await findModel(name))),
  );
  await commonLanguage(folders.map(({ config }) => config));
  const { costFactor, least, maxTokens, precision, out } = options;
  const models = folders.map(({ identity }) => identity);
  const key: RunKey = { models, costFactor, least, maxTokens, precision };
  const sink = await openSink<DistilProgress>(out, { inputs: files, key });
  if (sink.note) process.stderr.write(`${sink.note}\n`);
  await writeSoftLabels(sink, folders, files, options);
}

/** How many sentences are done. */
interface DistilProgress {
  readonly sentences: number;
}

async function writeSoftLabels(
  sink: Sink<DistilProgress>,
  folders: readonly ModelFolder[],
  files: readonly string[],
  options: Options,
): Promise<void> {
  const { threads, precision } = options;
  const progress = new Progress({ unit: "sentences" });
  const models: SpanModel[] = [];
  let done = sink.resumed?.sentences ?? 0;
  try {
    for (const folder of folders) models.push(await SpanModel.load(folder, { threads, precision }));
    for await (const window of sink.isWhole ? [] : windows(files, options, done)) {
      const found = await softLabelsOf(models, window, options);
      done += window.length;
      await sink.write(found.map(toLine).join(""), { sentences: done });
      progress.advance(window.length);
    }
  } catch (error) {
    throw await sink.stop(error, { sentences: done });
  } finally {
    progress.finish();
    await Promise.all(models.map((model) => model.close()));
  }
  await sink.finish({ sentences: done });
}

async function* windows(
  files: readonly string[],
  options: Options,
  done: number,
): AsyncGenerator<Bracketing[]> {
  const left = skip(read(files, options), done);
  yield* cutWindows(left, { wordsOf: ({ tokens }) => tokens.length });
}

async function* skip<Item>(items: AsyncIterable<Item>, count: number): AsyncGenerator<Item> {
  let seen = 0;
  for await (const item of items) if (seen++ >= count) yield item;
}

async function* read(files: readonly string[], { maxTokens }: Options): AsyncGenerator<Bracketing> {
  for (const file of files) {
    for await (const bracketing of readBracketings(new TextInput(file))) {
      const { length } = bracketing.tokens;
      if (length > 2 && length <= maxTokens) yield bracketing;
    }
  }
}
