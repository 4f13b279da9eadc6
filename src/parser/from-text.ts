/**
 * Text on its way to the parser: its language, its sentences and words, each with its place in the text. The language,
 * told by the caller or by the text, chooses the rules that split it. Models that do not know it parse it all the same.
 */

import type { Bracket } from "../brackets/record.js";
import { InputError } from "../errors.js";
import { AUTO, isSameLanguage, languageName, parseCode } from "../languages/codes.js";
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

/** What is said of a sentence's language in its parse. */
export interface LanguageFacts {
  /**
   * The BCP 47 code of its language. Missing if nobody is sure of it, or if it is the only language that the models
   * know.
   */
  readonly language?: string;
  /** False if the models do not know its language. */
  readonly supported?: false;
}

/** The code of a text's language; undefined if it is not sure. */
export async function tellLanguage(
  text: string,
  asked: string | undefined = AUTO,
): Promise<string | undefined> {
  if (asked !== AUTO) return parseCode(asked);
  const { detectLanguage } = await import("../languages/detect.js");
  return detectLanguage(text);
}

/** The rules by which a text in that language is split; those of the models if it is not known. */
export async function rulesFor(
  code: string | undefined,
  models: readonly ModelLanguages[],
): Promise<Language> {
  if (code === undefined) return commonLanguage(models);
  if (isSameLanguage(code, english.code)) return english;
  const { findLanguage } = await import("../languages/index.js");
  return findLanguage(code);
}

export function knowsLanguage(code: string, models: readonly ModelLanguages[]): boolean {
  return commonLanguages(models).some((known) => isSameLanguage(known, code));
}

/** What the parse of a sentence in that language says about it. */
export function languageFacts(
  code: string | undefined,
  models: readonly ModelLanguages[],
): LanguageFacts {
  if (code === undefined) return {};
  if (!knowsLanguage(code, models)) return { language: code, supported: false };
  return commonLanguages(models).length > 1 ? { language: code } : {};
}

/**
 * Says that models do not know the language of a text.
 *
 * @param known the languages that they know.
 * @param isTold whether the user named the language, and not the text.
 */
export function describeUnknown(code: string, known: readonly string[], isTold = false): string {
  const verb = isTold ? "is" : "seems to be";
  const only = known.length === 1 ? "only " : "";
  return `This text ${verb} in ${languageName(code)}; the model knows ${only}${known.map(languageName).join(", ")}.`;
}

/**
 * The place of the model for a text: the first that knows its language. If none does, the one with the most languages;
 * if nobody is sure of the language, the first of all.
 */
export function chooseRoute(
  code: string | undefined,
  routes: readonly (readonly ModelLanguages[])[],
): number {
  if (code === undefined) return 0;
  const able = routes.findIndex((models) => knowsLanguage(code, models));
  if (able >= 0) return able;
  const sizes = routes.map((models) => commonLanguages(models).length);
  return sizes.indexOf(Math.max(...sizes));
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
