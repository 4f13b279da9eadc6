/**
 * Amounts, dates and measures, which show their phrases by their words alone, whatever people
 * bracketed. As the Penn Treebank's guidelines have it (Bies et al. 1995, on QP and on dates):
 *
 * | words                     | phrases                       | no phrase                    |
 * |---------------------------|-------------------------------|------------------------------|
 * | $ 5 million               | the whole                     | 5 million                    |
 * | about 5 million people    | about 5 million               | 5 million                    |
 * | more than 5 %             | the whole; more than 5        | 5 %; more than               |
 * | a 5 % loan                | 5 %                           | a 5 %                        |
 * | 2 to 3 weeks              | 2 to 3                        |                              |
 * | May 5 , 1990              | the whole                     | May 5                        |
 * | two years ago             | the whole; two years          | years ago                    |
 * | two years old             | the whole; two years          | years old                    |
 * | (fell) 5 % to $ 2         |                               | the whole: two phrases       |
 * | (fell) to 5 % from 7 %    |                               | the whole: two phrases       |
 */

import type { Span } from "../trees/tree.js";
import type { RuleSentence } from "./rule-sentence.js";

/** What the words show. */
export interface ShownSpans {
  readonly phrases: readonly Span[];
  /** Spans that are no phrases. */
  readonly fragments: readonly Span[];
}

export function amountsOf({ tokens, grammar }: RuleSentence): ShownSpans {
  const phrases: Span[] = [];
  const fragments: Span[] = [];
  let before: Span | undefined;
  for (let at = 0; at < tokens.length; ) {
    const found = date(at, tokens, grammar) ?? amount(at, tokens, grammar);
    const whole = found?.phrases[0];
    if (before && whole) fragments.push(...together(before, whole, tokens, grammar));
    before = whole ?? before;
    phrases.push(...(found?.phrases ?? []));
    fragments.push(...(found?.fragments ?? []));
    at = found ? found.end : at + 1;
  }
  return { phrases, fragments: fragments.filter(({ begin, end }) => end - begin >= 2) };
}

/** What was found, and where to go on. */
interface Found extends ShownSpans {
  readonly end: number;
}

type Tokens = readonly string[];
type Grammar = RuleSentence["grammar"];

/** "May 5", "May 5 , 1990", "5 May 1990". */
function date(begin: number, tokens: Tokens, { months }: Grammar): Found | undefined {
  if (months.has(tokens[begin]) && isDay(tokens[begin + 1])) {
    const day = { begin, end: begin + 2 };
    const isYear = tokens[begin + 2] === "," && /^\d{4}$/.test(tokens[begin + 3] ?? "");
    const whole = isYear ? { begin, end: begin + 4 } : day;
    return { phrases: [whole], fragments: isYear ? [day] : [], end: whole.end };
  }
  if (!isDay(tokens[begin]) || !months.has(tokens[begin + 1])) return undefined;
  const hasYear = /^\d{4}$/.test(tokens[begin + 2] ?? "");
  const whole = { begin, end: begin + (hasYear ? 3 : 2) };
  const parts = [
    { begin, end: begin + 2 },
    { begin: begin + 1, end: begin + 3 },
  ];
  return { phrases: [whole], fragments: hasYear ? parts : [], end: whole.end };
}

function isDay(token = ""): boolean {
  return /^[0-3]?\d$/.test(token);
}

/** A number with what belongs to it before and after. */
function amount(from: number, tokens: Tokens, grammar: Grammar): Found | undefined {
  const begin = grammar.currencySigns.has(tokens[from]) ? from + 1 : from;
  const end = endOfNumber(begin, tokens, grammar);
  if (end === begin) return undefined;
  const number = { begin: from, end };
  const hedge = beginOfHedge(from, tokens, grammar);
  const inner = hedge < from || end - from >= 2 ? [{ begin: hedge, end }] : [];
  const withoutSign = from < begin ? [{ begin, end }] : [];
  const parts = [...withoutSign, { begin: hedge, end: from }];
  if (grammar.percentSigns.has(tokens[end])) {
    const whole = { begin: hedge, end: end + 1 };
    const fragments = hedge < from ? [number, { begin: from, end: end + 1 }, ...parts] : [];
    return found([whole, ...inner], [...fragments, ...withDeterminer(whole, tokens, grammar)], end);
  }
  const ago = measure(number, tokens, grammar);
  if (ago) return ago;
  const isQuantity = from < begin || hedge < from || isComposed(number, tokens, grammar);
  if (!isQuantity) return undefined;
  const whole = { begin: hedge, end };
  const fragments = hedge < from ? [number, ...parts] : parts;
  return found(inner, [...fragments, ...withDeterminer(whole, tokens, grammar)], end);
}

