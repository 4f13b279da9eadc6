/**
 * Reads the sentences in the body of a request to parse. What cannot be a sentence is a problem in its
 * place, so that the response has as many records as the request has sentences.
 */

import { InputError } from "../errors.js";
import { AUTO } from "../languages/codes.js";
import { canonicalCode, detectLanguage, findLanguage, type Language } from "../languages/index.js";
import { sentencesFromText } from "../parser/from-text.js";
import type { SentenceInput } from "../parser/sentence.js";
import { readSentence } from "../runs/line-sentences.js";
import type { Span } from "../trees/tree.js";
import { type Limits, mostCharacters } from "./limits.js";
import { ServiceError } from "./service-error.js";
import type { SentenceBody, SentencesBody, SpanPair } from "./wire.js";

export type Item =
  | { readonly input: SentenceInput; readonly problem?: never }
  | { readonly problem: string; readonly input?: never };

export interface ReadSentences {
  readonly items: readonly Item[];
  /** The code of the language, if it is sure. */
  readonly language?: string | undefined;
}

/**
 * Text is split by the rules of its language, which the body names or the text tells.
 *
 * @param otherwise the code of the language whose rules are used if it is not sure.
 */
export async function readBody(
  { language: asked = AUTO, ...body }: SentencesBody,
  limits: Limits,
  otherwise: string,
): Promise<ReadSentences> {
  // Counted before any text is split, since there may be far too many.
  checkSentences((body.lines ?? body.sentences ?? []).length, limits);
  const language = asked === AUTO ? await detectLanguage(textOf(body)) : codeOf(asked);
  const items = checkItems(itemsOf(body, findLanguage(language ?? otherwise)), limits);
  return { items: items.map((item) => inLanguage(item, language)), language };
}

/** All that is written in a request, as one document. Words alone do not tell their language. */
function textOf({ text = "", lines = [], sentences = [] }: SentencesBody): string {
  return [text, ...lines, ...sentences.map((sentence) => sentence.text ?? "")].join("\n");
}

function codeOf(asked: string): string {
  try {
    return canonicalCode(asked);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new ServiceError(400, "unknown_language", `${error.problem}; ${error.remedy}`);
  }
}

function inLanguage(item: Item, language: string | undefined): Item {
  return item.input && language !== undefined ? { input: { ...item.input, language } } : item;
}

/** The items within the limits; a sentence beyond them is a problem, a request an error. */
export function checkItems(items: readonly Item[], limits: Limits): Item[] {
  checkSentences(items.length, limits);
  checkTokens(items, limits);
  return items.map((item) => checkItem(item, limits));
}

function itemsOf(
  { text, tokens, lines, sentences = [] }: SentencesBody,
  language: Language,
): Item[] {
  if (text !== undefined) {
    return sentencesFromText(text, { language }).map((input) => ({ input }));
  }
  if (tokens) return [attempt(() => readTokens({ tokens }))];
  if (lines) return lines.map((line) => attempt(() => readText(line, language)));
  return sentences.map((sentence) =>
    attempt(() => ({
      ...(sentence.tokens ? readTokens(sentence) : readText(sentence.text ?? "", language)),
      required: sentence.required?.map(toSpan),
      forbidden: sentence.forbidden?.map(toSpan),
    })),
  );
}

function attempt(read: () => SentenceInput): Item {
  try {
    return { input: read() };
  } catch (error) {
    if (error instanceof InputError) return { problem: error.problem };
    throw error;
  }
}

function readText(text: string, language: Language): SentenceInput {
  if (text.trim() === "") throw new InputError("an empty line");
  return readSentence(text, { language });
}

function readTokens({ tokens = [], tags }: SentenceBody): SentenceInput {
  if (tokens.length === 0) throw new InputError('"tokens" is empty');
  if (tags && tags.length !== tokens.length) {
    throw new InputError(`there are ${tags.length} tags for ${tokens.length} tokens`);
  }
  const leaves = tokens.map((word, index) => {
    const tag = tags?.[index];
    return tag ? { word, tag } : { word };
  });
  return { leaves };
}

function toSpan([begin, end]: SpanPair): Span {
  return { begin, end };
}

export function characters({ leaves }: SentenceInput): number {
  return leaves.reduce((sum, { word }) => sum + word.length, 0);
}

function checkItem(item: Item, limits: Limits): Item {
  if (!item.input || item.input.leaves.length > limits.words) return item;
  const most = mostCharacters(limits);
  if (characters(item.input) <= most) return item;
  return { problem: `its words have more than ${most} characters` };
}

function checkSentences(count: number, { sentences }: Limits): void {
  if (count <= sentences) return;
  throw new ServiceError(
    413,
    "too_many_sentences",
    `${count} sentences; a request may have at most ${sentences}`,
  );
}

function checkTokens(items: readonly Item[], { tokens }: Limits): void {
  const count = items.reduce((sum, { input }) => sum + (input?.leaves.length ?? 0), 0);
  if (count <= tokens) return;
  throw new ServiceError(
    413,
    "too_many_tokens",
    `${count} words; a request may have at most ${tokens}`,
  );
}
