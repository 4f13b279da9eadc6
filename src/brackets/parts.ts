/**
 * Phrases that must be inside a bracket. People answer "the roof of the house" but hardly ever "of the
 * house", so such phrases are missing among the brackets. A bracket implies these:
 *
 * - The phrase of its last preposition or subordinator ends where the bracket ends, whatever it
 *   modifies: "the man | in the park | with the telescope" ends with one phrase in either reading.
 *   After the preposition or subordinator another phrase begins: "the telescope".
 * - After a pronoun that is the subject of a clause the verb phrase begins: "he | is a lawyer".
 * - From a determiner to the first preposition or subordinator is a phrase: "the roof | of the house".
 * - An intensifier is a phrase with its adjective if a noun follows: "a | very old | man".
 * - A possessor is a phrase with its mark: "the old man 's | boat".
 * - Noun phrases that are joined are phrases: "the old man | and | the boy".
 * - The nouns before a verb with its arguments are a phrase, "the old boat | built in May", and so are both
 *   together after a preposition: "in | the old boat built in May".
 */

import type { Span } from "../trees/tree.js";
import { isBaseNounPhrase, isName, listItems, nounsBeforeVerb } from "./flat.js";
import { isVerb, type RuleSentence } from "./rule-sentence.js";

/** The kind of brackets that others are known to have inside. */
export const PART = "part";

export function partsOf(bracket: Span, sentence: RuleSentence): Span[] {
  const tail = lastPhrase(bracket, sentence);
  const object = tail && objectOf(tail, sentence);
  const parts = [
    tail,
    object,
    verbPhrase(bracket, sentence),
    object && verbPhrase(object, sentence),
    firstNounPhrase(bracket, sentence),
    intensifiedAdjective(bracket, sentence),
    possessorOf(bracket, sentence),
    nounsBeforeVerb(bracket, sentence),
    ...objectWithVerb(bracket, sentence),
    ...conjuncts(bracket, sentence),
  ];
  return parts.filter((part): part is Span => part !== undefined && part.end - part.begin >= 2);
}

/** What follows the preposition, of one word or two, or the subordinator. */
function objectOf(tail: Span, sentence: RuleSentence): Span | undefined {
  const { tokens, grammar } = sentence;
  if (grammar.whDeterminers.has(tokens[tail.begin])) return undefined;
  const isPair =
    isWhPhrase(tail.begin, sentence) ||
    grammar.twoWordPrepositions.has(tokens.slice(tail.begin, tail.begin + 2).join(" "));
  return { begin: tail.begin + (isPair ? 2 : 1), end: tail.end };
}

/** "in which": both words begin the clause. After "two of which" they do not. */
function isWhPhrase(begin: number, sentence: RuleSentence): boolean {
  const { tokens, grammar } = sentence;
  const isPair = isPreposition(begin, sentence) && grammar.whPronouns.has(tokens[begin + 1]);
  return isPair && tokens[begin]?.toLowerCase() !== "of";
}

function withoutFirst({ begin, end }: Span): Span {
  return { begin: begin + 1, end };
}

/** What follows the pronoun that is the clause's subject. */
function verbPhrase(clause: Span, sentence: RuleSentence): Span | undefined {
  const { tokens, grammar } = sentence;
  const [subject, next] = [clause.begin, clause.begin + 1];
  const hasSubject = grammar.subjectPronouns.has(tokens[subject]) && isVerb(next, sentence);
  return hasSubject && !grammar.infinitiveMarks.has(tokens[next])
    ? withoutFirst(clause)
    : undefined;
}

/**
 * The phrase that the last preposition or subordinator of the bracket begins. A preposition's phrase
 * ends before a verb, and then not with the bracket: "rings of cells | known as plasmids".
 */
function lastPhrase({ begin, end }: Span, sentence: RuleSentence): Span | undefined {
  let at = end - 1;
  let hasVerb = false;
  while (at > begin && !beginsPhrase(at, sentence)) {
    hasVerb ||= isVerb(at, sentence);
    at -= 1;
  }
  const endsEarlier = hasVerb && isPreposition(at, sentence);
  if (at <= begin || endsEarlier || isRange(at, sentence)) return undefined;
  const { tokens, grammar } = sentence;
  const isPair =
    isWhPhrase(at - 1, sentence) ||
    grammar.twoWordPrepositions.has(tokens.slice(at - 1, at + 1).join(" "));
  return { begin: isPair ? at - 1 : at, end };
}

/** What precedes the first preposition or subordinator, if a determiner shows that it is nouns. */
function firstNounPhrase({ begin, end }: Span, sentence: RuleSentence): Span | undefined {
  const { tokens, grammar } = sentence;
  if (!grammar.determiners.has(tokens[begin])) return undefined;
  let at = begin;
  while (at < end && !beginsPhrase(at, sentence)) at += 1;
  const nouns = { begin, end: at };
  return at < end && isBaseNounPhrase(nouns, sentence) ? nouns : undefined;
}

/** What follows the bracket's preposition, if it ends with the phrase of a verb, and the nouns before that. */
function objectWithVerb({ begin, end }: Span, sentence: RuleSentence): Span[] {
  if (!isPreposition(begin, sentence)) return [];
  const object = { begin: begin + 1, end };
  const nouns = nounsBeforeVerb(object, sentence);
  return nouns ? [object, nouns] : [];
}

/** The items of a list, if each has a determiner or is a name of several words, or if they are three. */
function conjuncts(bracket: Span, sentence: RuleSentence): Span[] {
  const items = listItems(bracket, sentence);
  const { tokens, grammar } = sentence;
  const isDetermined = ({ begin }: Span) => grammar.determiners.has(tokens[begin]);
  const isFullName = (item: Span) => item.end - item.begin >= 2 && isName(item, tokens);
  const isClear = items.length > 2 || items.every(isDetermined) || items.every(isFullName);
  return isClear ? items : [];
}

/** "very old" in "a very old man". Without the noun it may be longer: "very happy with it". */
function intensifiedAdjective({ begin, end }: Span, sentence: RuleSentence): Span | undefined {
  const { tokens, grammar } = sentence;
  const isIntensified =
    grammar.determiners.has(tokens[begin]) && grammar.intensifiers.has(tokens[begin + 1]);
  if (!isIntensified) return undefined;
  const phrase = { begin: begin + 1, end: begin + 3 };
  const noun = { begin: phrase.end, end: phrase.end + 1 };
  const hasNoun = noun.end <= end && isBaseNounPhrase(noun, { ...sentence, verbs: new Set() });
  return hasNoun ? phrase : undefined;
}

export function possessorOf({ begin, end }: Span, sentence: RuleSentence): Span | undefined {
  const { tokens, grammar } = sentence;
  for (let at = begin; at < end - 1; at++) {
    if (grammar.possessiveMarks.has(tokens[at])) return { begin, end: at + 1 };
    if (isPreposition(at, sentence) || isVerb(at, sentence)) return undefined;
  }
  return undefined;
}

function beginsPhrase(at: number, sentence: RuleSentence): boolean {
  return isPreposition(at, sentence) || sentence.grammar.subordinators.has(sentence.tokens[at]);
}

function isPreposition(at: number, { tokens, grammar }: RuleSentence): boolean {
  return grammar.prepositions.has(tokens[at]);
}

/** In "2 to 3 weeks" no phrase begins with "to". */
function isRange(at: number, { tokens }: RuleSentence): boolean {
  return /\d/.test(tokens[at - 1] ?? "") && /\d/.test(tokens[at + 1] ?? "");
}
