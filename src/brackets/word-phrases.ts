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
 */

import type { Span } from "../trees/tree.js";
import type { ShownSpans } from "./amounts.js";
import { isBaseNounPhrase, mayPrecedeClause } from "./flat.js";
import type { RuleSentence } from "./rule-sentence.js";

export function wordPhrasesOf(sentence: RuleSentence): ShownSpans {
  return {
    phrases: [...parentheses(sentence), ...whPhrases(sentence), ...fixedPhrases(sentence)],
    fragments: [...afterFront(sentence), ...prepositions(sentence), ...beforeOf(sentence)],
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
    const size = [3, 2].find((words) =>
      grammar.fixedPhrases.has(tokens.slice(begin, begin + words).join(" ")),
    );
    if (size !== undefined) yield { begin, end: begin + size };
    begin += size ?? 1;
  }
}

const isWord = (token: string | undefined) => /[\p{L}\p{N}]/u.test(token ?? "");

/** All that follows what precedes the clause, or the coordinator that begins the sentence. */
function* afterFront(sentence: RuleSentence): Generator<Span> {
  const { tokens, grammar } = sentence;
  const end = tokens.findLastIndex(isWord) + 1;
  let begin = tokens.findIndex(isWord);
  if (grammar.coordinators.has(tokens[begin])) {
    begin += 1;
    yield { begin, end };
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
