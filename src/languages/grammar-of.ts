/**
 * The grammars of languages, apart from their table: the rules for phrases need English only, and
 * should not have to load all languages.
 */

import { InputError } from "../errors.js";
import { english } from "./english.js";
import type { Grammar } from "./grammar.js";
import { describeLanguage, type Language } from "./language.js";

/** The languages that have a grammar. */
export const WITH_GRAMMAR: readonly Language[] = [english];

/**
 * The grammar of a language, which the rules for phrases need.
 *
 * @throws InputError if the language has none.
 */
export function grammarOf(language: Language): Grammar {
  if (language.grammar) return language.grammar;
  throw new InputError(
    `there are no rules for the phrases of ${language.name} (${language.code})`,
    {},
    `leave out --english, --clauses, --take-determiners, --add-parts, --mark-flat and --split-hyphens: these options are for ${WITH_GRAMMAR.map(describeLanguage).join(", ")}`,
  );
}
