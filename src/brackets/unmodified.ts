/**
 * Noun phrases that what follows them does not modify, so that the two together are no phrase, wherever
 * what follows ends. As English grammars and the Penn Treebank's guidelines (Bies et al. 1995) have it:
 *
 * | words                                | no phrase             | why                                   |
 * |--------------------------------------|-----------------------|---------------------------------------|
 * | gave it to him in Rome               | him in Rome           | personal pronouns take no modifiers   |
 * | gave him the boat                    | him the boat          |                                       |
 * | gave the man the boat                | the man the boat      | two noun phrases beside each other    |
 * | left in 1990 with his son            | in 1990 with his son  | nor do dates, durations and shares    |
 * | met for two hours in Rome            | for two hours in Rome |                                       |
 * | rose 3 % in heavy trading            | 3 % in heavy trading  |                                       |
 * | rose 3 % to $ 5                      | 3 % to $ 5            |                                       |
 * | rose sharply in May                  | sharply in May        | such adverbs modify the verb          |
 * | held the boat tightly                | the boat tightly      |                                       |
 * | sold the boat because he was ill     | the boat because …    | such clauses modify verbs only        |
 * | told the man to leave, that he left  | the man to leave      | the verb has two objects: the one who |
 * |                                      | the man that he left  | is told, and what (object control)    |
 */

import type { WordClass } from "../languages/grammar.js";
import type { Span } from "../trees/tree.js";
import { isBaseNounPhrase } from "./flat.js";
import { isVerb, type RuleSentence } from "./rule-sentence.js";

export function unmodifiedFragments(sentence: RuleSentence): Span[] {
  const fragments: Span[] = [];
  for (let end = 1; end < sentence.tokens.length - 1; end++) {
    for (const begin of beginsBefore(end, sentence)) {
      fragments.push(...possibleEnds(end + 1, sentence).map((last) => ({ begin, end: last })));
    }
  }
  return [...fragments, ...nounPhrasePairs(sentence), ...withAdverb(sentence)];
}

/** A noun phrase with an adverb of the verb. */
function* withAdverb(sentence: RuleSentence): Generator<Span> {
  const { tokens, grammar } = sentence;
  for (let end = 2; end < tokens.length; end++) {
    const begin = grammar.mannerAdverbs.has(tokens[end])
      ? determinedBefore(end, sentence)
      : undefined;
    if (begin !== undefined) yield { begin, end: end + 1 };
  }
}

/** A noun phrase with a determiner, and the determiner and first word of the next. */
function* nounPhrasePairs(sentence: RuleSentence): Generator<Span> {
  const { tokens, grammar } = sentence;
  for (let end = 2; end + 1 < tokens.length; end++) {
    if (!grammar.determiners.has(tokens[end])) continue;
    // "twice a week", "the hour a day"
    const isMeasure = grammar.measureUnits.has(tokens[end + 1]);
    const isNoun = isBaseNounPhrase({ begin: end + 1, end: end + 2 }, sentence);
    const begin = isMeasure || !isNoun ? undefined : determinedBefore(end, sentence);
    if (begin !== undefined) yield { begin, end: end + 2 };
  }
}

/** Where a determiner and the nouns up to `end` begin. */
function determinedBefore(end: number, sentence: RuleSentence): number | undefined {
  const { tokens, grammar } = sentence;
  let begin = end - 1;
  while (begin > 0 && !grammar.determiners.has(tokens[begin])) begin -= 1;
  const isPhrase = end - begin >= 2 && grammar.determiners.has(tokens[begin]);
  return isPhrase && isBaseNounPhrase({ begin, end }, sentence) ? begin : undefined;
}

