/**
 * Where a verb phrase or clause surely ends. People are asked about some of what belongs to a verb, and
 * its phrase goes on with the rest: "serve as food | for animals", "died | , leaving two sons".
 */

import type { Grammar } from "../languages/grammar.js";
import type { RuleSentence } from "./rule-sentence.js";

/** Whether the phrase of a verb ends before the token at `at`, as far as the words there tell. */
export function mayEndAt(at: number, tokens: readonly string[], grammar: Grammar): boolean {
  const token = tokens[at];
  if (token === undefined || grammar.coordinators.has(token)) return true;
  if (/^(?:''|["”’])$/.test(token)) return mayEndAt(at + 1, tokens, grammar);
  if (token !== ",") return /^(?:[.;?!…)]|-R[RSC]B-)$/.test(token);
  return !goesOnWith(tokens[at + 1], grammar);
}

/** Where a phrase ends, and whether a coordinator is before its end. */
export interface PhraseEnd {
  readonly end: number;
  readonly isJoined: boolean;
}

/**
 * Where the phrase of a verb ends if it goes on at `from`: at the next full stop or closing comma, since
 * prepositions, noun phrases and subordinate clauses up to there belong to the verb or to what belongs
 * to it. Undefined if some of the words may belong to another clause.
 */
export function nextEnd(
  from: number,
  { tokens, verbs, grammar }: Omit<RuleSentence, "predicates">,
): PhraseEnd | undefined {
  let isSubordinate = false;
  let joint: number | undefined;
  for (let at = from; at <= tokens.length; at++) {
    const [token, next] = [tokens[at], tokens[at + 1]];
    const found = { end: at, isJoined: joint !== undefined };
    if (grammar.coordinators.has(token)) {
      if (tokens[at - 1] === "," || beginsClause(next, grammar)) return undefined;
      joint = at;
      isSubordinate = false;
    } else if (token === "," && !belongsToVerb(next, grammar)) {
      return isClosingComma(at, tokens, verbs, grammar) ? found : undefined;
    } else if (token !== "," && mayEndAt(at, tokens, grammar)) {
      return found;
    } else if (token !== "," && !isWord(token)) {
      return undefined;
    }
    isSubordinate ||= grammar.subordinators.has(token);
    const isVerb = verbs.has(at) || grammar.auxiliaries.has(token);
    const isSubject = joint !== undefined && grammar.subjectPronouns.has(token);
    // "is old and is ugly", but not "is old and men are ugly".
    const mayBeOther = (isVerb && joint !== at - 1) || isSubject;
    if (mayBeOther && !isSubordinate) return undefined;
  }
  return undefined;
}

/** Whether a new clause follows the comma, or the verb of the clause around: no apposition or list. */
function isClosingComma(
  at: number,
  tokens: readonly string[],
  verbs: ReadonlySet<number>,
  grammar: Grammar,
): boolean {
  const next = tokens[at + 1];
  if (grammar.coordinators.has(next)) return beginsClause(tokens[at + 2], grammar);
  return verbs.has(at + 1) || grammar.auxiliaries.has(next) || grammar.subjectPronouns.has(next);
}

function isWord(token: string | undefined): boolean {
  return /[\p{L}\p{N}$%]/u.test(token ?? "") && !/^-[LR][RSC]B-$/.test(token ?? "");
}

/** Whether the word is a subject, or begins one. */
function beginsClause(token: string | undefined, grammar: Grammar): boolean {
  const { pronouns, subjectPronouns, determiners } = grammar;
  return [pronouns, subjectPronouns, determiners].some((words) => words.has(token));
}

/** ", leaving two sons", ", who left", ", in May": parts of the verb phrase or of its last noun phrase. */
function belongsToVerb(next: string | undefined, grammar: Grammar): boolean {
  const { gerunds, prepositions, relatives } = grammar;
  return [gerunds, prepositions, relatives].some((words) => words.has(next));
}

/** Whether what a comma parts from the verb may still belong to it. */
function goesOnWith(next: string | undefined, grammar: Grammar): boolean {
  const { prepositions, subordinators, sentenceAdverbials, whPronouns, adverbs } = grammar;
  const classes = [prepositions, subordinators, sentenceAdverbials, whPronouns, adverbs];
  return classes.some((words) => words.has(next)) || grammar.gerunds.has(next);
}
