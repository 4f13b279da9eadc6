/**
 * The language of a text on its way through the parser: told by the caller or by the text, it chooses the rules that
 * split the text, and says whether the models know it. They parse it in any case.
 */

import { AUTO, isSameLanguage, languageName, parseCode } from "../languages/codes.js";
import { detectLanguage } from "../languages/detect.js";
import { english } from "../languages/english.js";
import type { Language } from "../languages/language.js";
import { commonLanguage, commonLanguages, type ModelLanguages } from "./from-text.js";

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
  return asked === AUTO ? detectLanguage(text) : parseCode(asked);
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
  const verb = isTold ? "is" : "looks";
  return `This text ${verb} ${languageName(code)}; the model knows ${known.map(languageName).join(", ")}.`;
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
