/** Plain text as sentences for the parser, each word with its place in the text. */

import type { Bracket } from "../brackets/record.js";
import { InputError } from "../errors.js";
import { english } from "../languages/english.js";
import type { Language } from "../languages/language.js";
import type { ModelConfig } from "../model/config.js";
import { type SentenceOptions, splitSentences } from "../text/sentences.js";
import { tokenise } from "../text/tokens.js";
import type { SentenceInput } from "./sentence.js";

/**
 * Splits a text into sentences and words, as input for `Parser.parseSentences`. Offsets are places in
 * `text`.
 *
 * @example
 * ```ts
 * import { sentencesFromText } from "bracken";
 *
 * for (const { leaves } of sentencesFromText("He left. She stayed.")) console.log(leaves.length);
 * ```
 */
export function sentencesFromText(text: string, options: SentenceOptions = {}): SentenceInput[] {
  return splitSentences(text, options).map(({ begin, end }) => inputAt(text, begin, end, options));
}

/** Takes the whole text as one sentence, whatever punctuation is in it. */
export function sentenceFromText(text: string, options: SentenceOptions = {}): SentenceInput {
  return inputAt(text, 0, text.length, options);
}

/**
 * The language of all the models, whose rules split the text. Languages other than English are loaded
 * when a model needs one.
 * @throws InputError if the models parse different languages.
 */
export async function commonLanguage(
  models: readonly Pick<ModelConfig, "language">[],
): Promise<Language> {
  if (models.every(({ language }) => language === english.code)) return english;
  const { findLanguage } = await import("../languages/index.js");
  const [first = english, ...others] = models.map(({ language }) => findLanguage(language));
  const other = others.find(({ code }) => code !== first.code);
  if (!other) return first;
  throw new InputError(
    `one model is for ${first.name}, another for ${other.name}`,
    {},
    "use models of one language",
  );
}

function inputAt(
  text: string,
  begin: number,
  end: number,
  { language }: SentenceOptions,
): SentenceInput {
  const tokens = tokenise(text, { language, sentences: [{ begin, end }] });
  return {
    leaves: tokens.map((token) => ({ word: token.text })),
    text: text.slice(begin, end),
    begin,
    offsets: tokens.map((token): Bracket => [token.begin, token.end]),
  };
}
