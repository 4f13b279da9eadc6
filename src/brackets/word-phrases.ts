/**
 * What the words of a sentence show by themselves, beside amounts (amounts.ts), whatever people
 * bracketed. As the Penn Treebank's guidelines have it (Bies et al. 1995):
 *
 * | words                        | phrase             | no phrase    | there                          |
 * |------------------------------|--------------------|--------------|--------------------------------|
 * | a man ( or woman ) left      | ( or woman )       |              | PRN                            |
 * | the town in which he lived   | in which           |              | WHPP                           |
 * | cats as well as dogs         | as well as         |              | CONJP                          |
 * | they help each other         | each other         |              | fixed words                    |
 * | In May , he left .           |                    | he left      | what precedes the subject is   |
 * | But he left .                |                    | he left      | its sister in a flat clause    |
 * | such as cats                 |                    | such as      | prepositions of two words are  |
 * |                              |                    |              | sisters of their object        |
 * | in the middle of the night   |                    | in the middle| "of" belongs to the noun       |
 * | He left .                    |                    | He left      | the full stop is in the clause |
 * | Ann 's old red boat          |                    | old red      | what is owned is flat, beside  |
 * |                              |                    | old red boat | its owner                      |
 * | a moral and legal duty       | moral and legal    |              | ADJP before a noun             |
 * | It was very old .            | very old           |              | ADJP after a copula            |
 * | It was older than Rome .     | older than Rome    |              | ADJP with what it is compared  |
 * |                              |                    |              | with                           |
 * | as long as he stayed         | as long            | as long as   | the second "as" begins what is |
 * |                              |                    |              | compared                       |
 * | all the old men left         |                    | the old men  | what precedes the determiner   |
 * |                              |                    |              | is its sister                  |
 * | no old men left              |                    | old men      |                                |
 * | It fell ( in May ) .         |                    | It fell      | so is a last parenthesis that  |
 * |                              |                    |              | of the clause's phrases        |
 * | " It fell , " he said .      |                    | he said      | and a speaker that of what is  |
 * |                              |                    |              | said                           |
 */

import type { Span } from "../trees/tree.js";
import type { ShownSpans } from "./amounts.js";
import { nextEnd } from "./clause-end.js";
import { isBaseNounPhrase, mayPrecedeClause } from "./flat.js";
import type { RuleSentence } from "./rule-sentence.js";

export function wordPhrasesOf(sentence: RuleSentence): ShownSpans {
  return {
    phrases: [
      ...parentheses(sentence),
      ...whPhrases(sentence),
      ...fixedPhrases(sentence),
      ...adjectivePhrases(sentence),
      ...comparisons(sentence),
      ...equatives(sentence).map(({ begin, end }) => ({ begin, end: end - 1 })),
    ],
    fragments: [
      ...equatives(sentence),
      ...afterDeterminer(sentence),
      ...beforeParenthesis(sentence),
      ...speakers(sentence),
      ...withoutFullStop(sentence),
      ...afterFront(sentence),
      ...prepositions(sentence),
      ...beforeOf(sentence),
      ...owned(sentence),
    ],
  };
}

const OPENING = /^(?:\(|-LRB-)$/;
const CLOSING = /^(?:\)|-RRB-)$/;

/** Parentheses with what is inside. */
function* parentheses({ tokens }: RuleSentence): Generator<Span> {
  const open: number[] = [];
  for (const [at, token] of tokens.entries()) {
    if (OPENING.test(token)) open.push(at);
    const begin = CLOSING.test(token) ? open.pop() : undefined;
    if (begin !== undefined) yield { begin, end: at + 1 };
  }
}

/** A preposition with its wh-pronoun, where a clause follows. */
function* whPhrases({ tokens, grammar }: RuleSentence): Generator<Span> {
  for (let begin = 0; begin + 2 < tokens.length; begin++) {
    const isPhrase =
      grammar.prepositions.has(tokens[begin]) && grammar.whPronouns.has(tokens[begin + 1]);
    if (isPhrase) yield { begin, end: begin + 2 };
  }
}

