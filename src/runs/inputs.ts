/**
 * What `bracken parse` reads: running text, one sentence per line, words separated by blanks, JSON
 * lines, CoNLL-U and Penn trees. Each sentence comes with its place.
 */

import type { Checkpoint } from "../files/checkpoint.js";
import type { OpenOptions } from "../files/input.js";
import type { InputPlace } from "../files/shard.js";
import type { LineOptions } from "./line-sentences.js";
import { type InputItem, readUnits } from "./units.js";

export type InputFormat = "text" | "lines" | "tokens" | "jsonl" | "conllu" | "penn";

export const INPUT_FORMATS: Readonly<Record<InputFormat, string>> = {
  text: "running text, split into sentences and words",
  lines: "one sentence per line, split into words",
  tokens: "one sentence per line, words separated by blanks",
  jsonl: 'one JSON object per line with "tokens" or "text"',
  conllu: "CoNLL-U: words and their tags",
  penn: "trees in Penn brackets: their words and tags",
};

/** A file or standard input, by its name, or what is in it itself. */
export interface RunInput {
  readonly name: string;
  readonly format: InputFormat;
  readonly text?: string | undefined;
  /** The code of its language, if that is known; `auto` if the input tells it. */
  readonly language?: string | undefined;
  /** Whether the format is a guess, so that what does not look like it is refused. */
  readonly isGuess?: boolean | undefined;
}

export type PlacedItem = InputItem & InputPlace;

const EXTENSIONS: readonly [RegExp, InputFormat][] = [
  [/\.jsonl(\.gz|\.bz2|\.xz)?$/, "jsonl"],
  [/\.conllu?(\.gz|\.bz2|\.xz)?$/, "conllu"],
  [/\.(mrg|tree|trees|parse|penn|ptb|prd)(\.gz|\.bz2|\.xz)?$/, "penn"],
];

export function formatOf(file: string): InputFormat {
  return EXTENSIONS.find(([ending]) => ending.test(file))?.[1] ?? "text";
}

/** With `markup`, brackets in the words are brackets that the tree must have: `[the old man] left`. */
export interface ReadOptions extends Pick<OpenOptions, "onBytes" | "openBytes">, LineOptions {
  /** Where to begin. */
  readonly from?: InputPlace | undefined;
  /** Where to open the input that it begins in, if not at its first byte. */
  readonly checkpoint?: Checkpoint | undefined;
}

/** The sentences in short lists, since most steps that a sentence goes through take longer to reach than to do. */
export async function* readSentences(
  inputs: readonly RunInput[],
  options: ReadOptions = {},
): AsyncGenerator<PlacedItem[]> {
  const { from, checkpoint } = options;
  const { input: first, position: begin } = from ?? { input: 0, position: 0 };
  for (const [index, input] of inputs.entries()) {
    if (index < first) continue;
    const start = index === first ? checkpoint : undefined;
    for await (const units of readUnits(input, options, start)) {
      const placed: PlacedItem[] = [];
      for (const { position, items } of units) {
        if (index === first && position < begin) continue;
        for (const item of items()) placed.push({ input: index, position, ...item });
      }
      if (placed.length > 0) yield placed;
    }
  }
}
