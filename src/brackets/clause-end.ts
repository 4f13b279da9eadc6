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

/** Whether what a comma parts from the verb may still belong to it. */
function goesOnWith(next: string | undefined, grammar: Grammar): boolean {
  const { prepositions, subordinators, sentenceAdverbials, whPronouns, adverbs } = grammar;
  const classes = [prepositions, subordinators, sentenceAdverbials, whPronouns, adverbs];
  return classes.some((words) => words.has(next)) || grammar.gerunds.has(next);
}
