/** Words of English that tell where phrases begin, where brackets are mended or added to. */

/**
 * People who answer or link often leave the article out, and a bracket after it would say that the
 * article is no part of the phrase. Words that can also stand alone ("that", "her") are not here.
 */
export const DETERMINERS = words("the a an its his their my your our every");

/** Also the copula: forms of the verbs that stand before another, and the infinitive's mark. */
const AUXILIARIES = words(
  `to be am is are was were been being have has had having do does did will would shall should can
  could may might must 's 're 've 'd 'll`,
);

/** A month and a man's name are none. */
export function isAuxiliary(token: string | undefined): boolean {
  return token !== "May" && token !== "Will" && isIn(AUXILIARIES, token);
}

/**
 * Not here: words that are adverbs before numbers as often ("about", "over"), that begin no phrase of
 * their own ("than", "as"), or that go with a verb ("up", "off").
 */
export const PREPOSITIONS = words(
  `of in on at by for with from into onto upon within without between among during against through
  throughout toward towards across behind beside besides despite beyond along amid via`,
);

/** What these begin may have a verb; "to" begins that, or what a preposition does. */
export const CONJUNCTIONS = words(
  `to that who whom whose which when where because if whether although though while until since after
  before`,
);

/** With these, prepositions, conjunctions and adverbs in "ly" begins what stands before a clause. */
export const OPENERS = words(
  `as around over under above below near outside inside unlike like once unless according however then
  also instead meanwhile thus therefore furthermore moreover nevertheless nonetheless today yesterday`,
);

/** Of the conjunctions those that go with the word after them: "whose house". */
export const ATTRIBUTES = words("whose which");

/** Pronouns that stand for a phrase of their own. */
export const PRONOUNS = words("i you he she it we they there me him us them");

/** Those that are subjects. */
export const SUBJECTS = words("i he she it we they there this these");

/** Those that stand between auxiliary and verb, and do not end in "ly". */
export const ADVERBS = words(
  `not n't also still then now never often already just only even yet soon once always sometimes again
  ever`,
);

/** Those that go with the adjective after them, also before a noun: "a [very old] man". */
export const INTENSIFIERS = words(
  `very extremely highly relatively fairly particularly especially increasingly slightly significantly
  newly recently widely fully largely heavily completely truly`,
);

export const COORDINATORS = words("and or but nor &");

/** What also makes a group of words more than a row of nouns and adjectives: parts of their own in it. */
export const JOINTS = words(
  `than as about over under up off out down like not n't no more most less least
  so too quite rather how what why both either neither later earlier ago below above`,
);

export function isIn(words: ReadonlySet<string>, token: string | undefined): boolean {
  return token !== undefined && words.has(token.toLowerCase());
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}
