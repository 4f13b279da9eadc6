/**
 * All that the tokeniser, the sentence splitter and the rules for phrases know about a language. These are word
 * lists, not a learnt model, so that anyone who finds a mistake can correct them. To add a language, add a file
 * like german.ts and a line in index.ts.
 */

import { type Grammar, splitWords, type WordClass } from "./grammar.js";

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
  /** How text in a script without blanks is cut; missing if its script has blanks. */
  readonly unspaced?: UnspacedScript | undefined;
  /** Its word classes; missing if there are no rules for its phrases. */
  readonly grammar?: Grammar | undefined;
  /** The particles that follow its nouns; missing if they show no phrases. */
  readonly particles?: Particles | undefined;
  /** How the head word of a phrase is found, by label; the last word where nothing is said. */
  readonly heads?: Readonly<Record<string, HeadRule>> | undefined;
}

/** The words behind nouns from which the rules know where phrases end: those of Japanese. */
export interface Particles {
  /** Particles of case, topic and focus. */
  readonly case: WordClass;
  /** The particle between a noun and the noun that it modifies. */
  readonly genitive: WordClass;
  /** The particles after which a new phrase begins: those that never join two nouns. */
  readonly ends: WordClass;
  /** Whether the word is a noun, or part of one, when a particle follows it. */
  isNoun(token: string): boolean;
  /** Whether the word, before a noun, ends what modifies the noun: a verb in its plain form. */
  modifies(token: string | undefined): boolean;
  /** Whether the words, the last of which follows the particles, are a copula. */
  isCopula(tokens: readonly string[]): boolean;
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
  /** Quotation marks that close a sentence from behind a blank: `« Non. »`. */
  readonly spacedQuotes: string;
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
  /** Words that lose their last vowel before another, without the apostrophe: `l` for `l'ami`. */
  readonly elisions: ReadonlySet<string>;
  /** Elisions that with a capital before a capital are part of a name: `D'Alema`. */
  readonly nameElisions: ReadonlySet<string>;
  /** Pronouns that follow a verb with a hyphen, in lower case: `il`, `t-il`, `lo`. */
  readonly enclitics: ReadonlySet<string>;
  /** Whether that hyphen is part of the verb (`dá-|lo`) or of the pronoun (`dit|-il`). */
  readonly encliticHyphen: "verb" | "pronoun";
  /** Words with an apostrophe or a hyphen that are one token all the same: `aujourd'hui`. */
  readonly wholeWords: ReadonlySet<string>;
  /** Matches a number and the characters after it that are one word with it: `3月`. */
  readonly numberWords?: RegExp | undefined;
  /** The quotation marks, other than straight ones. */
  readonly quotes: {
    /** Those that are glued to the word after them. */
    readonly opening: string;
    /** Those that are glued to the word before them. */
    readonly closing: string;
  };
  /** The lengths of the entries, so that shorter and longer words need not be looked up. */
  readonly lengths: {
    /** Those of `clitics`. */
    readonly clitics: LengthRange;
    /** Those of `fusedWords`. */
    readonly fusedWords: LengthRange;
    /** Those of `clippedEnds`. */
    readonly clippedEnds: LengthRange;
    /** Those of `elisions`. */
    readonly elisions: LengthRange;
    /** Those of `enclitics`. */
    readonly enclitics: LengthRange;
    /** Those of `wholeWords`. */
    readonly wholeWords: LengthRange;
    /** Those of clitics, clipped starts and short years. */
    readonly afterApostrophe: LengthRange;
  };
}

/** Words and sentences of a script that sets no blanks between them. */
export interface UnspacedScript {
  /** The end of the text in such a script that begins at `at`; `at` if there is none. */
  end(source: string, at: number, limit: number): number;
  /** The place where such text next begins, or `limit`. */
  next(source: string, from: number, limit: number): number;
  /** The words of source[begin, end), which is all of such a script. */
  words(source: string, begin: number, end: number): readonly string[];
  /** How sentences end; missing if they end as those of other languages. */
  readonly quotations?: Quotations | undefined;
}

/**
 * Which full stops end only a quotation, in a script without blanks: `「はい。」と言った。` is one sentence.
 */
