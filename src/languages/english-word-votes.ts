/**
 * Labels that the words of an English sentence show by themselves, whatever people bracketed. A vote
 * says what a span is called if it is a phrase; whether it is one is for brackets to say.
 */

import {
  ADJECTIVES,
  ADVERBS,
  AUXILIARIES,
  COORDINATORS,
  COPULAS,
  EITHER,
  INTENSIFIERS,
  isBoundary,
  NOUN_PHRASE_STARTERS,
  PREPOSITIONS,
  WH_ADVERBS,
  WH_NOUNS,
} from "./english-words.js";
import { wordClass } from "./grammar.js";
import type { LabelEvidence, VotedSpan } from "./labels.js";

export function* wordVotes(evidence: LabelEvidence): Generator<VotedSpan> {
  yield* wholeSentence(evidence);
  yield* parentheses(evidence.tokens);
  yield* predicativeAdjectives(evidence.tokens);
  yield* joinedAdjectives(evidence.tokens);
  yield* adverbials(evidence.tokens);
}

/** A sentence with a verb and a full stop is a clause; a question may be another. */
function* wholeSentence({ tokens, verbs }: LabelEvidence): Generator<VotedSpan> {
  const hasVerb = verbs.size > 0 || tokens.some((token) => AUXILIARIES.has(token));
  const isStatement = /^[.!]$/.test(tokens.at(-1) ?? "") && !isWh(tokens[0]);
  if (tokens.length > 2 && hasVerb && isStatement) {
    yield { begin: 0, end: tokens.length, votes: { S: 0.9 } };
  }
}

/** From a parenthesis to the one that closes it. */
function* parentheses(tokens: readonly string[]): Generator<VotedSpan> {
  const open: number[] = [];
  for (const [at, token] of tokens.entries()) {
    if (/^(?:\(|-LRB-)$/.test(token)) open.push(at);
    if (!/^(?:\)|-RRB-)$/.test(token)) continue;
    const begin = open.pop();
    if (begin !== undefined && at - begin > 1) {
      yield { begin, end: at + 1, votes: { PRN: 0.95 } };
    }
  }
}

/** After a copula, up to where the clause or the list goes on: "was | very old , …". */
function* predicativeAdjectives(tokens: readonly string[]): Generator<VotedSpan> {
  for (const [at, token] of tokens.entries()) {
    if (!COPULAS.has(token)) continue;
    let begin = at + 1;
    while (isBeforeAdjective(tokens[begin])) begin += 1;
    let end = begin;
    while (isDegree(tokens[end])) end += 1;
    if (!ADJECTIVES.has(tokens[end])) continue;
    end += 1;
    if (end - begin > 1 && endsModifier(tokens[end])) yield { begin, end, votes: { ADJP: 0.85 } };
    if (COMPLEMENT_STARTERS.has(tokens[end])) {
      while (end < tokens.length && !isBoundary(tokens[end])) end += 1;
      yield { begin, end, votes: { ADJP: 0.7 } };
    }
  }
}

/** "was | not | very old", "was | also | very old". */
function isBeforeAdjective(token: string | undefined): boolean {
  return /^(?:not|n't)$/.test(token ?? "") || (ADVERBS.has(token) && !isDegree(token));
}

/** Between a determiner and a noun: "a | moral and legal | duty". */
function* joinedAdjectives(tokens: readonly string[]): Generator<VotedSpan> {
  for (let begin = 1; begin + 3 < tokens.length; begin++) {
    const isJoined =
      ADJECTIVES.has(tokens[begin]) &&
      COORDINATORS.has(tokens[begin + 1]) &&
      ADJECTIVES.has(tokens[begin + 2]);
    const isInside =
      NOUN_PHRASE_STARTERS.has(tokens[begin - 1]) && !endsModifier(tokens[begin + 3]);
    if (isJoined && isInside) yield { begin, end: begin + 3, votes: { ADJP: 0.85 } };
  }
}

function isDegree(token: string | undefined): boolean {
  return INTENSIFIERS.has(token) || DEGREES.has(token);
}

function endsModifier(next: string | undefined): boolean {
  return isBoundary(next) || COORDINATORS.has(next) || PREPOSITIONS.has(next) || EITHER.has(next);
}

/** Two words that are an adverbial wherever they stand together, and an adverb with its degree. */
function* adverbials(tokens: readonly string[]): Generator<VotedSpan> {
  for (const [begin, first] of tokens.entries()) {
    const second = tokens[begin + 1];
    const isFixed = TWO_WORD_ADVERBIALS.has(`${first} ${second}`.toLowerCase());
    const isGraded = isDegree(first) && /..ly$/.test(second ?? "") && ADVERBS.has(second);
    const isClear = isFixed || (isGraded && endsModifier(tokens[begin + 2]));
    if (isClear) yield { begin, end: begin + 2, votes: { ADVP: 0.85 } };
  }
}

export function isWh(token: string | undefined): boolean {
  return WH_NOUNS.has(token) || WH_ADVERBS.has(token);
}

/** They say to what degree, beside the intensifiers. */
const DEGREES = wordClass(
  "much far even still no slightly somewhat rather quite nearly almost that",
);

/** They begin the complement of an adjective: "happy with it". */
export const COMPLEMENT_STARTERS = wordClass("to of for with that about than in by at from as on");

const TWO_WORD_ADVERBIALS = new Set([
  ...[
    "as well",
    "so far",
    "at least",
    "no longer",
    "once again",
    "once more",
    "right now",
    "even so",
  ],
  ...[
    "long ago",
    "so much",
    "too much",
    "very much",
    "very well",
    "even more",
    "any longer",
    "just now",
  ],
  ...["right away", "far away", "much more", "far more", "later on", "early on", "at last"],
]);
