/** Reads a BERT's files from disk. Their contents are parsed elsewhere, where a browser can do it too. */

import { readFile } from "node:fs/promises";
import { InputError } from "../errors.js";
import { type BertConfig, parseConfig } from "./config.js";
import { WordPieces } from "./wordpiece.js";

export async function readWordPieces(file: string): Promise<WordPieces> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new InputError(error.message, { file }, "a BERT folder needs a tokenizer.json");
  });
  return WordPieces.parse(text, file);
}

export async function readConfig(file: string): Promise<BertConfig> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new InputError(error.message, { file }, "a BERT folder needs a config.json");
  });
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new InputError(`not JSON (${(error as Error).message})`, { file });
  }
  return parseConfig(parsed, file);
}
