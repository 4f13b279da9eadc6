/**
 * Verb phrases that auxiliaries and relative pronouns show, whatever people were asked about. Nobody is
 * asked about the copula, so without them its phrase is no bracket. As the Penn Treebank's guidelines have
 * it (Bies et al. 1995), each auxiliary, modal and copula heads a verb phrase up to the end of its clause:
 *
 * | words                            | phrases                                                   |
 * |----------------------------------|-----------------------------------------------------------|
 * | The man is old .                 | is old                                                    |
 * | It has not been sold to him .    | has not been sold to him; been sold to him; sold to him   |
 * | They may leave town .            | may leave town; leave town                                |
 * | He is likely to leave town .     | is likely to …; likely to …; to leave town; leave town    |
 * | Rome , which is old , fell .     | Rome , which is old; which is old; is old                 |
 * | They expect him to leave town .  | him to leave town; to leave town; leave town              |
 */

import type { Grammar } from "../languages/grammar.js";
import type { Span } from "../trees/tree.js";
import { nextEnd } from "./clause-end.js";
import { isBaseNounPhrase } from "./flat.js";
import type { RuleSentence } from "./rule-sentence.js";

export function verbPhrasesOf(sentence: RuleSentence): Span[] {
  const { tokens } = sentence;
  // In questions the subject follows the auxiliary.
  if (tokens.includes("?")) return [];
  const found = [
    ...auxiliaryPhrases(sentence),
    ...relativeClauses(sentence),
    ...raisedClauses(sentence),
  ];
  return found.filter(({ begin, end }) => end - begin >= 2);
}

/** A clause without a finite verb: what is expected or allowed, with its subject. */
function* raisedClauses(sentence: RuleSentence): Generator<Span> {
  const { tokens, grammar } = sentence;
  for (let begin = 1; begin + 2 < tokens.length; begin++) {
    if (!grammar.raisingVerbs.has(tokens[begin - 1])) continue;
    const isPronoun = grammar.personalPronouns.has(tokens[begin]);
    const mark = isPronoun
      ? begin + 1
      : tokens.findIndex((token, at) => at > begin && grammar.infinitiveMarks.has(token));
    const isSubject = isPronoun || grammar.determiners.has(tokens[begin]);
    if (!isSubject || !grammar.infinitiveMarks.has(tokens[mark])) continue;
    if (!isPronoun && !isBaseNounPhrase({ begin, end: mark }, sentence)) continue;
    const verb = mark + 1;
    const isKnown = sentence.verbs.has(verb) || grammar.auxiliaries.has(tokens[verb]);
    const found = isKnown ? nextEnd(verb + 1, sentence) : undefined;
    if (!found || found.isJoined) continue;
    for (const from of [begin, mark, verb]) yield { begin: from, end: found.end };
  }
}

function* auxiliaryPhrases(sentence: RuleSentence): Generator<Span> {
  const { tokens, grammar } = sentence;
  for (let at = 1; at < tokens.length; at++) {
    if (!grammar.finiteAuxiliaries.has(tokens[at]) || !isAfterSubject(at, sentence)) continue;
    const heads = verbGroup(at, sentence);
    const last = heads.at(-1) as number;
    const found = nextEnd(last + 1, sentence);
    // What a coordinator joins may be the first verb's phrase or the last one's.
    const sure = found?.isJoined ? heads.slice(0, 1) : heads;
    if (found) for (const begin of sure) yield { begin, end: found.end };
    if (found && !found.isJoined) yield* infinitivePhrases(last + 1, found.end, sentence);
    at = last;
  }
}

