/** A sentence as the rules for phrases see it. */

import type { Grammar } from "../languages/grammar.js";
import type { Span } from "../trees/tree.js";

export interface RuleSentence {
  readonly tokens: readonly string[];
  /** The places of verbs, as far as brackets tell them. */
  readonly verbs: ReadonlySet<number>;
  /** The verbs with what belongs to them. */
  readonly predicates: readonly Span[];
  readonly grammar: Grammar;
}

/** A token that is surely a verb: known as one, or an auxiliary. */
export function isVerb(at: number, { tokens, verbs, grammar }: RuleSentence): boolean {
  return verbs.has(at) || grammar.auxiliaries.has(tokens[at]);
}
