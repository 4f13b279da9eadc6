/** Plain text as sentences for the parser, each word with its place in the text. */

import type { Bracket } from "../brackets/record.js";
import { InputError } from "../errors.js";
import { isSameLanguage } from "../languages/codes.js";
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

/** What is known of the languages of a model. */
export type ModelLanguages = Pick<ModelConfig, "language" | "languages">;

/**
 * The first language that all the models know, by whose rules text is split if its own is not known. Languages other
 * than English are loaded when a model needs one.
 * @throws InputError if the models have no language in common.
 */
export async function commonLanguage(models: readonly ModelLanguages[]): Promise<Language> {
  const [shared] = commonLanguages(models);
  if (models.length === 0 || shared === english.code) return english;
  const { findLanguage } = await import("../languages/index.js");
  if (shared !== undefined) return findLanguage(shared);
  const [first = english, ...others] = models.map(({ language }) => findLanguage(language));
  const other = others.find(({ code }) => code !== first.code) ?? first;
  throw new InputError(
    `one model is for ${first.name}, another for ${other.name}`,
    {},
    "use models of one language",
  );
}

/** The languages that all the models know, in the order of the first. */
export function commonLanguages([first, ...others]: readonly ModelLanguages[]): string[] {
  return (first?.languages ?? []).filter((code) =>
    others.every(({ languages }) => languages.some((each) => isSameLanguage(each, code))),
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
