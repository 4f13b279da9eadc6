/**
 * Spans that a binary tree may need but that are no phrases, as treebanks with flat trees have it. The
 * rules find them by the brackets around and inside them:
 *
 * | rule                 | bracket                         | no phrase                     |
 * |----------------------|---------------------------------|-------------------------------|
 * | isChunk              | the old wooden bridge           | any span inside               |
 * | isPartOfChunk        | wooden bridge, inside a chunk   | the bracket itself            |
 * | predicateFragments   | gave the boy a watch            | gave the boy; the boy a watch |
 * | prefixFragments      | left town for Rome              | left town                     |
 * |                      | the roof of the house in Rome   | the roof of the house         |
 * | particleFragments    | track down the man              | track down                    |
 * | predicationFragments | has already left town           | already left town             |
 * | auxiliaryFragments   | (any sentence) you ca n't go    | ca n't; you ca                |
 * | possessionFragments  | the man 's old boat             | old boat; the man 's old      |
 * | possessorFragments   | the man 's old boat             | the man                       |
 * | coordinatorFragments | read, in "sat and read"         | and read                      |
 * | listFragments        | cats , dogs and old horses      | cats , dogs; dogs and old …   |
 * | adverbFragments      | left, in "he never left"        | never left                    |
 * |                      | left, in "he no longer left"    | no longer left; longer left   |
 * | modifiedFragments    | in the old boat built in May    | in the old boat               |
 * | frontedClause        | he left, in "In May , he left"  | the bracket itself            |
 * | isRunOfAnswers       | in Rome in May                  | the bracket itself            |
 *
 * They are the Penn Treebank's (Bies et al. 1995): noun phrases, names among them, are flat up to their
 * head; a possessor has its mark inside; a verb, its particle and its arguments are sisters; an
 * auxiliary, its negation and the verb phrase after them are sisters.
 */

import type { Grammar } from "../languages/grammar.js";
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
    if (isVerb(at, sentence) || !/^(?!-[LR][RSC]B-).*[\p{L}\p{N}$%]/u.test(token)) return false;
    if (grammar.nonChunkWords.has(token)) return false;
    if (at > begin && grammar.determiners.has(token)) return false;
  }
  return true;
}

