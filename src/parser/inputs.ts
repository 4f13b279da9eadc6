/**
 * What `bracken parse` reads: running text, one sentence a line, words separated by blanks, JSON
 * lines, CoNLL-U and Penn trees. Each sentence comes with its place; what cannot be read as a
 * sentence comes as a problem in its place, so that no line is lost and none is swapped.
 */

import { parseBracketing } from "../brackets/record.js";
import { InputError, type Place } from "../errors.js";
import { TextInput } from "../io/input.js";
import { readTreebank } from "../io/treebank.js";
import { tokenise } from "../text/index.js";
import { type Leaf, leaves, type Span } from "../trees/tree.js";
import { sentencesOf } from "./parser.js";
import type { ParserInput } from "./sentence.js";

export type InputFormat = "text" | "lines" | "tokens" | "jsonl" | "conllu" | "penn";

export const INPUT_FORMATS: Readonly<Record<InputFormat, string>> = {
  text: "running text, split into sentences and words",
  lines: "one sentence a line, split into words",
  tokens: "one sentence a line, words separated by blanks",
  jsonl: 'one JSON object a line with "tokens" or "text"',
  conllu: "CoNLL-U: words and their tags",
  penn: "bracketed trees: their words and tags",
};

export interface InputItem {
  readonly place: Place;
  readonly input?: ParserInput;
  /** Why there is no input. */
  readonly problem?: string;
}

const EXTENSIONS: readonly [RegExp, InputFormat][] = [
  [/\.jsonl(\.gz)?$/, "jsonl"],
  [/\.conllu?(\.gz)?$/, "conllu"],
  [/\.(mrg|tree|trees|parse|penn|ptb|prd)(\.gz)?$/, "penn"],
];

export function formatOf(file: string): InputFormat {
  return EXTENSIONS.find(([ending]) => ending.test(file))?.[1] ?? "text";
}

export interface ReadOptions {
  /** Take brackets in the words for brackets that the tree must have: `[the old man] left`. */
  readonly markup?: boolean | undefined;
}

export async function* readSentences(
  file: string,
  format: InputFormat,
  { markup = false }: ReadOptions = {},
): AsyncGenerator<InputItem> {
  if (format === "penn") {
    for await (const { tree, line } of readTreebank(file)) {
      yield { place: { file, line }, input: { leaves: leaves(tree) } };
    }
    return;
  }
  const input = new TextInput(file, { lenient: true });
  if (format === "text") yield* readRunningText(input);
  else if (format === "conllu") yield* readConllu(input);
  else {
    for await (const { text, line } of input.lines()) {
      yield readLine(text, format, { file, line }, markup);
    }
  }
}

export function textItems(text: string, place: Place = {}): InputItem[] {
  return sentencesOf(text).map((input) => ({ place, input }));
}

/** Paragraphs are parted by blank lines, so that no more than one is held. */
async function* readRunningText(input: TextInput): AsyncGenerator<InputItem> {
  let [paragraph, begun]: [string[], number] = [[], 1];
  for await (const { text, line } of input.lines()) {
    if (text.trim() !== "") {
      if (paragraph.length === 0) begun = line;
      paragraph.push(text);
    } else if (paragraph.length > 0) {
      yield* textItems(paragraph.join("\n"), { file: input.name, line: begun });
      paragraph = [];
    }
  }
  yield* textItems(paragraph.join("\n"), { file: input.name, line: begun });
}

function readLine(
  text: string,
  format: "lines" | "tokens" | "jsonl",
  place: Place,
  markup: boolean,
): InputItem {
  if (text.trim() === "") return { place, problem: "an empty line" };
  try {
    if (format === "jsonl") return { place, input: readRecord(text, place) };
    return {
      place,
      input: format === "tokens" ? readTokens(text, markup) : readSentence(text, markup),
    };
  } catch (error) {
    if (error instanceof InputError) return { place, problem: error.problem };
    throw error;
  }
}

