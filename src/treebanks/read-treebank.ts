/**
 * Treebanks as streams of trees: Penn-style files in any layout, JSON records one a line, or CoNLL-U
 * with trees in it, from files, folders, patterns or standard input. Only the tree at hand is in memory.
 */

import { expandInputs, sizeOnDisk, TextInput, tooLong } from "../files/input.js";
import { conlluTree, looksLikeConllu, parseConllu } from "../trees/conllu.js";
import { parseRecord } from "../trees/json.js";
import { type LocatedTree, type PennOptions, PennReader } from "../trees/penn-reader.js";
import { dropEmpty } from "../trees/transform.js";
import type { Tree } from "../trees/tree.js";

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

/** A tree that does not end within so many characters will not end. */
export const LONGEST_TREE = 1 << 22;

/** How a treebank is read. */
export type TreebankOptions = Omit<PennOptions, "file"> & {
  /** Called now and then with the share of the bytes read so far, where it is known. */
  readonly onProgress?: ((fraction: number | undefined) => void) | undefined;
};

/** The files that the arguments stand for. */
export function treebankFiles(names: string | readonly string[]): Promise<string[]> {
  return expandInputs([names].flat(), TREEBANK_EXTENSIONS);
}

/**
 * Reads the trees of files, folders or patterns as a stream.
 * @throws InputError that names file and line of what is no tree.
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
  const files = await treebankFiles(names);
  const total = options.onProgress ? await totalSize(files) : undefined;
  let read = 0;
  const onBytes = (count: number) => {
    read += count;
    options.onProgress?.(total === undefined ? undefined : read / total);
  };
  for (const file of files) yield* readTrees(new TextInput(file, { onBytes }), options);
}

async function totalSize(files: readonly string[]): Promise<number | undefined> {
  const sizes = await Promise.all(files.map(sizeOnDisk));
  return sizes.reduce<number>((sum, size) => sum + (size ?? Number.NaN), 0) || undefined;
}

/** The trees of one input. */
export async function* readTrees(
  input: TextInput,
  options: TreebankOptions = {},
): AsyncGenerator<LocatedTree> {
  const head = await input.head();
  if (looksLikeConllu(head)) yield* readConllu(input, options);
  else if (head.trimStart().startsWith("{")) yield* readRecords(input, options);
  else yield* readPenn(input, options);
}

async function* readPenn(input: TextInput, options: TreebankOptions): AsyncGenerator<LocatedTree> {
  const reader = new PennReader({ ...options, file: input.name });
  let held = 0;
  for await (const chunk of input.chunks()) {
    const trees = reader.push(chunk);
    yield* trees;
    held = trees.length > 0 || reader.isIdle ? 0 : held + chunk.length;
    if (held > LONGEST_TREE) {
      throw tooLong(`no tree ends within ${LONGEST_TREE} characters`, { file: input.name });
    }
  }
  yield* reader.end();
}

async function* readRecords(
  input: TextInput,
  options: TreebankOptions,
): AsyncGenerator<LocatedTree> {
  const file = input.name;
  for await (const { text, line } of input.lines()) {
    if (text.trim() === "") continue;
    yield* located(parseRecord(text, { file, line }), { file, line }, options);
  }
}

async function* readConllu(
  input: TextInput,
  options: TreebankOptions,
): AsyncGenerator<LocatedTree> {
  const file = input.name;
  let lines: string[] = [];
  let [begun, size] = [1, 0];
  const take = (): LocatedTree[] => {
    const place = { file, line: begun };
    const sentence = parseConllu(lines, place);
    [lines, size] = [[], 0];
    return sentence ? located(conlluTree(sentence, place), place, options) : [];
  };
  for await (const { text, line } of input.lines()) {
    if (text.trim() === "") {
      yield* take();
    } else {
      if (lines.length === 0) begun = line;
      lines.push(text);
      size += text.length;
      if (size > LONGEST_TREE) {
        throw tooLong(`a sentence of over ${LONGEST_TREE} characters`, { file, line: begun });
      }
    }
  }
  yield* take();
}

/** A tree that had nothing but empty leaves is none. */
function located(
  tree: Tree,
  place: Pick<LocatedTree, "file" | "line">,
  { keepEmpty }: TreebankOptions,
): LocatedTree[] {
  const kept = keepEmpty ? tree : dropEmpty(tree);
  return kept ? [{ tree: kept, ...place }] : [];
}
