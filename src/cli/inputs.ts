/** What `parse` and `phrases` have in common: their inputs, their options for bulk, their progress. */

import { stat } from "node:fs/promises";
import { type Command, Option } from "commander";
import { Progress } from "../display/progress.js";
import { InputError } from "../errors.js";
import { expandInputs } from "../files/expand-inputs.js";
import { STDIN } from "../files/input.js";
import type { Shard } from "../files/shard.js";
import type { Precision } from "../model/config.js";
import { formatOf, INPUT_FORMATS, type InputFormat, type RunInput } from "../runs/inputs.js";
import {
  collect,
  INPUT_FILES,
  precisionOption,
  RESUMABLE_OUT,
  shardOption,
  textLanguageOption,
  threadsOption,
} from "./options.js";

/** What is read, and with which models. */
export interface InputOptions {
  readonly model?: readonly string[];
  readonly precision: Precision;
  readonly input?: InputFormat;
  readonly lines?: boolean;
  readonly tokens?: boolean;
  readonly language: string;
}

/** Adds the argument and the options. */
export function addInputOptions(command: Command): Command {
  return command
    .argument("<input...>", `a text, or ${INPUT_FILES}`)
    .option(
      "-m, --model <name>",
      "name or folder of a model; repeat it to parse with several models together (default: the installed model that knows the language)",
      collect,
    )
    .addOption(textLanguageOption())
    .addOption(precisionOption())
    .addOption(
      new Option("--input <format>", "input format (default: by file name)").choices(
        Object.keys(INPUT_FORMATS),
      ),
    )
    .option("--lines", "same as --input lines")
    .option("--tokens", "same as --input tokens");
}

/** How much of the machine and of the input a run takes, and where its output goes. */
export interface BulkOptions {
  readonly threads?: number;
  readonly shard?: Shard;
  readonly out?: string;
}

export function addBulkOptions(command: Command): Command {
  return command
    .addOption(threadsOption())
    .addOption(shardOption("parse only the i-th of n equal parts of the input"))
    .option("-o, --out <file>", RESUMABLE_OUT);
}

/** Progress and notes on standard error while the work is done. */
export async function withProgress(
  work: (progress: Progress, onNote: (note: string) => void) => Promise<void>,
): Promise<void> {
  const progress = new Progress({ unit: "sentences" });
  try {
    await work(progress, (note) => process.stderr.write(`${note}\n`));
  } finally {
    progress.finish();
  }
}

const FOLDER_EXTENSIONS = [".txt", ".jsonl", ".conllu", ".mrg", ".tree", ".penn"];

export async function findInputs(
  names: readonly string[],
  options: InputOptions,
): Promise<RunInput[]> {
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
  return /\s/.test(name.trim()) || /[.?!…。．！？]["”’»」』）)]?$/u.test(name);
}