/** A text that is one sentence. */
export function readSentence(text: string, markup: boolean): ParserInput {
  const { plain, marks } = markup ? takeMarkup(text) : { plain: text, marks: [] };
  const tokens = tokenise(plain, { sentences: [{ begin: 0, end: plain.length }] });
  const required = marks.flatMap(({ begin, end }): Span[] => {
    const first = tokens.findIndex((token) => token.end > begin);
    const last = tokens.findLastIndex((token) => token.begin < end);
    return first >= 0 && last >= first ? [{ begin: first, end: last + 1 }] : [];
  });
  if (tokens.length === 0) throw new InputError("no word is in it");
  return {
    leaves: tokens.map((token) => ({ word: token.text })),
    text: plain,
    offsets: tokens.map((token): [number, number] => [token.begin, token.end]),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** The text without square brackets, and the stretches that they enclosed. */
function takeMarkup(text: string): { plain: string; marks: Span[] } {
  const open: number[] = [];
  const marks: Span[] = [];
  let plain = "";
  for (const character of text) {
    if (character === "[") {
      open.push(plain.length);
    } else if (character === "]") {
      const begin = open.pop();
      if (begin === undefined) throw new InputError("a ']' closes nothing");
      marks.push({ begin, end: plain.length });
    } else {
      plain += character;
    }
  }
  if (open.length > 0) throw new InputError("a '[' is never closed");
  return { plain, marks };
}

function readTokens(text: string, markup: boolean): ParserInput {
  const words = text.split(/[\t ]+/).filter(Boolean);
  if (!markup) return { leaves: words.map((word) => ({ word })) };
  const { plain, marks } = takeMarkup(words.join(" "));
  const places: { begin: number; end: number }[] = [];
  for (const match of plain.matchAll(/[^ ]+/g)) {
    places.push({ begin: match.index, end: match.index + match[0].length });
  }
  const required = marks.map(({ begin, end }) => ({
    begin: places.findIndex((place) => place.end > begin),
    end: places.findLastIndex((place) => place.begin < end) + 1,
  }));
  const found = places.map(({ begin, end }): Leaf => ({ word: plain.slice(begin, end) }));
  if (found.length === 0) throw new InputError("no word is in it");
  return { leaves: found, required: required.filter(({ begin, end }) => end > begin) };
}

/** A Bracketing, or an object with a text; `"brackets"` must be in the tree if constraints are asked for. */
function readRecord(line: string, place: Place): ParserInput {
  let record: Record<string, unknown>;
  try {
    record = JSON.parse(line) as Record<string, unknown>;
  } catch {
    throw new InputError("not valid JSON", place);
  }
  if (typeof record?.text === "string" && record.tokens === undefined) {
    return readSentence(record.text, false);
  }
  const { tokens, brackets, text, offsets } = parseBracketing(
    JSON.stringify({ brackets: [], ...record }),
    place,
  );
  if (tokens.length === 0) throw new InputError('"tokens" is empty');
  const tags = Array.isArray(record.tags) ? (record.tags as unknown[]) : [];
  return {
    leaves: tokens.map((word, index) => {
      const tag = tags[index];
      return typeof tag === "string" && tag !== "" ? { word, tag } : { word };
    }),
    text,
    offsets,
    required: brackets.map(([begin, end]) => ({ begin, end })),
  };
}

async function* readConllu(input: TextInput): AsyncGenerator<InputItem> {
  let [words, begun, problem]: [Leaf[], number, string | undefined] = [[], 1, undefined];
  const finish = (): InputItem => {
    const place = { file: input.name, line: begun };
    const item: InputItem =
      problem === undefined ? { place, input: { leaves: words } } : { place, problem };
    [words, problem] = [[], undefined];
    return item;
  };
  for await (const { text, line } of input.lines()) {
    if (text.startsWith("#")) continue;
    if (text.trim() === "") {
      if (words.length > 0 || problem !== undefined) yield finish();
      continue;
    }
    if (words.length === 0 && problem === undefined) begun = line;
    const [index = "", word = "", , universal = "_", own = "_"] = text.split("\t");
    if (/^\d+$/.test(index) && word !== "") {
      const tag = own === "_" ? universal : own;
      words.push(tag === "_" ? { word } : { word, tag });
    } else if (!/^\d+[-.]\d+$/.test(index)) {
      problem = `line ${line} has no word in its second column`;
    }
  }
  if (words.length > 0 || problem !== undefined) yield finish();
}