/** The longest at each place: "as well as" is not "as well". */
function* fixedPhrases({ tokens, grammar }: RuleSentence): Generator<Span> {
  for (let begin = 0; begin < tokens.length; ) {
    const size = [3, 2].find((words) => {
      const isWhole = begin + words <= tokens.length;
      return isWhole && grammar.fixedPhrases.has(tokens.slice(begin, begin + words).join(" "));
    });
    if (size !== undefined) yield { begin, end: begin + size };
    begin += size ?? 1;
  }
}

/** Two adjectives that are joined before a noun, and a graded adjective between a copula and the end of the clause. */
function* adjectivePhrases(sentence: RuleSentence): Generator<Span> {
  const { tokens, grammar } = sentence;
  for (const [begin, token] of tokens.entries()) {
    const end = begin + 3;
    const isJoined =
      grammar.plainAdjectives.has(token) &&
      grammar.coordinators.has(tokens[begin + 1]) &&
      grammar.plainAdjectives.has(tokens[begin + 2]);
    const isBeforeNoun =
      grammar.determiners.has(tokens[begin - 1]) &&
      !grammar.plainAdjectives.has(tokens[end]) &&
      isBaseNounPhrase({ begin: end, end: end + 1 }, sentence);
    if (isJoined && isBeforeNoun && isWord(tokens[end])) yield { begin, end };
    const copula = grammar.negations.has(tokens[begin - 1]) ? begin - 2 : begin - 1;
    const isGraded =
      grammar.intensifiers.has(token) && grammar.plainAdjectives.has(tokens[begin + 1]);
    const isLast = /^[.;!?]$/.test(tokens[begin + 2] ?? "");
    if (isGraded && isLast && grammar.copulas.has(tokens[copula])) yield { begin, end: begin + 2 };
  }
}

const isWord = (token: string | undefined) => /[\p{L}\p{N}]/u.test(token ?? "");

/** A comparative after a copula, with its degree and what it is compared with, if the clause ends there. */
function* comparisons(sentence: RuleSentence): Generator<Span> {
  const { tokens, grammar } = sentence;
  for (const [at, token] of tokens.entries()) {
    if (!grammar.comparatives.has(token)) continue;
    const hasDegree = grammar.comparativeDegrees.has(tokens[at - 1]);
    const begin = hasDegree ? at - 1 : at;
    const copula = grammar.negations.has(tokens[begin - 1]) ? begin - 2 : begin - 1;
    const found = grammar.copulas.has(tokens[copula]) ? nextEnd(at + 1, sentence) : undefined;
    const end = found?.isJoined ? undefined : found?.end;
    const isCompared = tokens.slice(at, end).some((each) => grammar.comparisonMarks.has(each));
    if (end !== undefined && isCompared) yield { begin, end };
  }
}

/** "as long as", but not "as well as", which is one conjunction, and not "as much as", which may be an amount. */
function equatives({ tokens, grammar }: RuleSentence): Span[] {
  return [...tokens.keys()].flatMap((begin) => {
    const [first, word, last] = tokens.slice(begin, begin + 3);
    const isPair = grammar.equativeMarks.has(first) && grammar.equativeMarks.has(last);
    const isOther = grammar.equativeQuantities.has(word) || !isWord(word);
    return isPair && !isOther ? [{ begin, end: begin + 3 }] : [];
  });
}

/** What begins with the determiner after "all" or "such", and nouns and adjectives after "no". */
function* afterDeterminer(sentence: RuleSentence): Generator<Span> {
  const { tokens, grammar } = sentence;
  for (let begin = 1; begin + 1 < tokens.length; begin++) {
    const before = tokens[begin - 1];
    const isAfterAll = grammar.predeterminers.has(before) && grammar.determiners.has(tokens[begin]);
    if (isAfterAll || grammar.negativeDeterminers.has(before)) yield* nounRuns(begin, sentence);
  }
}

