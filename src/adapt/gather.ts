/**
 * The data of an adaptation: the sentences of the documents, with a part of the bracketed ones held back to measure on;
 * gold trees, with a part held back; and sentences of older text on which the parser should stay as it is. All of it is
 * written to files, so that a run that was stopped goes on with the same.
 */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { ANNOTATIONS } from "../brackets/answer-book.js";
import { PART } from "../brackets/parts.js";
import { readBracketings } from "../brackets/read-bracketings.js";
import { type Bracketing, isMark, isMultiToken, toLine } from "../brackets/record.js";
import { tokenKey } from "../brackets/sentence-keys.js";
import { Progress } from "../display/progress.js";
import { InputError } from "../errors.js";
import { extract } from "../extract/index.js";
import { writeWhole } from "../files/output.js";
import { TextInput } from "../files/text-input.js";
import { hashText } from "../hash.js";
import type { ModelConfig } from "../model/config.js";
import { Answers } from "./answers.js";
import { type DocumentOptions, readDocuments } from "./documents.js";
import { Sample } from "./sample.js";

/** The most sentences of each kind that are used: more than a run of a quarter of an hour can read. */
const MOST = { bracketed: 20_000, bare: 10_000, keep: 5_000 } as const;

/** The most sentences that are held back of each kind. */
const MOST_HELD_BACK = 500;

/** With fewer brackets in the documents there is nothing to learn and nothing to measure. */
const FEWEST_BRACKETS = 20;

/** What an adaptation learns from. */
export interface AdaptInputs extends DocumentOptions {
  /** The files of documents. */
  readonly files: readonly string[];
  /** Gold trees: files, folders or patterns. */
  readonly trees: readonly string[];
  /** Files of older text on which the parser should stay as it is. */
  readonly keep: readonly string[];
  /** The share of sentences that is held back. */
  readonly heldBack: number;
  readonly seed: number;
}

/** The sentences of an adaptation, by what they are for. */
export interface AdaptData {
  /** Sentences of the documents with brackets. */
  readonly bracketed: readonly Bracketing[];
  /** Sentences of the documents without. */
  readonly bare: readonly Bracketing[];
  /** Sentences of the documents that nothing is learnt from. */
  readonly heldBack: readonly Bracketing[];
  readonly trees: readonly Bracketing[];
  readonly heldBackTrees: readonly Bracketing[];
  /** Sentences of older text. */
  readonly keep: readonly Bracketing[];
  readonly heldBackKeep: readonly Bracketing[];
}

type Part = keyof AdaptData;

/** Written last: if it is there, all are. */
const PARTS: readonly Part[] = [
  "bracketed",
  "bare",
  "heldBack",
  "trees",
  "heldBackTrees",
  "keep",
  "heldBackKeep",
];

/** The file of a part. */
export function partFile(folder: string, part: Part): string {
  return join(folder, `${part.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.jsonl`);
}

/**
 * Reads the inputs and writes the parts, or reads the parts that were written before.
 *
 * @throws InputError if the documents have too few brackets and there are no trees.
 */
export async function gather(
  folder: string,
  inputs: AdaptInputs,
  config: ModelConfig,
): Promise<AdaptData> {
  const last = partFile(folder, PARTS.at(-1) as Part);
  const isGathered = await stat(last).then(
    () => true,
    () => false,
  );
  if (isGathered) return readParts(folder);
  const data = await readInputs(inputs, config);
  for (const part of PARTS) {
    await writeWhole(partFile(folder, part), data[part].map(toLine).join(""));
  }
  return data;
}

async function readParts(folder: string): Promise<AdaptData> {
  const data: Partial<Record<Part, Bracketing[]>> = {};
  for (const part of PARTS) {
    const records: Bracketing[] = [];
    for await (const record of readBracketings(new TextInput(partFile(folder, part)))) {
      records.push(record);
    }
    data[part] = records;
  }
  return data as AdaptData;
}

async function readInputs(inputs: AdaptInputs, config: ModelConfig): Promise<AdaptData> {
  const { files, trees, keep, heldBack: share, seed } = inputs;
  const [bracketed, bare] = [sampleOf(MOST.bracketed, seed), sampleOf(MOST.bare, seed)];
  const answers = new Answers();
  for await (const record of counted(readDocuments(files, config, inputs))) {
    const sample = naturalBrackets(record).length > 0 ? bracketed : bare;
    if (record.source === ANNOTATIONS) answers.add(record);
    else if (record.tokens.length > 2) sample.add(tokenKey(record.tokens), record);
  }
  const taught = answers.addTo(bracketed.items());
  const gold = sampleOf(MOST.bracketed, seed);
  if (trees.length > 0) {
    for await (const record of counted(extract(trees, { source: "trees", maxTokens: 100 }))) {
      gold.add(tokenKey(record.tokens), record);
    }
  }
  const old = sampleOf(MOST.keep, seed);
  for await (const record of counted(readDocuments(keep, config, {}))) {
    if (record.tokens.length > 2) old.add(tokenKey(record.tokens), record);
  }
  const documents = splitOff(taught, share, seed);
  const golden = splitOff(gold.items(), share, seed);
  const older = splitOff(old.items(), share, seed);
  checkEnough(taught, golden.kept);
  return {
    bracketed: documents.kept,
    bare: bare.items().filter(({ tokens }) => !answers.has(tokens)),
    heldBack: documents.heldBack,
    trees: golden.kept,
    heldBackTrees: golden.heldBack,
    keep: older.kept,
    heldBackKeep: older.heldBack,
  };
}

function sampleOf(size: number, seed: number): Sample<Bracketing> {
  return new Sample(size, seed);
}

async function* counted(records: AsyncIterable<Bracketing>): AsyncGenerator<Bracketing> {
  const progress = new Progress({ unit: "sentences" });
  try {
    yield* progress.count(records);
  } finally {
    progress.finish();
  }
}

/** Brackets that people left, without those that rules made of them. */
export function naturalBrackets(
  record: Bracketing,
): { begin: number; end: number; kind: string }[] {
  const { brackets, kinds, tokens } = record;
  const distinct = new Map<string, { begin: number; end: number; kind: string }>();
  for (const [index, bracket] of brackets.entries()) {
    const kind = kinds?.[index] ?? "bracket";
    if (isMark(kind) || kind === PART || !isMultiToken(bracket, tokens.length)) continue;
    const [begin, end] = bracket;
    if (!distinct.has(bracket.join())) distinct.set(bracket.join(), { begin, end, kind });
  }
  return [...distinct.values()];
}

/** By the sentence's words, so that what is held back is the same however much more is added. */
function splitOff(
  records: readonly Bracketing[],
  share: number,
  seed: number,
): { kept: Bracketing[]; heldBack: Bracketing[] } {
  const [kept, heldBack]: [Bracketing[], Bracketing[]] = [[], []];
  for (const record of records) {
    const isHeld = hashText(tokenKey(record.tokens), seed + 1) >>> 0 < share * 2 ** 32;
    (isHeld && heldBack.length < MOST_HELD_BACK ? heldBack : kept).push(record);
  }
  return { kept, heldBack };
}

function checkEnough(bracketed: readonly Bracketing[], trees: readonly Bracketing[]): void {
  const brackets = bracketed.reduce((sum, record) => sum + naturalBrackets(record).length, 0);
  if (brackets >= FEWEST_BRACKETS || trees.length > 0) return;
  throw new InputError(
    `the documents have ${brackets} brackets of two or more words: too few to learn from`,
    {},
    "add documents with links, emphasis or quotes, a few gold trees (--trees), or answers (bracken annotate)",
  );
}
