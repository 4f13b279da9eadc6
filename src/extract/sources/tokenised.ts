/**
 * Passages that exist as tokens only, such as those of Natural Questions, put together again: then the
 * sentences and words are those that running text would have. Natural Questions cuts at hyphens
 * (`twenty - six`) and writes dashes as `--`, so a lone hyphen between two words joins them.
 */

import type { RawBracket } from "../../brackets/raw-sentence.js";
import type { Language } from "../../languages/index.js";
import { layOut } from "../../text/index.js";
import type { PassageMark } from "./passage.js";

/** The text of a tokenised passage, and its brackets as stretches of that text. */
export function layOutPassage(
  tokens: readonly string[],
  brackets: readonly RawBracket[],
  language: Language | undefined,
): { text: string; marks: PassageMark[] } {
  const groups = joinHyphens(tokens);
  const words = groups.map((group) => group.join(""));
  const { text, tokens: placed } = layOut(words, { language });
  const places = groups.flatMap((group, index) => {
    const { begin, end } = placed[index] as { begin: number; end: number };
    return group.length === 1 ? [{ begin, end }] : placesWithin(group, begin);
  });
  const marks = brackets.map((bracket) => ({
    ...bracket,
    begin: places[bracket.begin]?.begin as number,
    end: places[bracket.end - 1]?.end as number,
  }));
  return { text, marks };
}

function placesWithin(group: readonly string[], begin: number): { begin: number; end: number }[] {
  let end = begin;
  return group.map((token) => {
    end += token.length;
    return { begin: end - token.length, end };
  });
}

/** The tokens, those of a hyphenated word together. */
function joinHyphens(tokens: readonly string[]): string[][] {
  const groups: string[][] = [];
  let glue = false;
  for (const [index, token] of tokens.entries()) {
    const last = groups.at(-1);
    const joins =
      token === "-" && isWord(tokens[index - 1]) && isWord(tokens[index + 1]) && last !== undefined;
    if (last && (glue || joins)) last.push(token);
    else groups.push([token]);
    glue = joins;
  }
  return groups;
}

function isWord(token: string | undefined): boolean {
  return token !== undefined && /^[\p{L}\p{N}].*[\p{L}\p{N}.]$|^[\p{L}\p{N}]$/u.test(token);
}
