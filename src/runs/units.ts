/**
 * Reads an input in units: a line, a paragraph, a block or a tree. What cannot be read as a sentence comes as a
 * problem in its place, so that no line is lost and none is swapped. Units come in lists: those of lines in short ones,
 * which cost less than one after the other, and all others one by one. Nothing else is held, and of a unit only so
 * much.
 */

import type { Bracket } from "../brackets/record.js";
import { InputError, type Place } from "../errors.js";
import type { Checkpoint, UnitStart } from "../files/checkpoint.js";
import { type OpenOptions, type Part, readParts } from "../files/input.js";
import { type LinePiece, splitParts } from "../files/lines.js";
import { AUTO } from "../languages/codes.js";
import { findLanguage } from "../languages/index.js";
import { sentencesFromText } from "../parser/from-text.js";
import type { SentenceInput } from "../parser/sentence.js";
import { LONGEST_TREE } from "../treebanks/read-treebank.js";
import { type ConlluSentence, parseConllu } from "../trees/conllu.js";
import { isMissing, PennReader } from "../trees/penn-reader.js";
import { leaves } from "../trees/tree.js";
import { tellInput, tellParts } from "./input-language.js";
import type { RunInput } from "./inputs.js";
import {
  type LineOptions,
  readMarkedText,
  readRecord,
  readSentence,
  readTokens,
} from "./line-sentences.js";
import { passages } from "./running-text.js";

export interface InputItem {
  readonly place: Place;
  readonly sentence?: SentenceInput;
  /** Why there is no sentence. */
  readonly problem?: string;
  /** The lines that it was read from, where they are CoNLL-U. */
  readonly conllu?: ConlluSentence;
}

/** A piece of an input that is read by itself, and only where it is wanted. */
export interface Unit {
  /** As files/input.ts has it; no later one has a lesser. */
  readonly position: number;
  /** Its first line, if reading could begin there and give this and all that follow. */
  readonly start?: UnitStart | undefined;
  readonly items: () => readonly InputItem[];
}

/** Longer input is a problem instead of a sentence. */
export const LONGEST_LINE = 1 << 20;

/** @param start where to begin, if not at the beginning of the input. */
export async function* readUnits(
  input: RunInput,
  options: Pick<OpenOptions, "onBytes" | "openBytes"> & LineOptions,
  start?: Checkpoint | undefined,
): AsyncGenerator<Unit[]> {
  const { name, text } = input;
  const language = input.language === AUTO ? await tellInput(input, options) : input.language;
  const parts = text === undefined ? readParts(name, options, start ?? 0) : asPart(text);
  yield* unitsOf({ ...input, language }, parts, options, start);
}

/** The units of an input whose bytes are at hand, in its language if that is known. */
export async function* unitsOf(
  input: RunInput,
  bytes: AsyncIterable<Part>,
  { markup, language: otherwise }: LineOptions,
  start?: Checkpoint | undefined,
): AsyncGenerator<Unit[]> {
  // A pipe is not waited for: its first bytes tell the language.
  const told = input.language === AUTO ? await tellParts(bytes, input.format, 1) : undefined;
  const code = told ? told.language : input.language;
  const language = code === undefined ? otherwise : findLanguage(code);
  const units = plainUnits(input, told?.parts ?? bytes, { markup, language }, start);
  if (code === undefined) yield* units;
  else for await (const list of units) yield list.map((unit) => inLanguage(unit, code));
}

/** The items of a unit; a record may name another language. */
function inLanguage({ position, start, items }: Unit, language: string): Unit {
  const told = (item: InputItem): InputItem =>
    item.sentence ? { ...item, sentence: { language, ...item.sentence } } : item;
  return { position, start, items: () => items().map(told) };
}

function plainUnits(
  { name, format, isGuess }: RunInput,
  bytes: AsyncIterable<Part>,
  { markup, language }: LineOptions,
  start?: Checkpoint | undefined,
): AsyncIterable<Unit[]> {
  const parts = isGuess && format === "text" && !start ? refuseOthers(name, bytes) : bytes;
  const pieces = (limit: number) => withoutMark(splitParts(parts, limit, start));
  const options = { markup, language };
  if (format === "text") return textUnits(name, pieces(PIECE), options, start?.begin);
  if (format === "penn") return pennUnits(name, pieces(PIECE), start?.line);
  const lines = pieces(LONGEST_LINE);
  return format === "conllu" ? conlluUnits(name, lines) : lineUnits(name, lines, format, options);
}

