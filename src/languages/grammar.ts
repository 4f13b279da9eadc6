/**
 * The word classes of a language, nearly all of them closed, which the rules for phrases (brackets/)
 * use. A language without a grammar has no such rules.
 */

/** A class of words. */
export interface WordClass {
  /** Whether the token belongs to the class, in any letter case. */
  has(token: string | undefined): boolean;
}

export interface WordClassOptions {
  /** Lower-case words that match also belong to the class: `/ly$/`. */
  readonly ending?: RegExp | undefined;
  /** Spellings that do not belong to it, separated by blanks; letter case matters: `May`. */
  readonly except?: string | undefined;
}

/** A class from a list of lower-case words, separated by blanks. */
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

/** A class of words that belong together, separated by one blank: "because of". */
export function phraseClass(...phrases: readonly string[]): WordClass {
  const known = new Set(phrases);
  return { has: (phrase) => phrase !== undefined && known.has(phrase.toLowerCase()) };
}

/** The words of all the classes. */
export function union(...classes: readonly WordClass[]): WordClass {
  return { has: (token) => classes.some((each) => each.has(token)) };
}

/** The words of a list, separated by blanks. */
export function splitWords(list: string): string[] {
  return list.split(/\s+/).filter((word) => word !== "");
}

/** The word classes from which the rules know where phrases begin and end. */
export interface Grammar {
  /** Articles and possessives that begin a noun phrase and never stand alone: "the", "his". */
  readonly determiners: WordClass;
  /** Verbs that precede another verb, the copula, and the infinitive mark. */
  readonly auxiliaries: WordClass;
  /** Auxiliaries, modals and copulas that are the first verb of a clause. */
  readonly finiteAuxiliaries: WordClass;
  /** Auxiliaries that an infinitive follows. */
  readonly modals: WordClass;
  /** Words that begin a question or a clause that is an object: "what". */
  readonly questionWords: WordClass;
  /** "to" in "to leave". */
  readonly infinitiveMarks: WordClass;
  /** Words that look like a participle, which may follow its noun: "the families involved". */
  readonly participles: WordClass;
  /** Words that look like a verb without a subject: "he died , leaving two sons". */
  readonly gerunds: WordClass;
  /** Adverbs that stand between auxiliary and verb: "has already left". */
  readonly adverbs: WordClass;
  /** Prepositions that begin a phrase wherever they stand. */
  readonly prepositions: WordClass;
  /** Prepositions that belong to the noun before them: "of". */
  readonly nounPrepositions: WordClass;
  /** Words that begin a subordinate or infinitive clause: "that", "because", "to". */
  readonly subordinators: WordClass;
  /** Subordinators that modify the word after them: "whose house". */
  readonly whDeterminers: WordClass;
  /** Further words that begin something before the clause of a sentence: "However , he left". */
  readonly sentenceAdverbials: WordClass;
  /** "and", "or". */
  readonly coordinators: WordClass;
  /** Pronouns that are a noun phrase by themselves. */
  readonly pronouns: WordClass;
  /** Pronouns that stand for a person or thing, and take no modifier: "him". */
  readonly personalPronouns: WordClass;
  /** Pronouns that are an object: "him". */
  readonly objectPronouns: WordClass;
  /** Prepositions, and words that are used like them, after which something begins that may modify a verb. */
  readonly adverbialPrepositions: WordClass;
  /** What a number measures: "hours". */
  readonly measureUnits: WordClass;
  /** Verbs with two objects: whom they concern, and a clause: "told him to leave", "told him that he left". */
  readonly objectControlVerbs: WordClass;
  /** Subordinators whose clause modifies a verb and never a noun: "because". */
  readonly adverbialSubordinators: WordClass;
  /** Prepositions that may begin a clause without a verb: "with him in prison". */
  readonly absolutePrepositions: WordClass;
  /** Adjectives with an infinitive of their own: "likely to leave". */
  readonly complementAdjectives: WordClass;
  /** Pronouns that are a clause's subject. */
  readonly subjectPronouns: WordClass;
  /** Adverbs that modify the adjective after them: "very old". */
  readonly intensifiers: WordClass;
  /** The token after a possessor: "'s". */
  readonly possessiveMarks: WordClass;
  /** Words after which "'s" is a verb: "it 's". */
  readonly contractedWords: WordClass;
  /** Words that are adjectives and nothing else: "legal". */
  readonly plainAdjectives: WordClass;
  /** Verbs before an adjective that the subject is said to be: "was very old". */
  readonly copulas: WordClass;
  /** Numbers in digits and in words: "1,000", "ten", "million". */
  readonly numbers: WordClass;
  /** Number words that multiply the number before them: "million". */
  readonly magnitudes: WordClass;
  /** Signs before an amount of money. */
  readonly currencySigns: WordClass;
  /** "%", "percent". */
  readonly percentSigns: WordClass;
  /** "to" in "2 to 3 weeks". */
  readonly rangeMarks: WordClass;
  /** Up to three words before a number that say how exact it is: "nearly", "more than". */
  readonly hedges: WordClass;
  /** The names of months. */
  readonly months: WordClass;
  /** Words after a measure that make an adverbial of it: "two years ago". */
  readonly measureAdverbs: WordClass;
  /** Adjectives that a measure may precede: "two years old". */
  readonly measureAdjectives: WordClass;
  /** Wh-words that may follow a preposition: "the town in which he lived". */
  readonly whPronouns: WordClass;
  /** Words that begin a relative clause, also after a comma. */
  readonly relatives: WordClass;
  /** Several words that are one phrase wherever they stand: "each other", "as well as". */
  readonly fixedPhrases: WordClass;
  /** "not". */
  readonly negations: WordClass;
  /** Adverbs that say how, and modify no preposition after them: "fell sharply in May". */
  readonly mannerAdverbs: WordClass;
  /** Words before a determiner: "all the men". */
  readonly predeterminers: WordClass;
  /** Words of one noun phrase with the bare nouns after them: "no". */
  readonly negativeDeterminers: WordClass;
  /** Verbs of saying, which may end a sentence after what is said: "he left , she said". */
  readonly reportingVerbs: WordClass;
  /** Comparative adjectives: "older". */
  readonly comparatives: WordClass;
  /** They say how much more it is: "much older". */
  readonly comparativeDegrees: WordClass;
  /** Words between two equative marks that make an amount or a conjunction of them: "as much as", "as well as". */
  readonly equativeQuantities: WordClass;
  /** What a comparative is compared with begins with it: "than". */
  readonly comparisonMarks: WordClass;
  /** "as" in "as long as". */
  readonly equativeMarks: WordClass;
  /** Verbs whose object is the subject of the infinitive after it: "expect him to leave". */
  readonly raisingVerbs: WordClass;
  /** Several words that are an adverb before a verb: "no longer". */
  readonly preverbalPhrases: WordClass;
  /** Words that belong to a verb: "track down the man". */
  readonly particles: WordClass;
  /** Words that are capitalised, but part of no name beside them: "Monday". */
  readonly timeNames: WordClass;
  /** Two words that are one preposition: "because of". */
  readonly twoWordPrepositions: WordClass;
  /** First parts of hyphenated words that are no words by themselves: "non". */
  readonly boundPrefixes: WordClass;
  /** Last parts of hyphenated words that make an adjective of the whole: "based". */
  readonly compoundAdjectives: WordClass;
  /** Words that are in no chunk (a noun phrase without a phrase inside). */
  readonly nonChunkWords: WordClass;
}

/** A grammar as the file of its language defines it. */
export interface GrammarWords extends Omit<Grammar, "nonChunkWords"> {
  /** Further words that have phrases beside them within a phrase: "more than ten men". */
  readonly phraseInternalWords: WordClass;
}

export function defineGrammar({ phraseInternalWords, ...words }: GrammarWords): Grammar {
  const { subordinators, coordinators, intensifiers, prepositions, pronouns } = words;
  const classes = [subordinators, coordinators, intensifiers, prepositions, pronouns];
  return { ...words, nonChunkWords: union(...classes, phraseInternalWords) };
}
