/**
 * Reads treebanks as streams of trees: Penn brackets in any layout, JSON records, or CoNLL-U with trees, from
 * files, folders, patterns or standard input. Only one tree at a time is in memory. A place without a tree is
 * also an entry of the stream, so that the trees of two treebanks over the same sentences can be paired.
 */

import { stat } from "node:fs/promises";
import { InputError } from "../errors.js";
import { expandInputs } from "../files/expand-inputs.js";
import { readText, sizeOnDisk, tooLong } from "../files/input.js";
import { TextInput } from "../files/text-input.js";
import { conlluTree, looksLikeConllu, parseConllu, recordedComment } from "../trees/conllu.js";
import { parseRecord, recordedError } from "../trees/json.js";
import {
  isMissing,
  type LocatedTree,
  type MissingTree,
  type PennOptions,
  PennReader,
  type TreebankEntry,
} from "../trees/penn-reader.js";
import { dropEmpty } from "../trees/transform.js";
import type { Tree } from "../trees/tree.js";

/** The extensions of treebank files in a folder. A file that is given by name may have any. */
export const TREEBANK_EXTENSIONS = [
  ".mrg",
  ".tree",
  ".trees",
  ".parse",
  ".penn",
  ".ptb",
  ".prd",
  ".psd",
  ".gld",
  ".jsonl",
];

/** A file in a folder with this extension is a treebank only if it begins with a tree. */
const TEXT = /\.txt(?:\.gz|\.bz2|\.xz)?$/;

/** A tree that does not end within this many characters is malformed. */
export const LONGEST_TREE = 1 << 22;

/** How a treebank is read. */
export type TreebankOptions = Omit<PennOptions, "file"> & {
  /** Called now and then with the share of the bytes read so far, if it is known. */
  readonly onProgress?: ((fraction: number | undefined) => void) | undefined;
  /**
   * Called for each place without a tree. By default the first such place is an error; with `skipBad` all are
   * skipped.
   */
  readonly onMissing?: ((missing: MissingTree) => void) | undefined;
};

/** The files of the given files, folders and patterns. */
export async function treebankFiles(names: string | readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of [names].flat()) {
    const files = await expandInputs([name], [...TREEBANK_EXTENSIONS, ".txt"]);
    found.push(...((await isFolder(name)) ? await treebanksAmong(files, name) : files));
  }
  return found;
}

async function isFolder(name: string): Promise<boolean> {
  return (await stat(name).catch(() => undefined))?.isDirectory() ?? false;
}

async function treebanksAmong(files: readonly string[], folder: string): Promise<string[]> {
  const kept: string[] = [];
  for (const file of files) if (!TEXT.test(file) || (await beginsWithTree(file))) kept.push(file);
  if (kept.length > 0) return kept;
  throw new InputError(
    "this folder has no treebank: its text files do not begin with a tree",
    { file: folder },
    "give the files themselves",
  );
}

