/** Phrases that are set off by signs rather than markup: in parentheses and in quotes. */

import type { Mark } from "./marked.js";

const PAIRS = new Map([
  ["“", "”"],
  ["„", "“"],
  ["«", "»"],
  ["»", "«"],
]);
/** Not so long that a quote that was never closed takes another's end. */
const LONGEST = 300;

export function markPhrases(text: string): Mark[] {
  return [...markParentheses(text), ...markQuotes(text)];
}

function markParentheses(text: string): Mark[] {
  const open: number[] = [];
  const found: Mark[] = [];
  for (const { 0: sign, index } of text.matchAll(/[()]/g)) {
    if (sign === "(") open.push(index + 1);
    else {
      const begin = open.pop();
      if (begin !== undefined && index > begin && index - begin <= LONGEST) {
        found.push({ begin, end: index, kind: "parenthesis" });
      }
    }
  }
  return found;
}

function markQuotes(text: string): Mark[] {
  const found: Mark[] = [];
  let begin: number | undefined;
  let closing = "";
  for (const { 0: sign, index } of text.matchAll(/["“”„«»]/g)) {
    if (begin !== undefined && sign === closing && index - begin <= LONGEST) {
      if (index > begin) found.push({ begin, end: index, kind: "quote" });
      begin = undefined;
    } else {
      begin = index + 1;
      closing = sign === '"' ? '"' : (PAIRS.get(sign) ?? "");
    }
  }
  return found;
}
