/**
 * All that the tokeniser, the sentence splitter and the phrase rules know of a language. Word lists
 * instead of a learnt model: they can be read, corrected and extended by whoever finds a mistake. To
 * add a language, add a file like german.ts and a line in index.ts.
 */

import { type Grammar, splitWords } from "./grammar.js";

/** The rules of a language; `findLanguage` gives one. */
export interface Language {
  /** Its BCP 47 code: `en`. */
  readonly code: string;
  /** Its name in English. */
  readonly name: string;
  readonly sentences: SentenceRules;
  readonly words: WordRules;
  /** Missing where there are no rules about the language's phrases. */
  readonly grammar?: Grammar | undefined;
}

/** How to read a full stop after an abbreviation. */
export type AbbreviationKind =
  /** Something always follows: `Mr.`, `e.g.`; never the end of a sentence. */
  | "open"
  /** Ends a sentence if a sentence starter follows: `Inc.`, `U.S.`. */
  | "either"
  /** An abbreviation before a number, otherwise perhaps a plain word: `No. 5`, `Jan. 3`. */
  | "numbered"
  /** Ends a sentence wherever a plain word would, but not before a number: `etc.`, `5 ft.`. */
  | "closed";

/** How sentences end and begin. */
export interface SentenceRules {
  /** Without their last full stop. */
  readonly abbreviations: ReadonlyMap<string, AbbreviationKind>;
  /** Words that, when capitalised, begin a sentence rather than continue a name; lower case. */
  readonly starters: ReadonlySet<string>;
  /** Those of the starters that are abbreviations: `Mr.`. */
  readonly abbreviatedStarters: ReadonlySet<string>;
  /** `3.` is an ordinal: the full stop after a small number rarely ends a sentence. */
  readonly ordinals: boolean;
}

/** How words are cut. */
export interface WordRules {
  /** A comma between digits is a decimal point. */
  readonly decimalComma: boolean;
  /**
   * Clitics at the end of a word, by what follows their apostrophe; the value is what precedes it:
   * `'s` is `s` with nothing, `n't` is `t` with `n`.
   */
  readonly clitics: ReadonlyMap<string, string>;
  /** Every spelling of the words that are two tokens (`cannot`), with the length of the first. */
  readonly fusedWords: ReadonlyMap<string, number>;
  /** What follows the apostrophe of words without their beginning: `em` for `'em`, `n'` for `'n'`. */
  readonly clippedStarts: ReadonlySet<string>;
  /** What precedes the apostrophe of words without their end: `o` for `o'`. */
  readonly clippedEnds: ReadonlySet<string>;
  /** What may follow the digits of a clipped year: `s` for `'80s`. */
  readonly decadeSuffix: string;
  /** Words after which an apostrophe is a possessive rather than a quote. */
  readonly beforePossessive?: RegExp | undefined;
  /** Of the shortest and longest entry, so that nobody looks at shorter or longer words. */
  readonly lengths: {
    readonly clitics: LengthRange;
    readonly fusedWords: LengthRange;
    readonly clippedEnds: LengthRange;
    /** Clitics, clipped starts and clipped years. */
    readonly afterApostrophe: LengthRange;
  };
}

/** The lengths of the shortest and the longest word of a list. */
export interface LengthRange {
  readonly least: number;
  readonly most: number;
}

/** A language as its file describes it. Lists are words separated by blanks. */
export interface LanguageDescription {
  readonly code: string;
  readonly name: string;
  /**
   * An entry in lower case stands for every spelling; one with a capital (`Mass`, `Wash`) only for
   * the capitalised and the all-capitals one, because the plain word ends sentences too.
   */
  readonly abbreviations?: Readonly<Partial<Record<AbbreviationKind, string>>> | undefined;
  readonly starters?: string | undefined;
  readonly abbreviatedStarters?: string | undefined;
  readonly ordinals?: boolean | undefined;
  readonly decimalComma?: boolean | undefined;
  /** With their apostrophe: `'s n't`. */
  readonly clitics?: string | undefined;
  /** With a bar where they are cut: `can|not`. */
  readonly fusedWords?: string | undefined;
  readonly clippedStarts?: string | undefined;
  readonly clippedEnds?: string | undefined;
  readonly decadeSuffix?: string | undefined;
  readonly beforePossessive?: RegExp | undefined;
  readonly grammar?: Grammar | undefined;
}

/** Abbreviations that the languages of Europe share. */
const SHARED: Readonly<Record<AbbreviationKind, string>> = {
  open: "Dr Prof Mme Mlle Mgr Mons Hon cf vs ca fig figs pp",
  either: "St Jr Sr Co Inc Corp Ltd Bros Ph.D M.A B.A M.D al ibid",
  numbered: "no NO No nr vol tab p art cap chap",
  closed: "etc min max",
};

export function defineLanguage(description: LanguageDescription): Language {
  const { code, name, grammar } = description;
  return {
    code,
    name,
    sentences: sentenceRules(description),
    words: wordRules(description),
    grammar,
  };
}

function sentenceRules({
  abbreviations: own = {},
  starters = "",
  abbreviatedStarters = "",
  ordinals = false,
}: LanguageDescription): SentenceRules {
  const abbreviations = new Map<string, AbbreviationKind>();
  for (const kind of ["closed", "either", "numbered", "open"] as const) {
    for (const word of splitWords(`${SHARED[kind]} ${own[kind] ?? ""}`)) {
      abbreviations.set(word, kind);
    }
  }
  return {
    abbreviations,
    starters: new Set(splitWords(`${starters} ${abbreviatedStarters}`)),
    abbreviatedStarters: new Set(splitWords(abbreviatedStarters)),
    ordinals,
  };
}

function wordRules(description: LanguageDescription): WordRules {
  const { decimalComma = false, decadeSuffix = "", beforePossessive } = description;
  const clitics = new Map(
    splitWords(description.clitics ?? "").map((clitic) => {
      const [before = "", after = ""] = clitic.split("'");
      return [after, before] as const;
    }),
  );
  const fusedWords = new Map(splitWords(description.fusedWords ?? "").flatMap(spellings));
  const clippedStarts = new Set(splitWords(description.clippedStarts ?? ""));
  const clippedEnds = new Set(splitWords(description.clippedEnds ?? ""));
  return {
    decimalComma,
    clitics,
    fusedWords,
    clippedStarts,
    clippedEnds,
    decadeSuffix,
    beforePossessive,
    lengths: {
      clitics: lengthRange(clitics.keys()),
      fusedWords: lengthRange(fusedWords.keys()),
      clippedEnds: lengthRange(clippedEnds),
      afterApostrophe: lengthRange([...clitics.keys(), ...clippedStarts, `80${decadeSuffix}`]),
    },
  };
}

/** A fused word in lower case, capitalised and in capitals, with each of the apostrophes. */
function spellings(cut: string): [spelling: string, firstLength: number][] {
  const first = cut.indexOf("|");
  return ["'", "’", "‘"].flatMap((apostrophe) => {
    const word = cut.replace("|", "").replace("'", apostrophe);
    const capitalised = word.replace(/\p{L}/u, (letter) => letter.toUpperCase());
    return [word, capitalised, word.toUpperCase()].map((each): [string, number] => [each, first]);
  });
}

/** Of no words it is a range without any length in it. */
function lengthRange(words: Iterable<string>): LengthRange {
  const lengths = Array.from(words, ({ length }) => length);
  if (lengths.length === 0) return { least: 1, most: 0 };
  return { least: Math.min(...lengths), most: Math.max(...lengths) };
}
