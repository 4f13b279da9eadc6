/**
 * The first stage: removes what the extensions of a wiki read for themselves, with its contents
 * (references, formulas, galleries, scores, code, HTML tables), and comments. A formula within a line
 * leaves a hole, because the sentence is incomplete without it.
 */

import { HOLE } from "../marked.js";
import { dropProtected, protect } from "./protect.js";

/** Gone without a trace. */
const REMOVED = `ref references templatedata templatestyles includeonly section indicator style script`;
/** Gone, and what stood before and after them are two paragraphs. */
const BLOCKS = `gallery timeline inputbox categorytree imagemap graph chart mapframe pre
  syntaxhighlight source table`;
/** Gone, but they may have stood for words. */
const HOLES = "math chem ce hiero score maplink";

const FATES = new Map<string, string>([
  ...REMOVED.split(/\s+/).map((name): [string, string] => [name, ""]),
  ...BLOCKS.split(/\s+/).map((name): [string, string] => [name, "\n\n"]),
  ...HOLES.split(/\s+/).map((name): [string, string] => [name, HOLE]),
  ["nowiki", ""],
]);

const OPENING = new RegExp(`<!--|<(${[...FATES.keys()].join("|")})(?=[\\s/>])([^<>]*)>`, "gi");

export function removeExtensions(source: string): string {
  const text = dropProtected(source);
  const closings = new Closings(text);
  const parts: string[] = [];
  let at = 0;
  OPENING.lastIndex = 0;
  for (let found = OPENING.exec(text); found; found = OPENING.exec(text)) {
    const [whole, tag, attributes = ""] = found;
    const name = tag?.toLowerCase();
    parts.push(text.slice(at, found.index));
    const begin = found.index + whole.length;
    const closing = attributes.endsWith("/") ? undefined : closings.find(name, begin);
    at = closing?.after ?? begin;
    if (name === "nowiki") parts.push(protect(text.slice(begin, closing?.begin ?? begin)));
    else if (name) parts.push(/\binline\b/.test(attributes) ? HOLE : (FATES.get(name) ?? ""));
    // A comment on a line of its own takes the line with it.
    else if (isAlone(text, found.index, at)) at += 1;
    OPENING.lastIndex = at;
  }
  parts.push(text.slice(at));
  return parts.join("");
}

function isAlone(text: string, begin: number, end: number): boolean {
  return text.charAt(end) === "\n" && (begin === 0 || text.charAt(begin - 1) === "\n");
}

/** Finds closing tags; a tag that is never closed again is searched for once only. */
class Closings {
  readonly #text: string;
  readonly #absent = new Set<string>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Without a name: the end of a comment, which is the end of the text where it is missing. */
  find(name: string | undefined, from: number): { begin: number; after: number } | undefined {
    if (name === undefined) {
      const end = this.#text.indexOf("-->", from);
      return { begin: end, after: end < 0 ? this.#text.length : end + 3 };
    }
    if (this.#absent.has(name)) return this.#unclosed(name, from);
    const closing = new RegExp(`</${name}\\s*>`, "gi");
    closing.lastIndex = from;
    const found = closing.exec(this.#text);
    if (!found) {
      this.#absent.add(name);
      return this.#unclosed(name, from);
    }
    return { begin: found.index, after: found.index + found[0].length };
  }

  /** Of a reference that is never closed at least the line is no text. */
  #unclosed(name: string, from: number): { begin: number; after: number } | undefined {
    if (name !== "ref") return undefined;
    const end = this.#text.indexOf("\n", from);
    return { begin: from, after: end < 0 ? this.#text.length : end };
  }
}
