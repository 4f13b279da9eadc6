/**
 * What is no phrase though a binary tree may have it, told by brackets around and inside. Trees of
 * treebanks are flat in two places above all.
 *
 * A chunk has no phrase inside: a bracket of nothing but nouns, adjectives, numbers and a determiner
 * ("the old wooden bridge"), which is told by the words that are not in it. Whoever answers with some
 * of it ("wooden bridge", or "wooden", to which the article was added) does not say that it is a phrase.
 *
 * A fragment is no phrase itself. A verb and all that was asked of it are one, but the verb and some
 * of that is none, nor is that without the verb ("gave | the boy | a watch"), nor an adverb between
 * auxiliary and verb with what follows ("has | already left"), nor what a possessor has, or the
 * possessor with some of it ("the man 's | old | boat"), nor "and" with what it joins to something, nor
 * a sentence without what stands before it ("in May , | he left"): then trees should have that span, if
 * they must be binary, and yet it is no phrase.
 */

import type { Span } from "../trees/tree.js";
import {
  ADVERBS,
  CONJUNCTIONS,
  COORDINATORS,
  DETERMINERS,
  INTENSIFIERS,
  isAuxiliary,
  isIn,
  JOINTS,
  OPENERS,
  PREPOSITIONS,
  PRONOUNS,
} from "./english.js";

const OTHERS = [CONJUNCTIONS, COORDINATORS, INTENSIFIERS, JOINTS, PREPOSITIONS, PRONOUNS];

/** `verbs` are the places of verbs as far as known. */
export function isChunk(
  { begin, end }: Span,
  tokens: readonly string[],
  verbs: ReadonlySet<number>,
): boolean {
  return end - begin >= 3 && isPlain({ begin, end }, tokens, verbs);
}

/** A determiner after the first word tells of a verb that is not known as one: "cause a fever". */
export function isPlain(
  { begin, end }: Span,
  tokens: readonly string[],
  verbs: ReadonlySet<number>,
): boolean {
  for (let at = begin; at < end; at++) {
    const word = (tokens[at] as string).toLowerCase();
    if (verbs.has(at) || isAuxiliary(tokens[at]) || !/[\p{L}\p{N}$%]/u.test(word)) return false;
    if (OTHERS.some((set) => set.has(word))) return false;
    if (at > begin && DETERMINERS.has(word)) return false;
  }
  return true;
}

/**
 * Whether the bracket is some of a chunk and no phrase. Without a determiner the chunk may have a verb
 * that is not known as one: "conduct | electric current"; so may what ends in a participle: "the
 * families | involved".
 */
export function isSomeOfChunk(bracket: Span, chunk: Span, tokens: readonly string[]): boolean {
  const { begin, end } = bracket;
  const isInside =
    chunk.begin <= begin && end <= chunk.end && end - begin < chunk.end - chunk.begin;
  if (!isInside || !isIn(DETERMINERS, tokens[chunk.begin])) return false;
  return begin > chunk.begin || (end - begin === 2 && !tokens[end]?.endsWith("ed"));
}

/** Fragments of a verb with what was asked of it, by the answers among that. */
export function predicateFragments(predicate: Span, answers: readonly Span[]): Span[] {
  const args = outermost(answers.filter((answer) => isAfterVerb(answer, predicate)));
  const { begin, end } = predicate;
  return args.flatMap((first, index) => [
    ...(first.end < end ? [{ begin, end: first.end }] : []),
    ...args.slice(index + 1).map((last) => ({ begin: first.begin, end: last.end })),
  ]);
}

function isAfterVerb(answer: Span, predicate: Span): boolean {
  return predicate.begin < answer.begin && answer.end <= predicate.end;
}

/** Disjoint spans from left to right, the longest preferred where they overlap. */
function outermost(spans: readonly Span[]): Span[] {
  const chosen: Span[] = [];
  for (const span of spans.toSorted((a, b) => b.end - b.begin - (a.end - a.begin))) {
    const isFree = chosen.every(({ begin, end }) => span.end <= begin || end <= span.begin);
    if (isFree) chosen.push(span);
  }
  return chosen.sort((a, b) => a.begin - b.begin);
}

/** Fragments of a bracket that begins with a possessor, where nothing but a chunk follows that. */
export function possessionFragments(
  { begin, end }: Span,
  possessor: Span,
  tokens: readonly string[],
  verbs: ReadonlySet<number>,
): Span[] {
  const owned = { begin: possessor.end, end };
  if (owned.end - owned.begin < 2 || !isPlain(owned, tokens, verbs)) return [];
  const fragments: Span[] = [];
  for (let at = owned.begin; at < end - 1; at++) {
    fragments.push({ begin: at, end }, { begin, end: at + 1 });
  }
  return fragments;
}

/** Fragments of what is said of a subject, between its first auxiliary and the verb. */
export function predicationFragments(
  { begin, end }: Span,
  verb: number,
  tokens: readonly string[],
): Span[] {
  const fragments: Span[] = [];
  let hasAuxiliary = false;
  for (let at = begin; at < verb; at++) {
    const word = (tokens[at] as string).toLowerCase();
    if (hasAuxiliary && (ADVERBS.has(word) || word.endsWith("ly")))
      fragments.push({ begin: at, end });
    hasAuxiliary ||= isAuxiliary(tokens[at]);
  }
  return fragments;
}

/** What a coordinator joins, with the coordinator; one that begins the sentence joins nothing in it. */
export function joinedFragments({ begin, end }: Span, tokens: readonly string[]): Span[] {
  return begin > 1 && isIn(COORDINATORS, tokens[begin - 1]) ? [{ begin: begin - 1, end }] : [];
}

/** The clause that is a sentence but for what stands before it; `fronts` begin the sentence. */
export function openedClause(
  clauses: readonly Span[],
  fronts: readonly Span[],
  tokens: readonly string[],
): Span | undefined {
  if (!isOpener(tokens[0] as string)) return undefined;
  const isWord = (token: string) => /[\p{L}\p{N}]/u.test(token);
  return clauses
    .filter(({ begin, end }) => {
      const isParted = tokens[begin - 1] === "," || fronts.some((each) => each.end === begin);
      return begin > 0 && isParted && !tokens.slice(end).some(isWord);
    })
    .sort((a, b) => a.begin - b.begin)[0];
}

function isOpener(token: string): boolean {
  const isAdverb = /..ly$/.test(token);
  return isAdverb || [OPENERS, PREPOSITIONS, CONJUNCTIONS].some((words) => isIn(words, token));
}