/** Whether two brackets open before anything else but comments: a notice may begin with one. */
async function beginsWithTree(file: string): Promise<boolean> {
  for await (const head of readText(file, { lenient: true })) {
    const begin = head.indexOf(firstLine(head) ?? "");
    return /^\(\s*[^\s()]*\s*\(/.test(head.slice(begin));
  }
  return false;
}

/**
 * Reads the trees of files, folders or patterns as a stream.
 *
 * @param names files, folders or patterns, plain or compressed; "-" is standard input.
 * @throws InputError that names file and line of a malformed or missing tree, unless `skipBad` or `onMissing` is
 * set.
 * @example
 * ```ts no-run
 * import { readTreebank } from "bracken/treebanks";
 * import { toPenn } from "bracken/trees";
 *
 * for await (const { tree } of readTreebank("wsj/")) console.log(toPenn(tree));
 * ```
 */
export async function* readTreebank(
  names: string | readonly string[],
  options: TreebankOptions = {},
): AsyncGenerator<LocatedTree> {
  for await (const entry of readEntries(names, options)) if (!isMissing(entry)) yield entry;
}

/** Like `readTreebank`, but also yields the places without a tree. */
export async function* readEntries(
  names: string | readonly string[],
  options: TreebankOptions = {},
): AsyncGenerator<TreebankEntry> {
  const files = await treebankFiles(names);
  const total = options.onProgress ? await totalSize(files) : undefined;
  let read = 0;
  const onBytes = (count: number) => {
    read += count;
    options.onProgress?.(total === undefined ? undefined : read / total);
  };
  for (const file of files) yield* readFileEntries(new TextInput(file, { onBytes }), options);
}

async function totalSize(files: readonly string[]): Promise<number | undefined> {
  const sizes = await Promise.all(files.map(sizeOnDisk));
  return sizes.reduce<number>((sum, size) => sum + (size ?? Number.NaN), 0) || undefined;
}

/** The entries of one input. */
export async function* readFileEntries(
  input: TextInput,
  options: TreebankOptions = {},
): AsyncGenerator<TreebankEntry> {
  const read = readerFor(await input.head());
  const { onMissing = options.skipBad ? () => {} : refuse } = options;
  for await (const entry of read(input, options)) {
    if (isMissing(entry)) onMissing(entry);
    yield entry;
  }
}

function refuse({ problem }: MissingTree): never {
  throw problem;
}

type EntryReader = (input: TextInput, options: TreebankOptions) => AsyncGenerator<TreebankEntry>;

function readerFor(head: string): EntryReader {
  const first = firstLine(head);
  if (looksLikeConllu(first ?? head)) return readConllu;
  return first?.startsWith("{") ? readRecords : readPenn;
}

/** Whether a file that begins so can be nothing but a treebank. */
export function looksLikeTrees(head: string): boolean {
  const first = firstLine(head);
  return first !== undefined && (/^[({]/.test(first) || looksLikeConllu(first));
}

/** Both Penn files and CoNLL-U may begin with comments: this is the first line after them. */
function firstLine(head: string): string | undefined {
  const lines = head.split("\n").map((line) => line.trimStart());
  return lines.find((line) => line !== "" && !/^(?:[%#;]|\/\/)/.test(line));
}

async function* readPenn(
  input: TextInput,
  options: TreebankOptions,
): AsyncGenerator<TreebankEntry> {
  const reader = new PennReader({ ...options, file: input.name });
  let held = 0;
  for await (const chunk of input.chunks()) {
    const entries = reader.read(chunk);
    yield* entries;
    held = entries.length > 0 || reader.isIdle ? 0 : held + chunk.length;
    if (held > LONGEST_TREE) {
      const { problem, remedy = "" } = tooLong(`no tree ends within ${LONGEST_TREE} characters`);
      yield* reader.giveUp(problem, remedy);
    }
  }
  yield* reader.readEnd();
}

async function* readRecords(
  input: TextInput,
  options: TreebankOptions,
): AsyncGenerator<TreebankEntry> {
  const file = input.name;
  for await (const { text, line } of input.lines()) {
    if (text.trim() === "") continue;
    const place = { file, line };
    yield* attempt(place, () => {
      const error = recordedError(text, place);
      if (error !== undefined) return [failed(error, place)];
      return located(parseRecord(text, place), place, options);
    });
  }
}

async function* readConllu(
  input: TextInput,
  options: TreebankOptions,
): AsyncGenerator<TreebankEntry> {
  const file = input.name;
  let lines: string[] = [];
  let [begun, size] = [1, 0];
  const take = (): TreebankEntry[] => {
    const [place, taken, isTooLong] = [{ file, line: begun }, lines, size > LONGEST_TREE];
    [lines, size] = [[], 0];
    return attempt(place, () => {
      if (isTooLong) throw tooLong(`a sentence of over ${LONGEST_TREE} characters`, place);
      const sentence = parseConllu(taken, place);
      if (sentence) return located(conlluTree(sentence, place), place, options);
      const error = recordedComment("error", taken);
      return error === undefined ? [] : [failed(error, place)];
    });
  };
  for await (const { text, line } of input.lines()) {
    if (text.trim() === "") {
      yield* take();
    } else {
      if (size === 0) begun = line;
      size += text.length;
      if (size <= LONGEST_TREE) lines.push(text);
    }
  }
  yield* take();
}

type Located = Pick<LocatedTree, "file" | "line">;

function attempt(place: Located, read: () => TreebankEntry[]): TreebankEntry[] {
  try {
    return read();
  } catch (problem) {
    if (!(problem instanceof InputError)) throw problem;
    return [{ reason: "malformed", problem, ...place }];
  }
}

function failed(error: string, place: Located): MissingTree {
  return { reason: "failed", problem: new InputError(error, place), ...place };
}

/** A tree with nothing but empty leaves is left out. */
function located(tree: Tree, place: Located, { keepEmpty }: TreebankOptions): LocatedTree[] {
  const kept = keepEmpty ? tree : dropEmpty(tree);
  return kept ? [{ tree: kept, ...place }] : [];
}
