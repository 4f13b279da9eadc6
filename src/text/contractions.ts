/**
 * Cuts a word into the parts that Penn counts apart: `do|n't`, `John|'s`, `can|not`, `gon|na`.
 */

import { isApostrophe } from "./characters.js";
import type { Token } from "./tokens.js";

/** What follows the apostrophe of a clitic. */
export const CLITICS: ReadonlySet<string> = new Set(["s", "m", "d", "re", "ve", "ll", "ye"]);

/** Words written as one and counted as two. */
export const FUSED: readonly (readonly [first: string, second: string])[] = [
  ["can", "not"],
  ["gon", "na"],
  ["wan", "na"],
  ["got", "ta"],
  ["gim", "me"],
  ["lem", "me"],
  ["more", "'n"],
  ["'t", "is"],
  ["'t", "was"],
];

/** Every spelling of those words, with the length of the first part. */
const CUTS = new Map<string, number>();
for (const [first, second] of FUSED) {
  for (const apostrophe of ["'", "’", "‘"]) {
    const word = (first + second).replace("'", apostrophe);
    const capitalised = word.replace(/\p{L}/u, (letter) => letter.toUpperCase());
    for (const form of [word, capitalised, word.toUpperCase()]) CUTS.set(form, first.length);
  }
}
const SHORTEST_FUSED = 4;
const LONGEST_FUSED = 6;

/** Adds the tokens of the word at [begin, end). */
export function cutContractions(source: string, begin: number, end: number, tokens: Token[]): void {
  const length = end - begin;
  if (length >= SHORTEST_FUSED && length <= LONGEST_FUSED) {
    const first = CUTS.get(source.slice(begin, end));
    if (first !== undefined) {
      push(source, begin, begin + first, tokens);
      push(source, begin + first, end, tokens);
      return;
    }
  }
  const cut = cliticBegin(source, begin, end);
  if (cut === end) {
    push(source, begin, end, tokens);
    return;
  }
  const cuts = [end];
  for (let at = cut; at < (cuts.at(-1) as number); at = cliticBegin(source, begin, at)) {
    cuts.push(at);
  }
  cuts.push(begin);
  for (let index = cuts.length - 1; index > 0; index--) {
    push(source, cuts[index] as number, cuts[index - 1] as number, tokens);
  }
}

/** Where the last clitic of the word begins, or `end` if there is none. */
function cliticBegin(source: string, begin: number, end: number): number {
  for (let at = end - 2; at >= end - 3 && at > begin; at--) {
    if (!isApostrophe(source, at)) continue;
    const rest = source.slice(at + 1, end).toLowerCase();
    if (CLITICS.has(rest)) return at;
    const negation = rest === "t" && at - 1 > begin && "nN".includes(source.charAt(at - 1));
    return negation ? at - 1 : end;
  }
  return end;
}

function push(source: string, begin: number, end: number, tokens: Token[]): void {
  tokens.push({ text: source.slice(begin, end), begin, end });
}