/** Who says it, at the end of what is said. */
function* speakers({ tokens, grammar }: RuleSentence): Generator<Span> {
  const end = tokens.findLastIndex(isWord) + 1;
  const comma = tokens.lastIndexOf(",", end - 1);
  const isQuote = /^(?:''|["”’])$/.test(tokens[comma + 1] ?? "");
  const begin = comma + (isQuote ? 2 : 1);
  const isSpeaker = comma >= 2 && grammar.reportingVerbs.has(tokens[end - 1]);
  const isClause =
    tokens.slice(begin, end - 1).every(isWord) && !grammar.relatives.has(tokens[begin]);
  if (isSpeaker && isClause && end - begin >= 2) yield { begin, end };
}

/** The sentence but for the parenthesis that ends it. */
function* beforeParenthesis({ tokens }: RuleSentence): Generator<Span> {
  const end = tokens.findLastIndex((token) => isWord(token) || CLOSING.test(token)) + 1;
  if (!CLOSING.test(tokens[end - 1] ?? "")) return;
  let depth = 0;
  let at = end - 1;
  for (; at > 0; at--) {
    if (CLOSING.test(tokens[at] as string)) depth += 1;
    if (OPENING.test(tokens[at] as string)) depth -= 1;
    if (depth === 0) break;
  }
  if (at >= 2) yield { begin: 0, end: at };
}

/** The sentence but for its full stop. */
function* withoutFullStop({ tokens }: RuleSentence): Generator<Span> {
  const end = tokens.length - 1;
  if (end > 1 && /^[.?!]$/.test(tokens[end] as string)) yield { begin: 0, end };
}

/** All that follows what precedes the clause, or the coordinator that begins the sentence. */
function* afterFront(sentence: RuleSentence): Generator<Span> {
  const { tokens, grammar } = sentence;
  const end = tokens.findLastIndex(isWord) + 1;
  let begin = tokens.findIndex(isWord);
  if (grammar.coordinators.has(tokens[begin])) {
    begin += 1;
    if (end - begin >= 2) yield { begin, end };
  }
  if (!mayPrecedeClause(tokens[begin], sentence)) return;
  if (grammar.adverbs.has(tokens[begin]) && isWord(tokens[begin + 1]))
    yield { begin: begin + 1, end };
  const comma = tokens.indexOf(",", begin);
  if (comma >= 0 && end - comma > 2) yield { begin: comma + 1, end };
}

function* prepositions({ tokens, grammar }: RuleSentence): Generator<Span> {
  for (let begin = 0; begin + 2 < tokens.length; begin++) {
    const end = begin + 2;
    if (grammar.twoWordPrepositions.has(tokens.slice(begin, end).join(" "))) yield { begin, end };
  }
}

/** A preposition with a noun phrase after which "of" goes on. */
function* beforeOf(sentence: RuleSentence): Generator<Span> {
  const { tokens, grammar } = sentence;
  for (let begin = 0; begin < tokens.length; begin++) {
    if (!grammar.prepositions.has(tokens[begin])) continue;
    const isDetermined = grammar.determiners.has(tokens[begin + 1]);
    const end = begin + (isDetermined ? 3 : 2);
    const isNoun = isBaseNounPhrase({ begin: begin + 1, end }, sentence);
    if (isNoun && grammar.nounPrepositions.has(tokens[end])) yield { begin, end };
  }
}

/** The stretches from a word on that may be nouns and adjectives. */
function* nounRuns(begin: number, sentence: RuleSentence): Generator<Span> {
  for (let end = begin + 2; end <= sentence.tokens.length; end++) {
    if (!isBaseNounPhrase({ begin, end }, sentence)) break;
    yield { begin, end };
  }
}

/**
 * What follows a possessor, as far as it may be nouns and adjectives: the noun phrase begins with the
 * possessor. Before a participle, an adverb or a determiner "'s" is a verb.
 */
function* owned(sentence: RuleSentence): Generator<Span> {
  const { tokens, grammar } = sentence;
  const { adverbs, participles, gerunds, numbers, determiners, contractedWords } = grammar;
  const others = [adverbs, participles, gerunds, numbers, determiners];
  for (let mark = 1; mark + 2 < tokens.length; mark++) {
    const [possessor, first] = [tokens[mark - 1], tokens[mark + 1]];
    const isQuote = tokens[mark] === "'" && !/s$/i.test(possessor ?? "");
    const isMark = grammar.possessiveMarks.has(tokens[mark]) && isWord(possessor) && !isQuote;
    const isVerb = contractedWords.has(possessor) || others.some((words) => words.has(first));
    if (!isMark || isVerb) continue;
    yield* nounRuns(mark + 1, sentence);
  }
}
