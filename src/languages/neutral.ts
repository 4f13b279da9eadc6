/**
 * The rules for every language without its own file: abbreviations that many languages share, numbers
 * with commas and points, and nothing that is special to one language.
 */

import { defineLanguage, type Language } from "./language.js";

/** BCP 47's code of a text whose language nobody knows. */
export const UNDETERMINED = "und";

export function neutralLanguage(code: string): Language {
  return defineLanguage({ code, name: nameOf(code), decimalComma: true });
}

function nameOf(code: string): string {
  if (code === UNDETERMINED) return "an unknown language";
  // Extensions have no names: `be-x-old` is Belarusian.
  const { baseName } = new Intl.Locale(code);
  return new Intl.DisplayNames(["en"], { type: "language" }).of(baseName) ?? code;
}
