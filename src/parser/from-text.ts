/** Plain text as sentences for the parser, each word with its place in the text. */

import type { Bracket } from "../brackets/record.js";
import { splitSentences, tokenise } from "../text/index.js";
import type { SentenceInput } from "./sentence.js";

/** The sentences of a text. Offsets are places in `text`. */
export function sentencesFromText(text: string): SentenceInput[] {
  return splitSentences(text).map(({ begin, end }) => inputAt(text, begin, end));
}

/** A text that is one sentence, whatever punctuation is in it. */
export function sentenceFromText(text: string): SentenceInput {
  return inputAt(text, 0, text.length);
}

function inputAt(text: string, begin: number, end: number): SentenceInput {
  const tokens = tokenise(text, { sentences: [{ begin, end }] });
  return {
    leaves: tokens.map((token) => ({ word: token.text })),
    text: text.slice(begin, end),
    begin,
    offsets: tokens.map((token): Bracket => [token.begin, token.end]),
  };
}