/** An infinitive that goes on to the end of the verb phrase that it is in, and the adjective that it belongs to. */
function* infinitivePhrases(from: number, end: number, sentence: RuleSentence): Generator<Span> {
  const { tokens, grammar, verbs } = sentence;
  const isAdjective = (at: number) => grammar.complementAdjectives.has(tokens[at]);
  const isAdverb = (at: number) => grammar.adverbs.has(tokens[at]) && !isAdjective(at);
  let mark = from;
  while (grammar.negations.has(tokens[mark]) || isAdverb(mark)) mark += 1;
  const isPair = grammar.twoWordPrepositions.has(tokens.slice(mark, mark + 2).join(" "));
  const hasAdjective = isAdjective(mark) && !isPair;
  if (hasAdjective) mark += 1;
  const isVerb = verbs.has(mark + 1) || (hasAdjective && mayBeVerb(tokens[mark + 1], grammar));
  if (!grammar.infinitiveMarks.has(tokens[mark]) || !isVerb) return;
  if (hasAdjective) yield { begin: mark - 1, end };
  yield { begin: mark, end };
  yield { begin: mark + 1, end };
}

/**
 * Whether the auxiliary follows the subject of a clause that goes on to the clause's end. In a relative
 * clause it may not: "the man who is old left".
 */
function isAfterSubject(at: number, { tokens, grammar }: RuleSentence): boolean {
  const before = tokens[at - 1];
  const isSubject = /[\p{L}\p{N}]/u.test(before ?? "") && !grammar.coordinators.has(before);
  if (!isSubject || grammar.pronouns.has(tokens[at + 1])) return false;
  for (let place = at - 1; place >= 0; place--) {
    const token = tokens[place];
    if (!/[\p{L}\p{N}$%]/u.test(token ?? "")) {
      return !grammar.relatives.has(tokens[place + 1]) || token === ",";
    }
    if (grammar.relatives.has(token) || grammar.questionWords.has(token)) {
      return tokens[place - 1] === ",";
    }
  }
  return true;
}

/** The places of the auxiliaries and of the verb after them, if it surely is one. */
function verbGroup(begin: number, { tokens, verbs, grammar }: RuleSentence): number[] {
  const heads = [begin];
  for (let at = begin + 1; at < tokens.length; at++) {
    const token = tokens[at];
    if (grammar.negations.has(token) || grammar.adverbs.has(token)) continue;
    const last = tokens[heads.at(-1) as number];
    const isInfinitive = grammar.modals.has(last) && mayBeVerb(token, grammar);
    const isParticiple =
      !grammar.modals.has(last) && (isParticipleForm(token, grammar) || verbs.has(at));
    const isAuxiliary = grammar.auxiliaries.has(token) && !grammar.infinitiveMarks.has(token);
    if (!isInfinitive && !isParticiple && !isAuxiliary) break;
    heads.push(at);
    if (!isAuxiliary) break;
  }
  return heads;
}

/** After "do" an object may follow: "do the same". */
function mayBeVerb(token: string | undefined, grammar: Grammar): boolean {
  const { determiners, subjectPronouns, nonChunkWords } = grammar;
  const isOther = [determiners, subjectPronouns, nonChunkWords].some((words) => words.has(token));
  return /^\p{Ll}/u.test(token ?? "") && !isOther;
}

function isParticipleForm(token: string | undefined, grammar: Grammar): boolean {
  return grammar.participles.has(token) || grammar.gerunds.has(token);
}

/** A clause that a relative pronoun after a comma begins, and the subject of the sentence that it belongs to. */
function* relativeClauses(sentence: RuleSentence): Generator<Span> {
  const { tokens, grammar } = sentence;
  for (let begin = 1; begin < tokens.length; begin++) {
    if (tokens[begin - 1] !== "," || !grammar.relatives.has(tokens[begin])) continue;
    const found = nextEnd((verbGroup(begin, sentence).at(-1) as number) + 1, sentence);
    if (!found) continue;
    yield { begin, end: found.end };
    const subject = { begin: 0, end: begin - 1 };
    const isClosed = tokens[found.end] === ",";
    if (isClosed && isBaseNounPhrase(subject, sentence)) yield { begin: 0, end: found.end };
  }
}