/** How much of a long line is looked at together, where lines mean little. */
const PIECE = 1 << 16;

/** What a file begins with that is no text, and what to do about it. */
const OTHERS: readonly [RegExp, what: string, remedy: string][] = [
  [/^%PDF-/, "this is a PDF", "turn it into text first, for instance with pdftotext"],
  [/^PK[^ -~]{2}/, "this is a ZIP archive or an office document", "turn it into text first"],
  [/^\s*[[{]\s*["[{\]}]/, "this looks like JSON", "--input jsonl reads one object a line"],
  [/^\s*<(!doctype|html|\?xml)/i, "this looks like HTML or XML", "turn it into text first"],
  [/\0/, "this is no text: it holds NUL bytes", "--input says what it is, if it is to be read"],
];

/** How much of a file is looked at. */
const LOOKED_AT = 4096;

/** A file that was taken for running text only because nobody said what it is. */
async function* refuseOthers(file: string, parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  let isFirst = true;
  for await (const part of parts) {
    const head = isFirst ? Buffer.from(part.bytes.subarray(0, LOOKED_AT)).toString("latin1") : "";
    const found = OTHERS.find(([pattern]) => pattern.test(head));
    if (found)
      throw new InputError(found[1], { file }, `${found[2]}; --input text parses it as it is`);
    isFirst = false;
    yield part;
  }
}

async function* asPart(text: string): AsyncGenerator<Part> {
  yield { bytes: Buffer.from(text), position: 0, exact: true };
}

/** The byte order mark that may open a file is no part of its text. */
async function* withoutMark(
  lists: AsyncIterable<readonly LinePiece[]>,
): AsyncGenerator<readonly LinePiece[]> {
  for await (const pieces of lists) {
    const [first, ...others] = pieces[0]?.line === 1 ? pieces : [];
    if (!first) {
      yield pieces;
      continue;
    }
    const { bytes, begins } = first;
    const isMarked = begins && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    yield isMarked ? [{ ...first, bytes: bytes.subarray(3) }, ...others] : pieces;
  }
}

async function* textUnits(
  file: string,
  lists: AsyncIterable<readonly LinePiece[]>,
  { markup, language }: LineOptions,
  first?: number | undefined,
): AsyncGenerator<Unit[]> {
  for await (const passage of passages(lists, language, first)) {
    const { text, begin, line, position } = passage;
    const start = passage.start && { ...passage.start, begin };
    const place = { file, line };
    const read = () =>
      markup ? readMarkedText(text, language) : sentencesFromText(text, { language });
    const items = () =>
      attempt(place, () =>
        read().map((sentence): InputItem => ({ place, sentence: moved(sentence, begin) })),
      );
    yield [{ position, start, items }];
  }
}

/** The sentence of a passage that begins at this place of the input. */
function moved(sentence: SentenceInput, by: number): SentenceInput {
  const { begin = 0, offsets } = sentence;
  return {
    ...sentence,
    begin: begin + by,
    offsets: offsets?.map(([from, to]): Bracket => [from + by, to + by]),
  };
}

/** What cannot be read as one sentence or several is a problem in their place. */
function attempt(place: Place, read: () => InputItem[]): InputItem[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof InputError) return [{ place, problem: error.problem }];
    throw error;
  }
}

async function* lineUnits(
  file: string,
  lists: AsyncIterable<readonly LinePiece[]>,
  format: "lines" | "tokens" | "jsonl",
  options: LineOptions,
): AsyncGenerator<Unit[]> {
  const unitOf = (start: LinePiece): Unit => {
    const { bytes, line, position, ends } = start;
    const place = { file, line };
    const items = () => (ends ? readLine(decode(bytes), format, place, options) : [tooLong(place)]);
    return { position, start, items };
  };
  for await (const pieces of lists) yield pieces.filter(({ begins }) => begins).map(unitOf);
}

function tooLong(place: Place): InputItem {
  return { place, problem: `a line of over ${LONGEST_LINE} bytes` };
}

/** Invalid UTF-8 becomes replacement characters. */
function decode(bytes: Uint8Array): string {
  return DECODER.decode(bytes);
}

const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

/** Why a line is no sentence, if it is because there is nothing in it. */
export const EMPTY_LINE = "an empty line";

function readLine(
  text: string,
  format: "lines" | "tokens" | "jsonl",
  place: Place,
  options: LineOptions,
): InputItem[] {
  if (text.trim() === "") return [{ place, problem: EMPTY_LINE }];
  return attempt(place, () => {
    if (format === "jsonl") return [{ place, sentence: readRecord(text, place, options.language) }];
    const read = format === "tokens" ? readTokens : readSentence;
    return [{ place, sentence: read(text, options) }];
  });
}

/** Sentences are parted by blank lines. */
async function* conlluUnits(
  file: string,
  lists: AsyncIterable<readonly LinePiece[]>,
): AsyncGenerator<Unit[]> {
  let block = new Block(file);
  for await (const pieces of lists) {
    for (const piece of pieces) {
      const isBlank = piece.begins && piece.ends && decode(piece.bytes).trim() === "";
      if (!isBlank) {
        block.add(piece);
      } else if (!block.isEmpty) {
        yield [block];
        block = new Block(file);
      }
    }
  }
  if (!block.isEmpty) yield [block];
}

/** The lines of a sentence in CoNLL-U. */
class Block implements Unit {
  position = 0;
  start: LinePiece | undefined;
  isEmpty = true;
  readonly #file: string;
  readonly #lines: Uint8Array[] = [];
  #line = 1;
  #size = 0;

  constructor(file: string) {
    this.#file = file;
  }

  add(piece: LinePiece): void {
    const { bytes, line, position } = piece;
    if (this.isEmpty) [this.#line, this.position, this.start] = [line, position, piece];
    this.isEmpty = false;
    this.#size += bytes.length;
    if (this.#size <= LONGEST_LINE) this.#lines.push(bytes);
    else this.#lines.length = 0;
  }

  readonly items = (): InputItem[] => {
    const place = { file: this.#file, line: this.#line };
    if (this.#size > LONGEST_LINE) {
      return [{ place, problem: `a sentence of over ${LONGEST_LINE} bytes` }];
    }
    return attempt(place, () => {
      const conllu = parseConllu(this.#lines.map(decode), place);
      return conllu ? [{ place, sentence: { leaves: conllu.leaves }, conllu }] : [];
    });
  };
}

async function* pennUnits(
  file: string,
  lists: AsyncIterable<readonly LinePiece[]>,
  first?: number | undefined,
): AsyncGenerator<Unit[]> {
  const reader = new PennReader({ file, line: first });
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** Where the lines begin that hold what is not finished. */
  let begun: { line: number; position: number; start: UnitStart | undefined }[] = [];
  let size = 0;
  for await (const pieces of lists) {
    for (const piece of pieces) {
      const { bytes, line, position, begins, ends } = piece;
      if (begins) begun.push({ line, position, start: reader.isIdle ? piece : undefined });
      size += bytes.length;
      const text = decoder.decode(bytes, { stream: !ends });
      const entries = reader.read(ends ? `${text}\n` : text);
      for (const entry of entries) {
        if (isMissing(entry) && entry.reason !== "failed") throw entry.problem;
        const unit = begun.find((each) => each.line === entry.line);
        const place = { file, line: entry.line };
        const item: InputItem = isMissing(entry)
          ? { place, problem: entry.problem.problem }
          : { place, sentence: { leaves: leaves(entry.tree) } };
        yield [{ position: unit?.position ?? position, start: unit?.start, items: () => [item] }];
      }
      if (entries.length > 0 || reader.isIdle) {
        begun = begun.filter((each) => each.line >= line);
        size = 0;
      } else if (size > LONGEST_TREE) {
        throw new InputError(
          `no tree ends within ${LONGEST_TREE} bytes`,
          { file, line: begun[0]?.line },
          "if this is not a file of trees in Penn brackets, set the input format with --input",
        );
      }
    }
  }
  reader.end();
}
