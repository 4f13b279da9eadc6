/**
 * Which gold trees a model was trained on, so that nobody measures it on the same ones: a file of the model with a hash
 * of each sentence. The hash is of letters and digits only, so it finds the sentence in any format and tokenisation.
 */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { textKey } from "../brackets/sentence-keys.js";
import type { ModelFolder } from "./folder.js";
import { broken } from "./source.js";

/** The name of the file; a model without gold trees does not have it. */
export const TRAINED_ON = "trained-on.txt";

/** Among a million sentences two have the same hash of 48 bits with a probability of 1 in 500. */
const DIGITS = 12;

/** The hash of a sentence; undefined if it has no letter and no digit. */
export function sentenceHash(words: readonly string[]): string | undefined {
  const key = textKey(words);
  return key === "" ? undefined : createHash("sha256").update(key).digest("hex").slice(0, DIGITS);
}

/** The contents of the file. */
export function trainedOnText(hashes: ReadonlySet<string>): string {
  return [...hashes]
    .sort()
    .map((hash) => `${hash}\n`)
    .join("");
}

/** The hashes of the sentences whose gold trees a model was trained on. */
export async function readTrainedOn({ folder, files }: ModelFolder): Promise<Set<string>> {
  if (!files.has(TRAINED_ON)) return new Set();
  const file = join(folder, TRAINED_ON);
  const hashes = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
  const isHash = (line: string) => line.length === DIGITS && /^[0-9a-f]+$/.test(line);
  if (!hashes.every(isHash)) throw broken(file, "not every line is the hash of a sentence");
  return new Set(hashes);
}
