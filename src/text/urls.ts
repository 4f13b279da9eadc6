/**
 * Web addresses and file paths, which stay whole although they are full of punctuation.
 */

import { isBlankAt } from "./characters.js";

/** Characters that end an address wherever they stand. */
const NOT_IN_URLS = '<>"“”«»‹›{}|^`，。、；！？「」（）';
/** Characters that an address may hold but does not end in. */
const NOT_AT_THE_END = ".,;:!?'’‘…*_~";
const PATH = /(~|\.{1,2})?((?:\/[\p{L}\p{N}_.@+~-]+)+)(\/?)/uy;

/** The end of the address that goes on at `from`, without the punctuation of the sentence. */
export function urlEnd(source: string, from: number): number {
  let end = from;
  let surplus = 0;
  while (end < source.length && !isBlankAt(source, end)) {
    const character = source.charAt(end);
    if (NOT_IN_URLS.includes(character)) break;
    // A closing bracket that the address did not open belongs to the sentence.
    if (character === "(" || character === "[") surplus += 1;
    else if ((character === ")" || character === "]") && --surplus < 0) break;
    end += 1;
  }
  while (end > from && NOT_AT_THE_END.includes(source.charAt(end - 1))) end -= 1;
  return end;
}

/** The end of a path such as `/usr/bin`, `~/notes` or `../a.txt` that begins here, or `at`. */
export function pathEnd(source: string, at: number): number {
  if (!"/~.".includes(source.charAt(at))) return at;
  PATH.lastIndex = at;
  const found = PATH.exec(source);
  if (!found) return at;
  const [whole, home, folders = "", slash] = found;
  // `/k/` is a sound, not a folder.
  if (!home && slash && folders.lastIndexOf("/") === 0) return at;
  let end = at + whole.length;
  while (source.charAt(end - 1) === ".") end -= 1;
  return end;
}
