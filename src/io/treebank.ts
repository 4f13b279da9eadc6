/**
 * Treebanks as streams of trees: Penn-style files in any layout, or JSON records one a line, from
 * files, folders, patterns or standard input. Only the tree at hand is in memory.
 */

import { stat } from "node:fs/promises";
import { parseRecord } from "../trees/json.js";
import { type LocatedTree, type PennOptions, PennReader } from "../trees/penn-reader.js";
import { dropEmpty } from "../trees/transform.js";
import { expandInputs, type OpenOptions, readText, STDIN, splitLines } from "./input.js";

/** What a folder is searched for; a file that is named itself may be called anything. */
export const TREEBANK_EXTENSIONS = [
  ".mrg",
  ".tree",
  ".trees",
  ".parse",
  ".penn",
  ".ptb",
  ".prd",
  ".jsonl",
];

export type TreebankOptions = Omit<PennOptions, "file"> & {
  /** Called now and then with the share of the bytes read so far, where it is known. */
  readonly onProgress?: ((fraction: number | undefined) => void) | undefined;
};

export async function* readTreebank(
  names: string | readonly string[],
  options: TreebankOptions = {},
): AsyncGenerator<LocatedTree> {
  const files = await expandInputs([names].flat(), TREEBANK_EXTENSIONS);
  const total = options.onProgress ? await totalSize(files) : undefined;
  let read = 0;
  const onBytes = (count: number) => {
    read += count;
    options.onProgress?.(total === undefined ? undefined : read / total);
  };
  for (const file of files) yield* readFile(file, options, { onBytes });
}

async function totalSize(files: readonly string[]): Promise<number | undefined> {
  if (files.includes(STDIN)) return undefined;
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return sizes.reduce((sum, size) => sum + size, 0) || undefined;
}

async function* readFile(
  file: string,
  options: TreebankOptions,
  open: OpenOptions,
): AsyncGenerator<LocatedTree> {
  const chunks = readText(file, open);
  const first = await firstText(chunks);
  const whole = resume(first, chunks);
  yield* first.trimStart().startsWith("{")
    ? readRecords(whole, file, options)
    : readPenn(whole, file, options);
}

async function* readPenn(
  chunks: AsyncIterable<string>,
  file: string,
  options: TreebankOptions,
): AsyncGenerator<LocatedTree> {
  const reader = new PennReader({ ...options, file });
  for await (const chunk of chunks) yield* reader.push(chunk);
  yield* reader.end();
}

async function* readRecords(
  chunks: AsyncIterable<string>,
  file: string,
  options: TreebankOptions,
): AsyncGenerator<LocatedTree> {
  for await (const { text, line } of splitLines(chunks)) {
    if (text.trim() === "") continue;
    const tree = parseRecord(text, { file, line });
    const kept = options.keepEmpty ? tree : dropEmpty(tree);
    if (kept) yield { tree: kept, file, line };
  }
}

/** The text up to and with the first chunk that is more than blanks. */
async function firstText(chunks: AsyncGenerator<string>): Promise<string> {
  let text = "";
  while (text.trim() === "") {
    const { done, value } = await chunks.next();
    if (done) break;
    text += value;
  }
  return text;
}

async function* resume(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}
