/** Language codes, apart from the languages themselves, which few programs need to load. */

/** The language of models and texts that do not name theirs. */
export const DEFAULT_LANGUAGE = "en";

/** The codes of the languages that have their own rules. */
export const LANGUAGE_CODES = [
  "en",
  "de",
  "fr",
  "es",
  "it",
  "nl",
  "pt",
  "id",
  "is",
  "ja",
  "zh",
] as const;

/** Stands for a language that the text tells. */
export const AUTO = "auto";

/**
 * The standard form of the code of a language that has a name: `jp`, which people write for Japanese, has none.
 * Undefined if it is not such a code.
 */
export function namedCode(code: string): string | undefined {
  const canonical = parseCode(code);
  if (canonical === undefined) return undefined;
  const names = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });
  return names.of(new Intl.Locale(canonical).language) === undefined ? undefined : canonical;
}

/** The English name of a language: `German`. */
export function languageName(code: string): string {
  // Extensions have no names: `be-x-old` is Belarusian.
  const { baseName } = new Intl.Locale(code);
  return new Intl.DisplayNames(["en"], { type: "language" }).of(baseName) ?? code;
}

/** Whether codes are of one language, whatever its region and script: `pt-BR` and `pt`. */
export function isSameLanguage(code: string, other: string): boolean {
  return code.split("-")[0] === other.split("-")[0];
}

/**
 * The standard form of a BCP 47 code (`pt-BR` for `PT-br`, `de` for `deu`); undefined if it is not one.
 * Of the codes that BCP 47 would allow, only those that begin with two or three letters are in use,
 * and "english" is none of them.
 */
export function parseCode(code: string): string | undefined {
  if (!/^[a-z]{2,3}(?:-|$)/i.test(code)) return undefined;
  try {
    return Intl.getCanonicalLocales(code)[0];
  } catch {
    return undefined;
  }
}