/** Where phrases begin that end before `end`, and that the words there do not modify. */
function beginsBefore(end: number, sentence: RuleSentence): number[] {
  const { tokens, grammar } = sentence;
  const next = tokens[end];
  const isAmount =
    grammar.currencySigns.has(tokens[end + 1]) || grammar.numbers.has(tokens[end + 1]);
  const isTarget =
    grammar.percentSigns.has(tokens[end - 1]) && grammar.infinitiveMarks.has(next) && isAmount;
  const isAdverbial =
    grammar.adverbialPrepositions.has(next) && !grammar.nounPrepositions.has(next);
  if (isTarget || isAdverbial) {
    const isManner = isVerb(end - 2, sentence) && grammar.mannerAdverbs.has(tokens[end - 1]);
    if (isManner) return [end - 1];
    return withPreposition(pronounOrMeasure(end, sentence), sentence);
  }
  if (grammar.determiners.has(next) && grammar.objectPronouns.has(tokens[end - 1]))
    return [end - 1];
  const begin = nounPhraseBefore(end, sentence);
  if (begin === undefined) return [];
  const isPair = grammar.twoWordPrepositions.has(tokens.slice(end, end + 2).join(" "));
  if (grammar.adverbialSubordinators.has(next)) {
    return isPair ? [] : withPreposition(begin, sentence);
  }
  const isObject = grammar.objectControlVerbs.has(tokens[begin - 1]);
  return isObject && grammar.subordinators.has(next) ? [begin] : [];
}

/** The phrase itself, and the preposition before it with it; before a noun phrase "to" is one. */
function withPreposition(begin: number | undefined, { tokens, grammar }: RuleSentence): number[] {
  if (begin === undefined) return [];
  const before = tokens[begin - 1];
  const isPreposition = grammar.prepositions.has(before) || grammar.infinitiveMarks.has(before);
  return isPreposition ? [begin - 1, begin] : [begin];
}

/** Not after "with", which may begin an absolute clause: "with him in prison". */
function pronounOrMeasure(end: number, { tokens, grammar }: RuleSentence): number | undefined {
  const isAfter = (words: WordClass, begin: number) => words.has(tokens[begin - 1]);
  if (isAfter(grammar.personalPronouns, end)) {
    return isAfter(grammar.absolutePrepositions, end - 1) ? undefined : end - 1;
  }
  let begin = end;
  if (isAfter(grammar.measureUnits, begin)) begin -= 1;
  while (isAfter(grammar.timeNames, begin) || isAfter(grammar.numbers, begin)) begin -= 1;
  const isMeasure = tokens.slice(begin, end).some((token, at, { length }) => {
    const isUnit = at > 0 && at === length - 1 && grammar.measureUnits.has(token);
    return isUnit || grammar.timeNames.has(token) || /^(?:1\d|20)\d{2}$/.test(token);
  });
  const isShare = isAfter(grammar.percentSigns, end) && end - begin === 2;
  const isFree = isAfter(grammar.prepositions, begin) || isShare;
  return isMeasure && isFree ? begin : undefined;
}

/** A pronoun, or a determiner with its nouns. */
function nounPhraseBefore(end: number, sentence: RuleSentence): number | undefined {
  const { tokens, grammar } = sentence;
  if (grammar.personalPronouns.has(tokens[end - 1])) return end - 1;
  let begin = end - 1;
  while (begin > 0 && !grammar.determiners.has(tokens[begin])) {
    if (grammar.objectControlVerbs.has(tokens[begin - 1])) break;
    begin -= 1;
  }
  const isStart =
    grammar.determiners.has(tokens[begin]) || grammar.objectControlVerbs.has(tokens[begin - 1]);
  return isStart && isBaseNounPhrase({ begin, end }, sentence) ? begin : undefined;
}

/** The places after `from` where a phrase may end, up to the next punctuation mark. */
function possibleEnds(from: number, { tokens, grammar }: RuleSentence): number[] {
  const { prepositions, subordinators, coordinators, auxiliaries } = grammar;
  const classes = [prepositions, subordinators, coordinators, auxiliaries];
  const ends: number[] = [];
  for (let end = from + 1; end <= tokens.length; end++) {
    const token = tokens[end];
    const isPunctuation = !/[\p{L}\p{N}$%]/u.test(token ?? "");
    if (isPunctuation || classes.some((words) => words.has(token))) ends.push(end);
    if (isPunctuation) break;
  }
  return ends;
}
