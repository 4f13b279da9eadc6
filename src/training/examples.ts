/** Bracketings as a trainer needs them, read into memory, with some held back for measuring. */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import {
  BELIEF,
  type Bracketing,
  CHUNK,
  EVIDENCE,
  FRAGMENT,
  isMark,
  isMultiToken,
  parseBracketing,
  toSpan,
} from "../brackets/record.js";
import { tokenKey } from "../brackets/sentence-keys.js";
import { InputError } from "../errors.js";
import { expandInputs, TextInput } from "../io/input.js";
import type { Span } from "../trees/tree.js";

export interface Example {
  readonly words: readonly string[];
  /** Distinct brackets of two or more tokens that are not the whole sentence. */
  readonly brackets: readonly Span[];
  /** How many people gave each; of beliefs, how probable each is. */
  readonly weights: readonly number[];
  /** Brackets with no phrase inside. */
  readonly chunks?: readonly Span[];
  /** What is no phrase. */
  readonly fragments?: readonly Span[];
  /** Whether the brackets are what models believe, not what people gave. */
  readonly isBelief?: boolean;
  /** Of beliefs, how probable it is that each is a phrase where a tree has it, if that is known. */
  readonly evidence?: readonly (number | undefined)[];
}

export interface DataSet {
  readonly name: string;
  /** How often it is drawn from, beside the others. */
  readonly weight: number;
  readonly examples: readonly Example[];
  readonly heldBack: readonly Example[];
  /** SHA-256 of the file, for the record of what a model was made of. */
  readonly hash: string;
}

export interface ReadOptions {
  readonly maxTokens: number;
  readonly holdBack: number;
  readonly kinds?: ReadonlySet<string> | undefined;
}

/** Reads `path` or `path@weight`. */
export async function readDataSet(argument: string, options: ReadOptions): Promise<DataSet> {
  const [, path = argument, weight = "1"] = /^(.+)@(\d+(?:\.\d+)?)$/.exec(argument) ?? [];
  const [file, ...more] = await expandInputs([path], [".jsonl"]);
  if (!file || more.length > 0) {
    throw new InputError(
      "name one file of Bracketings",
      { file: path },
      "bracken extract makes them",
    );
  }
  const [examples, heldBack]: [Example[], Example[]] = [[], []];
  for await (const { text, line } of new TextInput(file).lines()) {
    if (text.trim() === "") continue;
    const bracketing = parseBracketing(text, { file, line });
    const example = toExample(bracketing, options.kinds);
    if (example.brackets.length === 0 || example.words.length > options.maxTokens) continue;
    if (!isHeldBack(bracketing, options.holdBack)) examples.push(example);
    else if (!example.isBelief) heldBack.push(example);
  }
  if (examples.length === 0) {
    throw new InputError(
      "no sentence has a bracket of two or more tokens",
      { file },
      "check the file with bracken stats",
    );
  }
  const hash = createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
  return { name: path, weight: Number(weight), examples, heldBack, hash };
}

/** With brackets of the wanted kinds only, where some are named. */
export function toExample(
  { tokens, brackets, weights, kinds }: Bracketing,
  wanted?: ReadonlySet<string>,
): Example {
  const known = new Map<string, { span: Span; weight: number }>();
  const [chunks, fragments]: [Span[], Span[]] = [[], []];
  const evidence = new Map<string, number>();
  for (const [index, bracket] of brackets.entries()) {
    if (!isMultiToken(bracket, tokens.length)) continue;
    const kind = kinds?.[index] ?? "bracket";
    const span = toSpan(bracket);
    const key = bracket.join();
    if (kind === CHUNK) chunks.push(span);
    if (kind === FRAGMENT) fragments.push(span);
    if (kind === EVIDENCE) evidence.set(key, weights?.[index] ?? 1);
    if (isMark(kind) || (wanted && !wanted.has(kind))) continue;
    const weight = (known.get(key)?.weight ?? 0) + (weights?.[index] ?? 1);
    known.set(key, { span, weight });
  }
  const found = [...known.values()];
  return {
    words: tokens,
    brackets: found.map(({ span }) => span),
    weights: found.map(({ weight }) => weight),
    ...(chunks.length > 0 ? { chunks } : {}),
    ...(fragments.length > 0 ? { fragments } : {}),
    ...(kinds?.includes(BELIEF) ? { isBelief: true } : {}),
    ...(evidence.size > 0 ? { evidence: [...known.keys()].map((key) => evidence.get(key)) } : {}),
  };
}

/** By the sentence's text, so that a sentence is held back from every data set or from none. */
function isHeldBack({ tokens }: Bracketing, share: number): boolean {
  if (share <= 0) return false;
  const digest = createHash("sha256").update(tokenKey(tokens)).digest();
  return digest.readUInt32LE(0) < share * 2 ** 32;
}
