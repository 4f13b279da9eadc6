/**
 * Splits a word into the parts that are tokens in treebanks: `do|n't`, `John|'s`, `can|not`, `gon|na`,
 * `l'|ami`, `dit|-il`, `dá-|lo`. The language decides which they are, if any. What is inside a verb stays there:
 * `vê-lo-ei` is one word.
 */

import type { WordRules } from "../languages/language.js";
import { isApostrophe, isUpper } from "./characters.js";
import type { Token } from "./tokens.js";

/** Adds the tokens of the word at [begin, end). */
export function cutContractions(
  source: string,
  begin: number,
  end: number,
  rules: WordRules,
  tokens: Token[],
): void {
  let from = begin;
  while (!isWhole(source, from, end, rules)) {
    const cut = elisionEnd(source, from, end, rules);
    if (cut === from) {
      cutRest(source, from, end, rules, tokens);
      return;
    }
    push(source, from, cut, tokens);
    from = cut;
  }
  push(source, from, end, tokens);
}

/** Adds the tokens of a word that does not begin with an elision. */
function cutRest(
  source: string,
  begin: number,
  end: number,
  rules: WordRules,
  tokens: Token[],
): void {
  const { least, most } = rules.lengths.fusedWords;
  const length = end - begin;
  if (length >= least && length <= most) {
    const first = rules.fusedWords.get(source.slice(begin, end));
    if (first !== undefined) {
      push(source, begin, begin + first, tokens);
      push(source, begin + first, end, tokens);
      return;
    }
  }
  const cut = lastCut(source, begin, end, rules);
  if (cut === end) {
    push(source, begin, end, tokens);
    return;
  }
  const cuts = [end];
  for (let at = cut; at < (cuts.at(-1) as number); at = lastCut(source, begin, at, rules)) {
    cuts.push(at);
  }
  cuts.push(begin);
  for (let index = cuts.length - 1; index > 0; index--) {
    push(source, cuts[index] as number, cuts[index - 1] as number, tokens);
  }
}

/** Where the last clitic of the word begins, or `end` if there is none. */
function lastCut(source: string, begin: number, end: number, rules: WordRules): number {
  const clitic = cliticBegin(source, begin, end, rules);
  if (clitic < end) return clitic;
  // After a cut the hyphen is the verb's, and the pronoun before it ends with it.
  const last = source.charAt(end - 1) === "-" && rules.encliticHyphen === "verb" ? end - 1 : end;
  const enclitic = encliticBegin(source, begin, last, rules);
  return enclitic < last ? enclitic : end;
}

function cliticBegin(source: string, begin: number, end: number, rules: WordRules): number {
  const { least, most } = rules.lengths.clitics;
  for (let at = end - 1 - least; at >= end - 1 - most && at > begin; at--) {
    if (!isApostrophe(source, at)) continue;
    const before = rules.clitics.get(source.slice(at + 1, end).toLowerCase());
    if (before === undefined) return end;
    const from = at - before.length;
    const isAttached = from > begin && source.slice(from, at).toLowerCase() === before;
    return isAttached ? from : end;
  }
  return end;
}

function push(source: string, begin: number, end: number, tokens: Token[]): void {
  tokens.push({ text: source.slice(begin, end), begin, end });
}

/** Whether the word is one token although it has an apostrophe or a hyphen. */
function isWhole(source: string, begin: number, end: number, rules: WordRules): boolean {
  if (end - begin > rules.lengths.wholeWords.most) return false;
  return rules.wholeWords.has(source.slice(begin, end).toLowerCase().replaceAll("’", "'"));
}

/** The end of the elided word that begins the word at [begin, end); `begin` if none does. */
function elisionEnd(source: string, begin: number, end: number, rules: WordRules): number {
  const { least, most } = rules.lengths.elisions;
  for (let at = begin + least; at <= begin + most && at < end - 1; at++) {
    if (!isApostrophe(source, at)) continue;
    const word = source.slice(begin, at);
    if (!rules.elisions.has(word.toLowerCase())) return begin;
    return isName(source, at, end, word, rules) ? begin : at + 1;
  }
  return begin;
}

/** `D'Alema`, but not `D'URGENCE`. */
function isName(
  source: string,
  apostrophe: number,
  end: number,
  word: string,
  { nameElisions }: WordRules,
): boolean {
  if (!isUpper(word) || !nameElisions.has(word.toLowerCase())) return false;
  const rest = source.slice(apostrophe + 1, end);
  return isUpper(rest) && rest !== rest.toUpperCase();
}

/** Whether the word at [begin, at) is an elision before the apostrophe at `at`: `l'« État »`. */
export function isElision(source: string, begin: number, at: number, rules: WordRules): boolean {
  if (at - begin > rules.lengths.elisions.most) return false;
  return rules.elisions.has(source.slice(begin, at).toLowerCase());
}

/** Where the last pronoun of the word at [begin, end) is cut off; `end` if there is none. */
function encliticBegin(source: string, begin: number, end: number, rules: WordRules): number {
  const { least, most } = rules.lengths.enclitics;
  let found = end;
  // The longest wins: `a|-t-il`, not `a-t|-il`.
  for (let at = end - 1 - least; at > begin && at >= end - 1 - most; at--) {
    if (source.charAt(at) !== "-") continue;
    // Names have capitals: `Marie-Le`.
    if (rules.enclitics.has(source.slice(at + 1, end))) found = at;
  }
  if (found === end) return end;
  return rules.encliticHyphen === "verb" ? found + 1 : found;
}
