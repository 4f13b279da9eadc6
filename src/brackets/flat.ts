/**
 * Spans that a binary tree may need but that are no phrases, as treebanks with flat trees have it. The
 * rules find them by the brackets around and inside them:
 *
 * | rule                 | bracket                         | no phrase                     |
 * |----------------------|---------------------------------|-------------------------------|
 * | isChunk              | the old wooden bridge           | any span inside               |
 * | isPartOfChunk        | wooden bridge, inside a chunk   | the bracket itself            |
 * | predicateFragments   | gave the boy a watch            | gave the boy; the boy a watch |
 * | predicationFragments | has already left town           | already left town             |
 * | possessionFragments  | the man 's old boat             | old boat; the man 's old      |
 * | coordinatorFragments | read, in "sat and read"         | and read                      |
 * | frontedClause        | he left, in "In May , he left"  | the bracket itself            |
 */

import type { Span } from "../trees/tree.js";
import { isVerb, type RuleSentence } from "./rule-sentence.js";

/**
 * Whether the span is a chunk (Abney 1991): nouns, adjectives, numbers and a determiner, and no phrase
 * inside. People may still answer with a part of it ("wooden bridge").
 */
export function isChunk({ begin, end }: Span, sentence: RuleSentence): boolean {
  return end - begin >= 3 && isBaseNounPhrase({ begin, end }, sentence);
}

/**
 * Nouns, adjectives and numbers are open classes, so the span must hold no word of another class. A
 * determiner after the first word means that the first is a verb not known as one: "cause a fever".
 */
export function isBaseNounPhrase({ begin, end }: Span, sentence: RuleSentence): boolean {
  const { tokens, grammar } = sentence;
  for (let at = begin; at < end; at++) {
    const token = tokens[at] as string;
    if (isVerb(at, sentence) || !/[\p{L}\p{N}$%]/u.test(token)) return false;
    if (grammar.nonChunkWords.has(token)) return false;
    if (at > begin && grammar.determiners.has(token)) return false;
  }
  return true;
}

/**
 * Whether the bracket is a part of the chunk and no phrase. It may be one if the chunk has no
 * determiner, since its first word may then be a verb ("conduct | electric current"), and if a
 * participle follows ("the families | involved").
 */
export function isPartOfChunk(
  bracket: Span,
  chunk: Span,
  { tokens, grammar }: RuleSentence,
): boolean {
  const { begin, end } = bracket;
  const isInside =
    chunk.begin <= begin && end <= chunk.end && end - begin < chunk.end - chunk.begin;
  if (!isInside || !grammar.determiners.has(tokens[chunk.begin])) return false;
  return begin > chunk.begin || (end - begin === 2 && !grammar.participles.has(tokens[end]));
}

/** A verb with some of its arguments, or some of its arguments without it, by the answers among them. */
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

/** Disjoint spans from left to right; where they overlap, the longest. */
function outermost(spans: readonly Span[]): Span[] {
  const chosen: Span[] = [];
  for (const span of spans.toSorted((a, b) => b.end - b.begin - (a.end - a.begin))) {
    const isFree = chosen.every(({ begin, end }) => span.end <= begin || end <= span.begin);
    if (isFree) chosen.push(span);
  }
  return chosen.sort((a, b) => a.begin - b.begin);
}

/** Where only a base noun phrase follows the possessor: parts of it, and the possessor with a part. */
export function possessionFragments(
  { begin, end }: Span,
  possessor: Span,
  sentence: RuleSentence,
): Span[] {
  const owned = { begin: possessor.end, end };
  if (owned.end - owned.begin < 2 || !isBaseNounPhrase(owned, sentence)) return [];
  const fragments: Span[] = [];
  for (let at = owned.begin; at < end - 1; at++) {
    fragments.push({ begin: at, end }, { begin, end: at + 1 });
  }
  return fragments;
}

/** An adverb between the first auxiliary and the verb, with all that follows in the predication. */
export function predicationFragments(
  { begin, end }: Span,
  verb: number,
  { tokens, grammar }: RuleSentence,
): Span[] {
  const fragments: Span[] = [];
  let hasAuxiliary = false;
  for (let at = begin; at < verb; at++) {
    if (hasAuxiliary && grammar.adverbs.has(tokens[at])) fragments.push({ begin: at, end });
    hasAuxiliary ||= grammar.auxiliaries.has(tokens[at]);
  }
  return fragments;
}

/** A coordinator with the conjunct after it. One that begins the sentence joins nothing inside it. */
export function coordinatorFragments(
  { begin, end }: Span,
  { tokens, grammar }: RuleSentence,
): Span[] {
  const isConjunct = begin > 1 && grammar.coordinators.has(tokens[begin - 1]);
  return isConjunct ? [{ begin: begin - 1, end }] : [];
}

/** The clause that is the whole sentence but for what precedes it; `fronts` begin the sentence. */
export function frontedClause(
  clauses: readonly Span[],
  fronts: readonly Span[],
  sentence: RuleSentence,
): Span | undefined {
  const { tokens } = sentence;
  if (!mayPrecedeClause(tokens[0], sentence)) return undefined;
  const isWord = (token: string) => /[\p{L}\p{N}]/u.test(token);
  return clauses
    .filter(({ begin, end }) => {
      const isParted = tokens[begin - 1] === "," || fronts.some((each) => each.end === begin);
      return begin > 0 && isParted && !tokens.slice(end).some(isWord);
    })
    .sort((a, b) => a.begin - b.begin)[0];
}

/** Whether the word begins an adverbial, a prepositional phrase or a subordinate clause. */
function mayPrecedeClause(token: string | undefined, { grammar }: RuleSentence): boolean {
  const { sentenceAdverbials, prepositions, subordinators } = grammar;
  return [sentenceAdverbials, prepositions, subordinators].some((words) => words.has(token));
}
