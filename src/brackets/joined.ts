/**
 * Clauses and noun phrases that are no phrases because something is joined to a part of them. As the Penn
 * Treebank's guidelines have it (Bies et al. 1995, on coordination and on adverbial clauses):
 *
 * | words                              | phrase                   | no phrase      | why                        |
 * |------------------------------------|--------------------------|----------------|----------------------------|
 * | He got up and left the town .      | got up and left the town | He got up      | the verb phrases are joined|
 * | He left , taking the boat .        |                          | He left        | the second clause is in the|
 * |                                    |                          |                | verb phrase of the first   |
 * | They need the liver and kidney .   |                          | the liver      | the determiner is of both  |
 */

import type { Span } from "../trees/tree.js";
import { isBaseNounPhrase, mayPrecedeClause } from "./flat.js";
import { isVerb, type RuleSentence } from "./rule-sentence.js";

export function joinedFragments(sentence: RuleSentence): Span[] {
  return [...beforeParticipialClause(sentence), ...sharedDeterminers(sentence)];
}

/** Whether a coordinator and then a verb follow the clause, which then has no end there. */
export function isJoinedInside({ end }: Span, sentence: RuleSentence): boolean {
  const { tokens, grammar, verbs } = sentence;
  if (!grammar.coordinators.has(tokens[end])) return false;
  const next = grammar.adverbs.has(tokens[end + 1]) ? end + 2 : end + 1;
  return verbs.has(next) || grammar.finiteAuxiliaries.has(tokens[next]);
}

/** Two predicates with a coordinator between them, where no auxiliary precedes, which may be of the first alone. */
export function* joinedPredicates(sentence: RuleSentence): Generator<Span> {
  const { tokens, grammar, predicates } = sentence;
  for (const first of predicates) {
    if (!grammar.coordinators.has(tokens[first.end]) || isVerb(first.begin - 1, sentence)) continue;
    const second = predicates.find(({ begin }) => begin === first.end + 1);
    if (second) yield { begin: first.begin, end: second.end };
  }
}

/** What precedes a last comma and a clause without a subject: "He left | , taking the boat ." */
function* beforeParticipialClause(sentence: RuleSentence): Generator<Span> {
  const { tokens, grammar } = sentence;
  const comma = tokens.lastIndexOf(",");
  const [first, next] = [tokens[0], tokens[comma + 1]];
  const isFront = mayPrecedeClause(first, sentence) || grammar.gerunds.has(first);
  if (comma < 2 || !grammar.gerunds.has(next) || isFront || grammar.infinitiveMarks.has(first))
    return;
  const hasVerb = tokens.slice(0, comma).some((_, at) => isVerb(at, sentence));
  const isLast = !tokens
    .slice(comma + 1)
    .some((token) => grammar.subjectPronouns.has(token) || grammar.finiteAuxiliaries.has(token));
  if (hasVerb && isLast) yield { begin: 0, end: comma };
}

/** A determiner and noun before "and" and one bare noun. Where no verb is known, what follows may be one. */
function* sharedDeterminers(sentence: RuleSentence): Generator<Span> {
  const { tokens, grammar, verbs } = sentence;
  if (verbs.size === 0) return;
  const isNoun = (at: number) => {
    const token = tokens[at];
    const isForm = grammar.participles.has(token) || grammar.gerunds.has(token);
    return (
      /^\p{Ll}+$/u.test(token ?? "") &&
      !isForm &&
      !grammar.adverbs.has(token) &&
      isBaseNounPhrase({ begin: at, end: at + 1 }, sentence)
    );
  };
  for (const [begin, token] of tokens.entries()) {
    const joint = begin + 2;
    const isPair = grammar.determiners.has(token) && grammar.coordinators.has(tokens[joint]);
    if (!isPair || !isNoun(begin + 1) || !isNoun(joint + 1)) continue;
    const next = tokens[joint + 2];
    const isEnd = !/[\p{L}\p{N}]/u.test(next ?? "") || grammar.prepositions.has(next);
    if (isEnd) yield { begin, end: joint };
  }
}
