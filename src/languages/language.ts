/**
 * All that the tokeniser, the sentence splitter and the rules for phrases know about a language. These are word
 * lists, not a learnt model, so that anyone who finds a mistake can correct them. To add a language, add a file
 * like german.ts and a line in index.ts.
 */

import { type Grammar, splitWords } from "./grammar.js";

/** The rules of a language, from `findLanguage`. */
export interface Language {
  /** Its BCP 47 code: `en`. */
  readonly code: string;
  /** Its name in English. */
  readonly name: string;
  /** How sentences are split. */
  readonly sentences: SentenceRules;
  /** How words are split. */
  readonly words: WordRules;
  /** Its word classes; missing if there are no rules for its phrases. */
  readonly grammar?: Grammar | undefined;
  /** How the head word of a phrase is found, by label; the last word where nothing is said. */
  readonly heads?: Readonly<Record<string, HeadRule>> | undefined;
}

/** How the head of a phrase is found among its parts. */
export interface HeadRule {
  /** Labels of parts whose head is the phrase's, the first that there is. */
  readonly phrases?: readonly string[] | undefined;
  /** Without such a part: its first or its last word; of parts that are all phrases, the first. */
  readonly word: "first" | "last";
}

/** How to read a full stop after an abbreviation. */
export type AbbreviationKind =
  /** Never ends a sentence: `Mr.`, `e.g.`. */
  | "open"
  /** Ends a sentence if a sentence starter follows: `Inc.`, `U.S.`. */
  | "either"
  /** An abbreviation before a number, otherwise perhaps an ordinary word: `No. 5`, `Jan. 3`. */
  | "numbered"
  /** Ends a sentence like an ordinary word, but not before a number: `etc.`, `5 ft.`. */
  | "closed";

/** How sentences end and begin. */
export interface SentenceRules {
  /** Abbreviations without their last full stop. */
  readonly abbreviations: ReadonlyMap<string, AbbreviationKind>;
  /** Words that, when capitalised, begin a sentence rather than continue a name; lower case. */
  readonly starters: ReadonlySet<string>;
  /** The starters that are abbreviations: `Mr.`. */
  readonly abbreviatedStarters: ReadonlySet<string>;
  /** Whether `3.` is an ordinal: the full stop after a small number then rarely ends a sentence. */
  readonly ordinals: boolean;
}

/** How words are split. */
export interface WordRules {
  /** Whether a comma between digits is a decimal point. */
  readonly decimalComma: boolean;
  /**
   * Clitics at the end of a word. The key is the part after the apostrophe, the value the part before it:
   * `'s` is `s` with nothing, `n't` is `t` with `n`.
   */
  readonly clitics: ReadonlyMap<string, string>;
  /** Every spelling of words that are two tokens (`cannot`), with the length of the first token. */
  readonly fusedWords: ReadonlyMap<string, number>;
  /** Words that lost their beginning, without the apostrophe: `em` for `'em`, `n'` for `'n'`. */
  readonly clippedStarts: ReadonlySet<string>;
  /** Words that lost their end, without the apostrophe: `o` for `o'`. */
  readonly clippedEnds: ReadonlySet<string>;
  /** What may follow the digits of a short year: `s` for `'80s`. */
  readonly decadeSuffix: string;
  /** Words after which an apostrophe is a possessive rather than a quote. */
  readonly beforePossessive?: RegExp | undefined;
  /** The lengths of the entries, so that shorter and longer words need not be looked up. */
  readonly lengths: {
    /** Those of `clitics`. */
    readonly clitics: LengthRange;
    /** Those of `fusedWords`. */
    readonly fusedWords: LengthRange;
    /** Those of `clippedEnds`. */
    readonly clippedEnds: LengthRange;
    /** Those of clitics, clipped starts and short years. */
    readonly afterApostrophe: LengthRange;
  };
}

/** The lengths of the shortest and the longest word of a list. */
export interface LengthRange {
  /** The shortest length. */
  readonly least: number;
  /** The longest length. */
  readonly most: number;
}

/** A language as its file defines it. Lists are words separated by blanks. */
export interface LanguageDescription {
  readonly code: string;
  readonly name: string;
  /**
   * An entry in lower case stands for every spelling. One with a capital (`Mass`, `Wash`) stands only for
   * spellings with a capital, because the ordinary word also ends sentences.
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
  /** How the head word of a phrase is found, by label; the last word where nothing is said. */
  readonly heads?: Readonly<Record<string, HeadRule>> | undefined;
}

/** Abbreviations that the languages of Europe share. */
const SHARED: Readonly<Record<AbbreviationKind, string>> = {
  open: "Dr Prof Mme Mlle Mgr Mons Hon cf vs ca fig figs pp",
  either: "St Jr Sr Co Inc Corp Ltd Bros Ph.D M.A B.A M.D al ibid",
  numbered: "no NO No nr vol tab p art cap chap",
  closed: "etc min max",
};

export function defineLanguage(description: LanguageDescription): Language {
  const { code, name, grammar, heads } = description;
  return {
    code,
    name,
    sentences: sentenceRules(description),
    words: wordRules(description),
    grammar,
    heads,
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

/** A language as messages name it: `de (German)`. */
export function describeLanguage({ code, name }: Language): string {
  return `${code} (${name})`;
}

/** For no words, an empty range. */
function lengthRange(words: Iterable<string>): LengthRange {
  const lengths = Array.from(words, ({ length }) => length);
  if (lengths.length === 0) return { least: 1, most: 0 };
  return { least: Math.min(...lengths), most: Math.max(...lengths) };
}
