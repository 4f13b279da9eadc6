/** What `parse` and `phrases` take: a text, or files of any form. */

import { stat } from "node:fs/promises";
import { InputError } from "../errors.js";
import { expandInputs, STDIN } from "../files/input.js";
import { formatOf, type InputFormat, type RunInput } from "../runs/inputs.js";

export interface InputOptions {
  readonly input?: InputFormat;
  readonly lines?: boolean;
  readonly tokens?: boolean;
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
  return /\s/.test(name.trim()) || /[.?!]$/.test(name);
}
