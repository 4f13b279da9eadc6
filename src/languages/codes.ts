/** Language codes, apart from the languages themselves, which few programs need to load. */

/** The language of models and texts that do not name theirs. */
export const DEFAULT_LANGUAGE = "en";

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