function found(phrases: readonly Span[], fragments: readonly Span[], end: number): Found {
  return { phrases, fragments, end: Math.max(end, ...phrases.map((span) => span.end)) };
}

/** Behind a run of numbers, or of two that "to" or "or" joins: "2 to 3", but "from 2 to 3". */
function endOfNumber(begin: number, tokens: Tokens, grammar: Grammar): number {
  let end = begin;
  while (grammar.numbers.has(tokens[end])) end += 1;
  const isJoined = end === begin + 1 && grammar.rangeMarks.has(tokens[end]);
  const isRange =
    isJoined && grammar.numbers.has(tokens[end + 1]) && /\d/.test(tokens[begin] ?? "");
  if (!isRange || grammar.prepositions.has(tokens[begin - 1])) return end;
  end += 2;
  while (grammar.numbers.has(tokens[end])) end += 1;
  return end;
}

/** Where "about", "more than" or "at least" before an amount begins. */
function beginOfHedge(begin: number, tokens: Tokens, { hedges }: Grammar): number {
  const length = [3, 2, 1].find((words) => {
    return words <= begin && hedges.has(tokens.slice(begin - words, begin).join(" "));
  });
  return begin - (length ?? 0);
}

/** "5 million", "5 1/2", "2 to 3": a year beside another number is no amount. */
function isComposed({ begin, end }: Span, tokens: Tokens, grammar: Grammar): boolean {
  return tokens.slice(begin + 1, end).some((token) => {
    const isJoint = grammar.magnitudes.has(token) || grammar.rangeMarks.has(token);
    return isJoint || /^\d+\/\d+$/.test(token);
  });
}

/** "two years ago", "two years old", but "two years old wine". */
function measure(number: Span, tokens: Tokens, grammar: Grammar): Found | undefined {
  const noun = number.end;
  const isNoun = /^\p{Ll}{3,}$/u.test(tokens[noun] ?? "");
  const isAdjective =
    grammar.measureAdjectives.has(tokens[noun + 1]) && !/^\p{Ll}/u.test(tokens[noun + 2] ?? "");
  if (!isNoun || !(isAdjective || grammar.measureAdverbs.has(tokens[noun + 1]))) return undefined;
  const { begin } = number;
  const phrases = [
    { begin, end: noun + 2 },
    { begin, end: noun + 1 },
  ];
  return { phrases, fragments: [{ begin: noun, end: noun + 2 }], end: noun + 2 };
}

/** Two amounts beside each other that are two phrases: how much something changes, and to or from what. */
function together(first: Span, second: Span, tokens: Tokens, grammar: Grammar): Span[] {
  const joint = tokens[first.end];
  const isPercent = ({ end }: Span) => grammar.percentSigns.has(tokens[end - 1]);
  const isMoney = ({ begin }: Span) => grammar.currencySigns.has(tokens[begin]);
  const areAmounts = [first, second].every((each) => isPercent(each) || isMoney(each));
  if (second.begin !== first.end + 1 || !areAmounts) return [];
  const both = { begin: first.begin, end: second.end };
  const differ = isPercent(first) !== isPercent(second);
  if (grammar.rangeMarks.has(joint)) return differ ? [both] : [];
  const isTarget = grammar.infinitiveMarks.has(tokens[first.begin - 1]);
  const isOther = grammar.prepositions.has(joint) && !grammar.nounPrepositions.has(joint);
  return isTarget && isOther ? [{ begin: first.begin - 1, end: second.end }, both] : [];
}

/** "a 5 %" in "a 5 % loan". */
function withDeterminer({ begin, end }: Span, tokens: Tokens, grammar: Grammar): Span[] {
  const goesOn = /^\p{L}/u.test(tokens[end] ?? "") && !grammar.nonChunkWords.has(tokens[end]);
  const isInside = grammar.determiners.has(tokens[begin - 1]) && goesOn;
  return isInside ? [{ begin: begin - 1, end }] : [];
}
