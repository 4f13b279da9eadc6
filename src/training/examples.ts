/** Bracketings as a trainer needs them, read into memory, with some kept for validation. */

import { createHash } from "node:crypto";
import { readBracketings } from "../brackets/read-bracketings.js";
import {
  type Bracketing,
  CHUNK,
  FRAGMENT,
  isMark,
  isMultiToken,
  PHRASE_PROBABILITY,
  SOFT_LABEL,
  toSpan,
} from "../brackets/record.js";
import { tokenKey } from "../brackets/sentence-keys.js";
import { InputError } from "../errors.js";
import { expandInputs } from "../files/expand-inputs.js";
import { TextInput } from "../files/text-input.js";
import type { LabelVotes } from "../languages/labels.js";
import { NO_PHRASE } from "../trees/labels.js";
import type { Span } from "../trees/tree.js";
import { spansToName } from "./spans-to-name.js";

export interface Example {
  readonly words: readonly string[];
  /** Distinct brackets of two or more tokens that are not the whole sentence. */
  readonly brackets: readonly Span[];
  /** How many annotators gave each; of soft labels, the probability. */
  readonly weights: readonly number[];
  /** Brackets with no phrase inside. */
  readonly chunks?: readonly Span[];
  /** Spans that are no phrases. */
  readonly fragments?: readonly Span[];
  /** Whether the brackets are soft labels of models, not what people gave. */
  readonly isSoft?: boolean;
  /** Of soft labels: the probability that each is a phrase where a tree has it, if known. */
  readonly phraseProbabilities?: readonly (number | undefined)[];
  /** Whether the brackets are from a gold tree, so that every other span is no phrase. */
  readonly complete?: boolean;
  /** Votes for the names of spans. */
  readonly labelled?: readonly LabelledSpan[];
}

/** A span with votes for its name. */
export interface LabelledSpan extends Span {
  readonly votes: LabelVotes;
}

export interface DataSet {
  readonly name: string;
  /** How often it is drawn from, beside the others. */
  readonly weight: number;
  readonly examples: readonly Example[];
  readonly validation: readonly Example[];
  /** SHA-256 of the file, for the record of what a model was made of. */
  readonly hash: string;
}

export interface ReadOptions {
  readonly maxTokens: number;
  readonly validationShare: number;
  readonly kinds?: ReadonlySet<string> | undefined;
  /** Whether the brackets get their votes later, from clusters, and those in the file do not count. */
  readonly isInduced?: boolean | undefined;
}

/** Reads `path` or `path@weight`. */
export async function readDataSet(argument: string, options: ReadOptions): Promise<DataSet> {
  const [, path = argument, weight = "1"] = /^(.+)@(\d+(?:\.\d+)?)$/.exec(argument) ?? [];
  const [file, ...more] = await expandInputs([path], [".jsonl"]);
  if (!file || more.length > 0) {
    throw new InputError(
      "give one file of Bracketings",
      { file: path },
      "bracken extract makes them",
    );
  }
  const [examples, validation]: [Example[], Example[]] = [[], []];
  const hash = createHash("sha256");
  const input = new TextInput(file, { onBytes: (_, bytes) => hash.update(bytes) });
  for await (const bracketing of readBracketings(input)) {
    const example = readExample(bracketing, options);
    if (!canTeach(example) || example.words.length > options.maxTokens) continue;
    if (!isForValidation(bracketing, options.validationShare)) examples.push(example);
    else if (!example.isSoft) validation.push(example);
  }
  if (examples.length === 0) {
    throw new InputError(
      "no sentence has a bracket of two or more tokens",
      { file },
      "check the file with bracken stats",
    );
  }
  const sha256 = hash.digest("hex");
  return { name: path, weight: Number(weight), examples, validation, hash: sha256 };
}