/**
 * Whether the bracket is a part of the chunk and no phrase. It may be one if the chunk is no name and
 * has no determiner, since its first word may then be a verb ("conduct | electric current"), and if a
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
  const isNominal = grammar.determiners.has(tokens[chunk.begin]) || isName(chunk, tokens);
  if (!isInside || !isNominal) return false;
  return begin > chunk.begin || (end - begin === 2 && !grammar.participles.has(tokens[end]));
}

/** Whether it is capitalised throughout and does not begin the sentence, so that no verb is in it. */
export function isName({ begin, end }: Span, tokens: readonly string[]): boolean {
  return begin > 0 && tokens.slice(begin, end).every((token) => /^\p{Lu}/u.test(token));
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

/**
 * The phrase up to a preposition or subordinator within it. What these begin is a sister of the head's
 * other modifiers, or part of one of them: in both cases what precedes it is no phrase.
 */
export function prefixFragments({ begin, end }: Span, sentence: RuleSentence): Span[] {
  const { tokens, grammar } = sentence;
  const fragments: Span[] = [];
  let isFirst = !isVerb(begin, sentence);
  for (let at = begin + 1; at < end - 1; at++) {
    const token = tokens[at];
    const begins = grammar.prepositions.has(token) || grammar.subordinators.has(token);
    if (!begins || isJoint(tokens[at - 1], sentence)) continue;
    // The noun phrase before its first modifier is a phrase.
    if (!isFirst && at - begin >= 2) fragments.push({ begin, end: at });
    isFirst = false;
  }
  return fragments;
}

/** Whether a conjunct or an insertion may end before the word. */
function isJoint(token: string | undefined, { grammar }: RuleSentence): boolean {
  return !/[\p{L}\p{N}%]/u.test(token ?? "") || grammar.coordinators.has(token);
}

/** A preposition with the noun before a verb whose phrase ends with the bracket: the verb's phrase belongs to the noun. */
export function modifiedFragments({ begin, end }: Span, sentence: RuleSentence): Span[] {
  const nouns = nounsBeforeVerb({ begin: begin + 1, end }, sentence);
  const isPrepositional = sentence.grammar.prepositions.has(sentence.tokens[begin]);
  return nouns && isPrepositional ? [{ begin, end: nouns.end }] : [];
}

/** "the old boat" in "the old boat built in May", if the verb's phrase ends with the span. */
export function nounsBeforeVerb({ begin, end }: Span, sentence: RuleSentence): Span | undefined {
  const { tokens, grammar, predicates } = sentence;
  if (!grammar.determiners.has(tokens[begin])) return undefined;
  for (let at = begin + 2; at < end; at++) {
    const hasPhrase = predicates.some((each) => each.begin === at && each.end === end);
    const nouns = { begin, end: at };
    if (hasPhrase && !grammar.adverbs.has(tokens[at - 1]) && isBaseNounPhrase(nouns, sentence))
      return nouns;
  }
  return undefined;
}

/** An adverb between a subject, an auxiliary or "to" and the verb, with the verb phrase. */
export function adverbFragments({ begin, end }: Span, { tokens, grammar }: RuleSentence): Span[] {
  const pair = tokens.slice(Math.max(0, begin - 2), begin).join(" ");
  if (grammar.preverbalPhrases.has(pair)) {
    return [
      { begin: begin - 2, end },
      { begin: begin - 1, end },
    ];
  }
  const isAdverb = grammar.adverbs.has(tokens[begin - 1]);
  const before = tokens[begin - 2];
  const isSubject = grammar.subjectPronouns.has(before) || grammar.auxiliaries.has(before);
  return isAdverb && isSubject ? [{ begin: begin - 1, end }] : [];
}

/** A verb with its particle, where something follows in the predicate. */
export function particleFragments({ begin, end }: Span, { tokens, grammar }: RuleSentence): Span[] {
  const hasParticle = grammar.particles.has(tokens[begin + 1]) && end > begin + 2;
  return hasParticle ? [{ begin, end: begin + 2 }] : [];
}

/** An auxiliary with its negation, a pronoun with its auxiliary; at a phrase's end they may be all. */
export function auxiliaryFragments({ tokens, grammar }: RuleSentence): Span[] {
  const fragments: Span[] = [];
  for (const [begin, token] of tokens.entries()) {
    const isAuxiliary = (at: number) => grammar.auxiliaries.has(tokens[at]);
    const isNegation = (at: number) => grammar.negations.has(tokens[at]);
    const isSubject = grammar.subjectPronouns.has(token) && isAuxiliary(begin + 1);
    const add = (end: number) => {
      if (/[\p{L}\p{N}]/u.test(tokens[end] ?? "")) fragments.push({ begin, end });
    };
    if (isSubject) add(begin + 2);
    if (isSubject && isNegation(begin + 2)) add(begin + 3);
    if (isAuxiliary(begin) && isNegation(begin + 1)) add(begin + 2);
  }
  return fragments;
}

/** The possessor without its mark. */
export function possessorFragments({ begin, end }: Span): Span[] {
  return end - begin > 2 ? [{ begin, end: end - 1 }] : [];
}

/**
 * Whether somebody gave several answers as one: "in Rome in May", where others gave "in Rome" and "in
 * May". If the second belonged to the noun of the first, "in Rome" would be no answer.
 */
export function isRunOfAnswers(
  bracket: Span,
  answers: readonly Span[],
  { tokens, grammar }: RuleSentence,
): boolean {
  const { begin, end } = bracket;
  if (!grammar.prepositions.has(tokens[begin])) return false;
  const isAnswer = (from: number, to: number) =>
    answers.some((answer) => answer.begin === from && answer.end === to);
  for (let at = begin + 2; at < end - 1; at++) {
    if (grammar.prepositions.has(tokens[at]) && isAnswer(begin, at) && isAnswer(at, end))
      return true;
  }
  return false;
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

/**
 * The items of a list of base noun phrases, "cats , dogs and old horses", which the bracket must be as
 * a whole; none if it is no such list.
 */
export function listItems({ begin, end }: Span, sentence: RuleSentence): Span[] {
  const { tokens, grammar } = sentence;
  const items: Span[] = [];
  let first = begin;
  let last = "";
  for (let at = begin; at <= end; at++) {
    const token = tokens[at] as string;
    const isCoordinator = grammar.coordinators.has(token);
    if (at < end && token !== "," && !isCoordinator) continue;
    if (at > first) items.push({ begin: first, end: at });
    else if (!(isCoordinator && last === ",")) return [];
    first = at + 1;
    if (at < end) last = isCoordinator ? "and" : token;
  }
  const isList = items.length >= 2 && last === "and";
  return isList && items.every((item) => isBaseNounPhrase(item, sentence)) ? items : [];
}

/** Some of the items of a list, but not all. */
export function listFragments(list: Span, sentence: RuleSentence): Span[] {
  const items = listItems(list, sentence);
  if (items.length < 3) return [];
  return items.flatMap((from, index) =>
    items
      .slice(index + 1)
      .map((to) => ({ begin: from.begin, end: to.end }))
      .filter(({ begin, end }) => begin > list.begin || end < list.end),
  );
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
export function mayPrecedeClause(token: string | undefined, { grammar }: RuleSentence): boolean {
  const { sentenceAdverbials, prepositions, subordinators } = grammar;
  return [sentenceAdverbials, prepositions, subordinators].some((words) => words.has(token));
}

/**
 * Whether the noun phrase may go on with this word: "the [French] army". It may also be a verb, as
 * after "the [French] left", but what is not sure teaches nothing.
 */
export function mayContinueNounPhrase(next: string | undefined, grammar: Grammar): boolean {
  const { nonChunkWords, auxiliaries, adverbs, possessiveMarks, determiners } = grammar;
  const others = [nonChunkWords, auxiliaries, adverbs, possessiveMarks, determiners];
  return /^[\p{L}\p{N}]/u.test(next ?? "") && !others.some((words) => words.has(next));
}
