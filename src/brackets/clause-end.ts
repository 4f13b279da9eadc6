/**
 * Where a verb phrase or clause surely ends. People are asked about some of what belongs to a verb, and
 * its phrase goes on with the rest: "serve as food | for animals", "died | , leaving two sons".
 */

import type { Grammar } from "../languages/grammar.js";

/** Whether the phrase of a verb ends before the token at `at`, as far as the words there tell. */
export function mayEndAt(at: number, tokens: readonly string[], grammar: Grammar): boolean {
  const token = tokens[at];
  if (token === undefined || grammar.coordinators.has(token)) return true;
  if (/^(?:''|["”’])$/.test(token)) return mayEndAt(at + 1, tokens, grammar);
  if (token !== ",") return /^(?:[.;?!…)]|-R[RSC]B-)$/.test(token);
  return !goesOnWith(tokens[at + 1], grammar);
}

/**
 * Where the phrase of a verb ends if it does not end at `from`: at the next full stop or closing comma,
 * since prepositions, noun phrases and subordinate clauses up to there belong to the verb or to what
 * belongs to it. Undefined if the words may belong to another clause.
 */
export function nextEnd(
  from: number,
  tokens: readonly string[],
  verbs: ReadonlySet<number>,
  grammar: Grammar,
): number | undefined {
  let isSubordinate = false;
  for (let at = from; at <= tokens.length; at++) {
    const token = tokens[at];
    if (mayEndAt(at, tokens, grammar)) return grammar.coordinators.has(token) ? undefined : at;
    if (token === "," ? !belongsToVerb(tokens[at + 1], grammar) : !isWord(token)) return undefined;
    isSubordinate ||= grammar.subordinators.has(token);
    const isVerb = verbs.has(at) || grammar.auxiliaries.has(token);
    if (isVerb && !isSubordinate) return undefined;
  }
  return undefined;
}

function isWord(token: string | undefined): boolean {
  return /[\p{L}\p{N}$%]/u.test(token ?? "") && !/^-[LR][RSC]B-$/.test(token ?? "");
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
