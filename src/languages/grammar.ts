/**
 * What the rules about phrases (brackets/) know of a language: its closed word classes. A language
 * without a grammar has no such rules.
 */

/** A class of words. */
export interface WordClass {
  /** Whether the token is of the class, in any letter case. */
  has(token: string | undefined): boolean;
}

export interface WordClassOptions {
  /** Lower-case words that match are of the class, too: `/ly$/`. */
  readonly ending?: RegExp | undefined;
  /** Spellings that are not of the class, separated by blanks; letter case counts: `May`. */
  readonly except?: string | undefined;
}

/**
 * @param list lower-case words, separated by blanks
 */
export function wordClass(list: string, { ending, except = "" }: WordClassOptions = {}): WordClass {
  const words = new Set(splitWords(list));
  const exceptions = new Set(splitWords(except));
  return {
    has: (token) => {
      if (token === undefined || exceptions.has(token)) return false;
      const word = token.toLowerCase();
      return words.has(word) || (ending?.test(word) ?? false);
    },
  };
}

/** The words of all the classes. */
export function union(...classes: readonly WordClass[]): WordClass {
  return { has: (token) => classes.some((each) => each.has(token)) };
}

/** The words of a list that blanks separate. */
export function splitWords(list: string): string[] {
  return list.split(/\s+/).filter((word) => word !== "");
}

/** Word classes by which the phrase rules tell where phrases begin and end. */
export interface Grammar {
  /** Articles and possessives that begin a noun phrase and never stand alone: "the", "his". */
  readonly determiners: WordClass;
  /** Verbs that precede another verb, the copula, and the infinitive mark. */
  readonly auxiliaries: WordClass;
  /** "to" in "to leave". */
  readonly infinitiveMarks: WordClass;
  /** Words with the form of a participle, which may follow its noun: "the families involved". */
  readonly participles: WordClass;
  /** Adverbs that stand between auxiliary and verb: "has already left". */
  readonly adverbs: WordClass;
  /** Prepositions that begin a phrase wherever they stand. */
  readonly prepositions: WordClass;
  /** Words that begin a subordinate or infinitive clause: "that", "because", "to". */
  readonly subordinators: WordClass;
  /** Subordinators that modify the word after them: "whose house". */
  readonly whDeterminers: WordClass;
  /** Further words that begin what precedes a sentence's clause: "However , he left". */
  readonly sentenceAdverbials: WordClass;
  readonly coordinators: WordClass;
  /** Pronouns that are a noun phrase by themselves. */
  readonly pronouns: WordClass;
  /** Pronouns that are a clause's subject. */
  readonly subjectPronouns: WordClass;
  /** Adverbs that modify the adjective after them: "very old". */
  readonly intensifiers: WordClass;
  /** The token after a possessor: "'s". */
  readonly possessiveMarks: WordClass;
  /** Words that no chunk, a noun phrase without a phrase inside, contains. */
  readonly nonChunkWords: WordClass;
}

/** A grammar as its language's file gives it. */
export interface GrammarWords extends Omit<Grammar, "nonChunkWords"> {
  /** Words of no other class that have phrases beside them within a phrase: "more than ten men". */
  readonly phraseInternalWords: WordClass;
}

export function defineGrammar({ phraseInternalWords, ...words }: GrammarWords): Grammar {
  const { subordinators, coordinators, intensifiers, prepositions, pronouns } = words;
  const classes = [subordinators, coordinators, intensifiers, prepositions, pronouns];
  return { ...words, nonChunkWords: union(...classes, phraseInternalWords) };
}
