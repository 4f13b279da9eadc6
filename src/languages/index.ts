/** The table of languages. Also runs in a browser. */

import { InputError } from "../errors.js";
import { chinese } from "./chinese.js";
import { namedCode, parseCode } from "./codes.js";
import { dutch } from "./dutch.js";
import { english } from "./english.js";
import { french } from "./french.js";
import { german } from "./german.js";
import { icelandic } from "./icelandic.js";
import { indonesian } from "./indonesian.js";
import { italian } from "./italian.js";
import { japanese } from "./japanese.js";
import { describeLanguage, type Language } from "./language.js";
import { neutralLanguage } from "./neutral.js";
import { portuguese } from "./portuguese.js";
import { spanish } from "./spanish.js";

export { detectLanguage } from "./detect.js";
export type { Grammar, WordClass } from "./grammar.js";
export { grammarOf } from "./grammar-of.js";
export type {
  EvidenceSpan,
  LabelEvidence,
  LabelRules,
  LabelVotes,
  VotedSpan,
} from "./labels.js";
export type {
  AbbreviationKind,
  HeadRule,
  Language,
  LengthRange,
  Particles,
  Quotations,
  SentenceRules,
  UnspacedScript,
  WordRules,
} from "./language.js";

/** The languages that have their own rules. */
export const LANGUAGES: readonly Language[] = [
  english,
  german,
  french,
  spanish,
  italian,
  dutch,
  portuguese,
  indonesian,
  icelandic,
  japanese,
  chinese,
];

const byCode = new Map(LANGUAGES.map((language) => [language.code, language]));

/**
 * The rules of a language. A code with a region or script falls back to the code without it. A language
 * without its own rules gets neutral ones.
 *
 * @param code a BCP 47 code such as `de`, `pt-BR` or `zh-Hant`.
 * @throws InputError if it is not such a code.
 * @example
 * ```ts
 * import { findLanguage } from "bracken/languages";
 * import { tokenise } from "bracken/text";
 *
 * const language = findLanguage("de");
 * console.log(tokenise("Das kostet 2,5 Mio. Euro.", { language }).length);
 * ```
 */
export function findLanguage(code: string): Language {
  const canonical = parseCode(code) ?? canonicalCode(code);
  for (let end = canonical.length; end > 0; end = canonical.lastIndexOf("-", end - 1)) {
    const known = byCode.get(canonical.slice(0, end));
    if (known) return known;
  }
  return neutralLanguage(canonical);
}

/**
 * A language code in its standard form: `pt-BR` for `PT-br`, `de` for `deu`.
 *
 * @throws InputError if it is not the BCP 47 code of a language.
 */
export function canonicalCode(code: string): string {
  const canonical = namedCode(code);
  if (canonical !== undefined) return canonical;
  throw new InputError(
    `"${code}" is not a language code`,
    {},
    `there are rules for ${LANGUAGES.map(describeLanguage).join(", ")}; other codes, such as pl or sr-Latn, get neutral rules`,
  );
}
