/**
 * The rules for every language without its own file: abbreviations that many languages share, numbers
 * with commas and points, and nothing that is special to one language.
 */

import { languageName } from "./codes.js";
import { defineLanguage, type Language } from "./language.js";
import { unspacedScript } from "./unspaced.js";

/** BCP 47's code of a text whose language nobody knows. */
export const UNDETERMINED = "und";

export function neutralLanguage(code: string): Language {
  return defineLanguage({
    code,
    name: nameOf(code),
    decimalComma: true,
    unspaced: hasBlanks(code) ? undefined : unspacedScript({ dictionary: code }),
  });
}

/** The scripts that set no blanks between words, and for which ICU has a dictionary. */
const UNSPACED_SCRIPTS = new Set(["Thai", "Laoo", "Khmr", "Mymr", "Hans", "Hant", "Jpan"]);

function hasBlanks(code: string): boolean {
  const { script } = new Intl.Locale(code).maximize();
  return script === undefined || !UNSPACED_SCRIPTS.has(script);
}

function nameOf(code: string): string {
  return code === UNDETERMINED ? "an unknown language" : languageName(code);
}