export interface Quotations {
  /** Whether the marks at [at, runEnd), of ASCII or full width, are a full stop of the script: `好!他`. */
  isFullStop(source: string, at: number, runEnd: number): boolean;
  /** Whether the quotation inside a sentence, opened at `open`, goes on after the full stop at `at`. */
  staysInside(source: string, open: number, at: number): boolean;
  /**
   * Whether the sentence goes on at `end`, after a quotation that ended in a full stop. It was opened at `open`
   * inside the sentence; undefined if it began the sentence.
   */
  continuesAfter(source: string, open: number | undefined, end: number): boolean;
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
  readonly spacedQuotes?: string | undefined;
  readonly unspaced?: UnspacedScript | undefined;
  readonly decimalComma?: boolean | undefined;
  /** With their apostrophe: `'s n't`. */
  readonly clitics?: string | undefined;
  /** With a bar where they are cut: `can|not`. */
  readonly fusedWords?: string | undefined;
  readonly clippedStarts?: string | undefined;
  readonly clippedEnds?: string | undefined;
  readonly decadeSuffix?: string | undefined;
  readonly beforePossessive?: RegExp | undefined;
  /** With their apostrophe: `l' qu'`. */
  readonly elisions?: string | undefined;
  readonly nameElisions?: string | undefined;
  readonly enclitics?: string | undefined;
  readonly encliticHyphen?: WordRules["encliticHyphen"] | undefined;
  readonly wholeWords?: string | undefined;
  readonly numberWords?: RegExp | undefined;
  /** Pairs of quotation marks other than the English ones: `„“ »«`. */
  readonly quotes?: string | undefined;
  readonly grammar?: Grammar | undefined;
  readonly particles?: Particles | undefined;
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
  const { code, name, unspaced, grammar, particles, heads } = description;
  return {
    code,
    name,
    sentences: sentenceRules(description),
    words: wordRules(description),
    unspaced,
    grammar,
    particles,
    heads,
  };
}

function sentenceRules({
  abbreviations: own = {},
  starters = "",
  abbreviatedStarters = "",
  ordinals = false,
  spacedQuotes = "",
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
    spacedQuotes,
  };
}

function wordRules(description: LanguageDescription): WordRules {
  const { decimalComma = false, decadeSuffix = "", encliticHyphen = "pronoun" } = description;
  const { beforePossessive, numberWords } = description;
  const clitics = new Map(
    splitWords(description.clitics ?? "").map((clitic) => {
      const [before = "", after = ""] = clitic.split("'");
      return [after, before] as const;
    }),
  );
  const fusedWords = new Map(splitWords(description.fusedWords ?? "").flatMap(spellings));
  const clippedStarts = new Set(splitWords(description.clippedStarts ?? ""));
  const clippedEnds = new Set(splitWords(description.clippedEnds ?? ""));
  const elisions = new Set(splitWords((description.elisions ?? "").replaceAll("'", "")));
  const enclitics = new Set(splitWords(description.enclitics ?? ""));
  const wholeWords = new Set(splitWords(description.wholeWords ?? ""));
  return {
    decimalComma,
    clitics,
    fusedWords,
    clippedStarts,
    clippedEnds,
    decadeSuffix,
    beforePossessive,
    elisions,
    nameElisions: new Set(splitWords((description.nameElisions ?? "").replaceAll("'", ""))),
    enclitics,
    encliticHyphen,
    wholeWords,
    numberWords,
    quotes: quoteMarks(description.quotes ?? ENGLISH_QUOTES),
    lengths: {
      clitics: lengthRange(clitics.keys()),
      fusedWords: lengthRange(fusedWords.keys()),
      clippedEnds: lengthRange(clippedEnds),
      elisions: lengthRange(elisions),
      enclitics: lengthRange(enclitics),
      wholeWords: lengthRange(wholeWords),
      afterApostrophe: lengthRange([...clitics.keys(), ...clippedStarts, `80${decadeSuffix}`]),
    },
  };
}

const ENGLISH_QUOTES = "“” ‘’ «»";

function quoteMarks(pairs: string): WordRules["quotes"] {
  const list = splitWords(pairs);
  const marks = (at: number) => list.map((pair) => pair.charAt(at)).join("");
  return { opening: marks(0), closing: marks(1) };
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
