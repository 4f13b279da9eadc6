/**
 * Phrases that a bracket is known to have inside. People answer "the roof of the house", hardly ever
 * "of the house": such phrases are missing among brackets, as if they were none. But where a bracket
 * ends, the phrase that its last preposition or conjunction began ends, too, whatever it depends on:
 * "the man | in the park | with the telescope" ends with one phrase, read either way. And what stands
 * before a possessive mark at a bracket's beginning is a phrase with it: "the old man 's | boat". After the
 * preposition or conjunction, and after a pronoun that is a clause's subject, another phrase begins. What
 * begins with a determiner is a phrase as far as the first preposition or conjunction: "the roof | of",
 * and "very" is one with the adjective after it where a noun follows: "a | very old | man".
 */

import type { Span } from "../trees/tree.js";
import {
  ATTRIBUTES,
  CONJUNCTIONS,
  DETERMINERS,
  INTENSIFIERS,
  isAuxiliary,
  isIn,
  PREPOSITIONS,
  SUBJECTS,
} from "./english.js";
import { isPlain } from "./flat.js";

/** The kind of brackets that others are known to have inside. */
export const PART = "part";

/** `verbs` are the places of verbs as far as known. */
export function partsOf(
  bracket: Span,
  tokens: readonly string[],
  verbs: ReadonlySet<number>,
): Span[] {
  const tail = tailOf(bracket, tokens, verbs);
  const object = tail && !isIn(ATTRIBUTES, tokens[tail.begin]) ? withoutFirst(tail) : undefined;
  const said = [bracket, object].map((clause) => clause && saidOf(clause, tokens, verbs));
  const nouns = nounsOf(bracket, tokens, verbs);
  const possessor = possessorOf(bracket, tokens, verbs);
  return [tail, object, ...said, nouns, ...intensifiedIn(bracket, tokens), possessor].filter(
    (part): part is Span => part !== undefined && part.end - part.begin >= 2,
  );
}

function withoutFirst({ begin, end }: Span): Span {
  return { begin: begin + 1, end };
}

/** What is said of the pronoun that is the subject of a clause: "he | is a lawyer". */
function saidOf(clause: Span, tokens: readonly string[], verbs: ReadonlySet<number>) {
  const { begin } = clause;
  const hasSubject = isIn(SUBJECTS, tokens[begin]) && isVerb(begin + 1, tokens, verbs);
  return hasSubject && tokens[begin + 1] !== "to" ? withoutFirst(clause) : undefined;
}

/**
 * The phrase that the last preposition or conjunction of the bracket begins. In "rings of cells known
 * as plasmids" what "of" begins ends before the verb, so there is none.
 */
function tailOf(
  { begin, end }: Span,
  tokens: readonly string[],
  verbs: ReadonlySet<number>,
): Span | undefined {
  let at = end - 1;
  let hasVerb = false;
  while (at > begin && !isPreposition(tokens[at]) && !isIn(CONJUNCTIONS, tokens[at])) {
    hasVerb ||= isVerb(at, tokens, verbs);
    at -= 1;
  }
  const endsEarly = hasVerb && isPreposition(tokens[at]);
  return at > begin && !endsEarly && !isRange(at, tokens) ? { begin: at, end } : undefined;
}

/** What stands before the first preposition or conjunction, where a determiner tells that it is nouns. */
function nounsOf(
  { begin, end }: Span,
  tokens: readonly string[],
  verbs: ReadonlySet<number>,
): Span | undefined {
  if (!isIn(DETERMINERS, tokens[begin])) return undefined;
  let at = begin;
  while (at < end && !isPreposition(tokens[at]) && !isIn(CONJUNCTIONS, tokens[at])) at += 1;
  const nouns = { begin, end: at };
  return at < end && isPlain(nouns, tokens, verbs) ? nouns : undefined;
}

/** "very old" in "a very old man"; where no noun follows, more may belong to it: "very happy with it". */
function intensifiedIn({ begin, end }: Span, tokens: readonly string[]): Span[] {
  if (!isIn(DETERMINERS, tokens[begin]) || !isIn(INTENSIFIERS, tokens[begin + 1])) return [];
  const phrase = { begin: begin + 1, end: begin + 3 };
  const noun = { begin: phrase.end, end: phrase.end + 1 };
  return noun.end <= end && isPlain(noun, tokens, new Set()) ? [phrase] : [];
}

export function possessorOf(
  { begin, end }: Span,
  tokens: readonly string[],
  verbs: ReadonlySet<number>,
): Span | undefined {
  for (let at = begin; at < end - 1; at++) {
    if (tokens[at] === "'s" || tokens[at] === "'") return { begin, end: at + 1 };
    if (isPreposition(tokens[at]) || isVerb(at, tokens, verbs)) return undefined;
  }
  return undefined;
}

function isVerb(at: number, tokens: readonly string[], verbs: ReadonlySet<number>): boolean {
  return verbs.has(at) || isAuxiliary(tokens[at]);
}

function isPreposition(token: string | undefined): boolean {
  return isIn(PREPOSITIONS, token);
}

/** "2 to 3 weeks" is no phrase from "to" on. */
function isRange(at: number, tokens: readonly string[]): boolean {
  return /\d/.test(tokens[at - 1] ?? "") && /\d/.test(tokens[at + 1] ?? "");
}
