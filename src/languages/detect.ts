/**
 * Tells which language a text is in, or that it cannot be sure. Nobody should be told that their short English
 * sentence is Dutch, so doubt counts as not sure. Most English is known by its commonest words, Chinese and Japanese
 * by their script; the detector is loaded only for the rest. docs/languages.md has the numbers. Also runs in a browser.
 */

/** How much of a text the detector looks at. */
const SAMPLE = 1000;
/** A long text is sampled in this many places. */
const PLACES = 5;
/** In fewer letters than these of the Latin alphabet, names and loan words decide. */
const FEWEST_LATIN = 20;
/** Other scripts are shared by few languages. */
const FEWEST_OTHER = 6;
/** Japanese of kanji alone is short: a heading, a name. */
const FEWEST_HAN = 8;
/** The share of kana in Japanese is far above this; Chinese has them in a name at most. */
const KANA_SHARE = 0.1;
/** By how much a language must be more likely than English. */
const MARGIN = 0.1;
/** The share of common words that most English has, and other languages never do. */
const ENGLISH_SHARE = 0.2;

/** Words that are common in English and rare in other languages of the Latin alphabet. */
const ENGLISH_WORDS = new Set(
  `the of and to that it is was for with as his he be by are this they which or from had have has were been
  their would there what will when who she her you not but all can if one we my your an its than other these
  into could about only some them then more how our out after also because through between where while`.split(
    /\s+/,
  ),
);

/** Malay, which the detector knows, and Indonesian are alike in writing; only the latter has rules here. */
const CODES: Readonly<Record<string, string>> = { ms: "id" };

/**
 * The language of a text; undefined if that is not sure, as for a few words, names, numbers or code. A long text
 * is judged by samples from all of it.
 *
 * @returns a BCP 47 code: one of the languages with rules, or another of some sixty.
 * @example
 * ```ts
 * import { detectLanguage } from "bracken/languages";
 *
 * console.log(await detectLanguage("Die Kinder gingen durch den Park nach Hause."));
 * ```
 */
export async function detectLanguage(text: string): Promise<string | undefined> {
  const sample = sampleOf(text);
  const { isDecided, language } = tellAtSight(sample);
  return isDecided ? language : (await loadSampleDetector())(sample);
}

/** Like `detectLanguage`, for those who ask about many texts: the detector is loaded once, before the first. */
export async function loadDetector(): Promise<(text: string) => string | undefined> {
  const detect = await loadSampleDetector();
  return (text) => {
    const sample = sampleOf(text);
    const { isDecided, language } = tellAtSight(sample);
    return isDecided ? language : detect(sample);
  };
}

/** What script and common words tell: the language, that nothing can tell it, or neither. */
function tellAtSight(sample: string): { isDecided: boolean; language?: string | undefined } {
  // A word tells its language once, however often it is repeated.
  const letters = countLetters([...new Set(sample.split(/\s+/))].join(" "));
  if (letters.han + letters.kana > letters.all / 2) {
    return { isDecided: true, language: chineseOrJapanese(letters) };
  }
  const isLatin = letters.latin > letters.all / 2;
  if (letters.all < (isLatin ? FEWEST_LATIN : FEWEST_OTHER)) return { isDecided: true };
  if (isLatin && isPlainlyEnglish(sample)) return { isDecided: true, language: "en" };
  return { isDecided: false };
}

async function loadSampleDetector(): Promise<(sample: string) => string | undefined> {
  const { eld } = await import("eld/extrasmall");
  return (sample) => {
    const found = eld.detect(sample);
    if (!found.isReliable()) return undefined;
    const { language } = found;
    const { [language]: best = 0, en = 0 } = found.getScores();
    if (language !== "en" && best - en < MARGIN) return undefined;
    return CODES[language] ?? language;
  };
}

/** Addresses, numbers and code are in no language. */
function sampleOf(text: string): string {
  return spread(text).replace(/[!-~]*[\d@\\/_<>{}=][!-~]*/g, " ");
}

function spread(text: string): string {
  if (text.length <= SAMPLE) return text;
  const size = SAMPLE / PLACES;
  const step = (text.length - size) / (PLACES - 1);
  const pieces = Array.from({ length: PLACES }, (_, place) => {
    const begin = Math.round(place * step);
    // Words that are cut in two are no words.
    return text.slice(begin, begin + size).replace(/^\p{L}*\P{L}|\P{L}\p{L}*$/gu, " ");
  });
  return pieces.join(" ");
}

interface Letters {
  readonly all: number;
  readonly latin: number;
  readonly han: number;
  readonly kana: number;
}

function countLetters(text: string): Letters {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  return {
    all: count(/\p{L}/gu),
    latin: count(/\p{Script=Latin}/gu),
    han: count(/\p{Script=Han}/gu),
    kana: count(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu),
  };
}

function chineseOrJapanese({ han, kana }: Letters): string | undefined {
  if (kana >= KANA_SHARE * (han + kana)) return "ja";
  return han >= FEWEST_HAN ? "zh" : undefined;
}

function isPlainlyEnglish(text: string): boolean {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.filter((word) => ENGLISH_WORDS.has(word)).length >= ENGLISH_SHARE * words.length;
}
