/**
 * The languages that have rules for the names of their phrases. A table of its own: only extraction
 * needs the rules, and parsing should not have to load them.
 */

import { InputError } from "../errors.js";
import { englishLabels } from "./english-labels.js";
import type { LabelRules } from "./labels.js";
import type { Language } from "./language.js";

const RULES: ReadonlyMap<string, LabelRules> = new Map([["en", englishLabels]]);

/**
 * The rules that vote for the names of phrases.
 *
 * @throws InputError if the language has none
 */
export function labelRulesOf({ code, name }: Language): LabelRules {
  const rules = RULES.get(code);
  if (rules) return rules;
  throw new InputError(
    `there are no rules for the names of phrases in ${name} (${code})`,
    {},
    `leave out --labels; there are rules for ${[...RULES.keys()].join(", ")}`,
  );
}
