/**
 * Splits a word into the parts that are tokens in Penn: `do|n't`, `John|'s`, `can|not`, `gon|na`. The
 * language decides which they are, if any.
 */

import type { WordRules } from "../languages/language.js";
import { isApostrophe } from "./characters.js";
import type { Token } from "./tokens.js";

/** Adds the tokens of the word at [begin, end). */
export function cutContractions(
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
  const cut = cliticBegin(source, begin, end, rules);
  if (cut === end) {
    push(source, begin, end, tokens);
    return;
  }
  const cuts = [end];
  for (let at = cut; at < (cuts.at(-1) as number); at = cliticBegin(source, begin, at, rules)) {
    cuts.push(at);
  }
  cuts.push(begin);
  for (let index = cuts.length - 1; index > 0; index--) {
    push(source, cuts[index] as number, cuts[index - 1] as number, tokens);
  }
}

/** Where the last clitic of the word begins, or `end` if there is none. */
function cliticBegin(source: string, begin: number, end: number, rules: WordRules): number {
  const { least, most } = rules.lengths.clitics;
  for (let at = end - 1 - least; at >= end - 1 - most && at > begin; at--) {
    if (!isApostrophe(source, at)) continue;
    const before = rules.clitics.get(source.slice(at + 1, end).toLowerCase());
    if (before === undefined) return end;
    const from = at - before.length;
    const isWhole = from > begin && source.slice(from, at).toLowerCase() === before;
    return isWhole ? from : end;
  }
  return end;
}

function push(source: string, begin: number, end: number, tokens: Token[]): void {
  tokens.push({ text: source.slice(begin, end), begin, end });
}