function readExample(bracketing: Bracketing, { kinds, isInduced }: ReadOptions): Example {
  const example = toExample(bracketing, kinds);
  if (!isInduced) return example;
  const labelled = spansToName(bracketing, kinds).map((span) => ({ ...span, votes: {} }));
  return { ...example, labelled };
}

/** Without brackets, fragments still teach, and a gold tree without a phrase inside says that every span is none. */
function canTeach({ brackets, fragments = [], words, complete }: Example): boolean {
  return brackets.length + fragments.length > 0 || (complete === true && words.length > 2);
}

/** With brackets of the wanted kinds only, where some are named. */
export function toExample(
  { tokens, brackets, weights, kinds, labels, complete }: Bracketing,
  wanted?: ReadonlySet<string>,
): Example {
  const known = new Map<string, { span: Span; weight: number }>();
  const [chunks, fragments]: [Span[], Span[]] = [[], []];
  const phrases = new Map<string, number>();
  for (const [index, bracket] of brackets.entries()) {
    if (!isMultiToken(bracket, tokens.length)) continue;
    const kind = kinds?.[index] ?? "bracket";
    const span = toSpan(bracket);
    const key = bracket.join();
    if (kind === CHUNK) chunks.push(span);
    if (kind === FRAGMENT) fragments.push(span);
    if (kind === PHRASE_PROBABILITY) phrases.set(key, weights?.[index] ?? 1);
    if (isMark(kind) || (wanted && !wanted.has(kind))) continue;
    const weight = (known.get(key)?.weight ?? 0) + (weights?.[index] ?? 1);
    known.set(key, { span, weight });
  }
  const found = [...known.values()];
  const isSoft = kinds?.includes(SOFT_LABEL) === true;
  const isComplete = complete && (!wanted || kinds?.every((kind) => wanted.has(kind)) === true);
  const votes = labels ? labelledSpans(brackets, labels) : [];
  const labelled = isComplete && !isSoft ? withOtherWords(votes, tokens.length) : votes;
  return {
    words: tokens,
    brackets: found.map(({ span }) => span),
    weights: found.map(({ weight }) => weight),
    ...(chunks.length > 0 ? { chunks } : {}),
    ...(fragments.length > 0 ? { fragments } : {}),
    ...(labelled.length > 0 ? { labelled } : {}),
    ...(isSoft ? { isSoft } : {}),
    ...(isComplete ? { complete: true } : {}),
    ...(phrases.size > 0
      ? { phraseProbabilities: [...known.keys()].map((key) => phrases.get(key)) }
      : {}),
  };
}

/** Each span with votes once: entries of one span have the same. */
function labelledSpans(
  brackets: Bracketing["brackets"],
  labels: readonly LabelVotes[],
): LabelledSpan[] {
  const distinct = new Map<string, LabelledSpan>();
  for (const [index, bracket] of brackets.entries()) {
    const votes = labels[index] as LabelVotes;
    if (Object.keys(votes).length === 0) continue;
    distinct.set(bracket.join(), { ...toSpan(bracket), votes });
  }
  return [...distinct.values()];
}

/** In a gold tree with labels, a word that has none is not a phrase by itself. */
function withOtherWords(labelled: readonly LabelledSpan[], size: number): LabelledSpan[] {
  if (labelled.length === 0) return [];
  const named = new Set(labelled.flatMap(({ begin, end }) => (end - begin === 1 ? [begin] : [])));
  const others = Array.from({ length: size }, (_, begin) => begin).filter((at) => !named.has(at));
  return [
    ...labelled,
    ...others.map((begin) => ({ begin, end: begin + 1, votes: { [NO_PHRASE]: 1 } })),
  ];
}

/** By the sentence's text, so that a sentence is for validation in every data set or in none. */
function isForValidation({ tokens }: Bracketing, share: number): boolean {
  if (share <= 0) return false;
  const digest = createHash("sha256").update(tokenKey(tokens)).digest();
  return digest.readUInt32LE(0) < share * 2 ** 32;
}
