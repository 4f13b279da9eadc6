/**
 * Reads a line as a sentence: as written, as words separated by blanks, or as a JSON object. Square
 * brackets may mark what must be a phrase of its tree: `[the old man] left`.
 */

import { parseBracketing, toSpan } from "../brackets/record.js";
import { InputError, type Place } from "../errors.js";
import { findLanguage, type Language } from "../languages/index.js";
import { sentenceFromText, sentencesFromText } from "../parser/from-text.js";
import type { SentenceInput } from "../parser/sentence.js";
import type { Leaf, Span } from "../trees/tree.js";
import { codeIn } from "./input-language.js";

export interface LineOptions {
  /** Take square brackets for marks. */
  readonly markup?: boolean | undefined;
  /** The text's language; default English. */
  readonly language?: Language | undefined;
}

/** A sentence in plain text. */
export function readSentence(
  text: string,
  { markup = false, language }: LineOptions = {},
): SentenceInput {
  const { plain, marks } = markup ? takeMarkup(text) : { plain: text, marks: [] };
  const sentence = sentenceFromText(plain, { language });
  if (sentence.leaves.length === 0) throw new InputError("it has no words");
  return withMarks(sentence, marks);
}

/** The sentences of a text with marks, each of which counts for the sentences that it touches. */
export function readMarkedText(text: string, language?: Language | undefined): SentenceInput[] {
  const { plain, marks } = takeMarkup(text);
  return sentencesFromText(plain, { language }).map((sentence) => {
    const [begin, end] = [
      sentence.begin ?? 0,
      (sentence.begin ?? 0) + (sentence.text ?? "").length,
    ];
    const own = marks.filter((mark) => mark.begin < end && mark.end > begin);
    return withMarks(sentence, own);
  });
}

function withMarks(sentence: SentenceInput, marks: readonly Span[]): SentenceInput {
  if (marks.length === 0) return sentence;
  return { ...sentence, required: toWords(marks, (sentence.offsets ?? []).map(toSpan)) };
}

export function readTokens(text: string, { markup = false }: LineOptions = {}): SentenceInput {
  const words = text.split(/[\t ]+/).filter(Boolean);
  if (!markup) return { leaves: words.map((word) => ({ word })) };
  const { plain, marks } = takeMarkup(words.join(" "));
  const places = Array.from(plain.matchAll(/[^ ]+/g), ({ 0: word, index }) => ({
    word,
    begin: index,
    end: index + word.length,
  }));
  if (places.length === 0) throw new InputError("it has no words");
  const leaves = places.map(({ word }): Leaf => ({ word }));
  return { leaves, ...(marks.length > 0 ? { required: toWords(marks, places) } : {}) };
}

/** The text without square brackets, and the stretches that they enclosed. */
function takeMarkup(text: string): { plain: string; marks: Span[] } {
  const open: number[] = [];
  const marks: Span[] = [];
  let plain = "";
  for (const part of text.split(/([[\]])/)) {
    if (part === "[") {
      open.push(plain.length);
    } else if (part === "]") {
      const begin = open.pop();
      if (begin === undefined) throw new InputError("a ']' closes nothing");
      marks.push({ begin, end: plain.length });
    } else {
      plain += part;
    }
  }
  if (open.length > 0) throw new InputError("a '[' is never closed");
  return { plain, marks };
}

/** Stretches of text as the distinct spans of the words that they touch. */
function toWords(marks: readonly Span[], words: readonly Span[]): Span[] {
  const spans = marks.map(({ begin, end }) => ({
    begin: countWhile(words, (word) => word.end <= begin),
    end: countWhile(words, (word) => word.begin < end),
  }));
  const distinct = new Map(spans.map((span) => [`${span.begin},${span.end}`, span]));
  return [...distinct.values()].filter(({ begin, end }) => end > begin);
}

/** For how many words the condition holds, if it holds up to some word and for none after it. */
function countWhile(words: readonly Span[], holds: (word: Span) => boolean): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(words[middle] as Span)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A Bracketing, or an object with a text; with constraints, `"brackets"` must be in the tree. */
export function readRecord(
  line: string,
  place: Place,
  language?: Language | undefined,
): SentenceInput {
  let record: Record<string, unknown>;
  try {
    record = JSON.parse(line) as Record<string, unknown>;
  } catch {
    throw new InputError("not valid JSON", place);
  }
  const code = codeIn(record?.language);
  if (typeof record?.text === "string" && record.tokens === undefined) {
    const own = code === undefined ? language : findLanguage(code);
    return { ...readSentence(record.text, { language: own }), ...(code ? { language: code } : {}) };
  }
  const { begin, offsets } = record ?? {};
  const { tokens, brackets, text, ...rest } = parseBracketing(
    JSON.stringify({ brackets: [], ...record, offsets: shifted(offsets, begin, -1) }),
    place,
  );
  if (tokens.length === 0) throw new InputError('"tokens" is empty');
  const tags = Array.isArray(record.tags) ? (record.tags as unknown[]) : [];
  const distinct = new Map(brackets.map((bracket) => [bracket.join(), toSpan(bracket)]));
  return {
    leaves: tokens.map((word, index) => {
      const tag = tags[index];
      return typeof tag === "string" && tag !== "" ? { word, tag } : { word };
    }),
    text,
    begin: Number.isInteger(begin) ? (begin as number) : 0,
    offsets: shifted(rest.offsets, begin, 1) as SentenceInput["offsets"],
    required: [...distinct.values()],
    ...(code ? { language: code } : {}),
  };
}

/** Offsets of parses are places in a document, those of Bracketings in the sentence's own text. */
function shifted(offsets: unknown, begin: unknown, sign: 1 | -1): unknown {
  if (!Array.isArray(offsets) || !Number.isInteger(begin)) return offsets;
  return offsets.map((pair: unknown) =>
    Array.isArray(pair) ? pair.map((at: number) => at + sign * (begin as number)) : pair,
  );
}
