/**
 * Text without its markup: blocks of plain text, each with the character ranges that were links,
 * emphasis and so on. Wikitext, HTML and Markdown all become this, and one function turns it into
 * sentences with brackets.
 */

import { cutMatches, moveStretches } from "../cuts.js";

/** The kinds of blocks on a page. */
export const BLOCK_KINDS = ["prose", "list", "heading", "caption"] as const;

/** The kind of a block on a page. */
export type BlockKind = (typeof BLOCK_KINDS)[number];

/** Kinds of marks, in the order in which they are listed to users. */
export const MARK_KINDS = [
  "link",
  "term",
  "emphasis",
  "bold",
  "code",
  "quote",
  "parenthesis",
  "list-item",
  "caption",
] as const;

export type MarkKind = (typeof MARK_KINDS)[number];

/** Half-open, in UTF-16 code units of the block's text. */
export interface Mark {
  readonly begin: number;
  readonly end: number;
  readonly kind: MarkKind;
  /** What a link points to. */
  readonly target?: string | undefined;
}

export interface MarkedBlock {
  readonly kind: BlockKind;
  readonly text: string;
  readonly marks: readonly Mark[];
}

export type MarkedText = readonly MarkedBlock[];

/** Stands for something that text cannot show: a formula, a template of unknown meaning. */
export const HOLE = "\ufffc";

/** Characters that have no width: marks of direction, places where a word may be broken. */
const UNSEEN = /[\u200b\u200e\u200f\u00ad]+/g;
const BLANKS = /\s+/g;
const UNEVEN = /\s\s|[^\S ]|[\u200b\u200e\u200f\u00ad]/;

/** Collects the text of one block after the other; blanks collapse as they do on a page. */
export class MarkedTextBuilder {
  readonly #blocks: MarkedBlock[] = [];
  #kind: BlockKind = "prose";
  #text = "";
  #marks: Mark[] = [];
  #blank = false;
  /** The last character of the text. */
  #last = "";

  /** The place that the next character will have. */
  get length(): number {
    return this.#text.length + (this.#blank ? 1 : 0);
  }

  /** How many blocks have ended: places are within one. */
  get blocks(): number {
    return this.#blocks.length;
  }

  /** Ends the block at hand; what follows belongs to one of this kind. */
  begin(kind: BlockKind): void {
    this.#end();
    this.#kind = kind;
  }

  append(text: string): void {
    const collapsed = UNEVEN.test(text) ? text.replace(UNSEEN, "").replace(BLANKS, " ") : text;
    if (collapsed === "") return;
    let from = collapsed.startsWith(" ") ? 1 : 0;
    if (from > 0) this.#blank = this.#text !== "";
    // Half a pair of brackets from either side of a removal would look like markup.
    else if (!this.#blank && isHalf(collapsed.charAt(0), this.#last)) from = 1;
    const to = collapsed.length - (collapsed.length > 1 && collapsed.endsWith(" ") ? 1 : 0);
    if (to > from) {
      this.#text += (this.#blank ? " " : "") + collapsed.slice(from, to);
      this.#last = collapsed.charAt(to - 1);
      this.#blank = false;
    }
    if (to < collapsed.length) this.#blank = this.#text !== "";
  }

  /** Marks what has been appended since `begin`; blanks at its ends are not part of it. */
  mark(kind: MarkKind, begin: number, target?: string): void {
    const end = this.#text.length;
    if (begin < end) this.#marks.push({ begin, end, kind, target });
  }

  finish(): MarkedText {
    this.#end();
    return this.#blocks;
  }

  #end(): void {
    const text = this.#text;
    if (text !== "") {
      // Only now: to look at a text while it is being put together would take ever longer.
      const marks = this.#marks
        .map((mark) =>
          text.charAt(mark.begin) === " " ? { ...mark, begin: mark.begin + 1 } : mark,
        )
        .filter(({ begin, end }) => begin < end);
      this.#blocks.push(mend({ kind: this.#kind, text, marks }));
    }
    this.#text = "";
    this.#marks = [];
    this.#blank = false;
    this.#last = "";
  }
}

function isHalf(sign: string, before: string): boolean {
  return sign === before && "[]{}'".includes(sign);
}

/**
 * What is left where something was taken away: empty parentheses, parentheses that begin with a
 * semicolon, blanks before a comma, two commas. Repetitions are bounded, so that a run of signs
 * is not looked through again from each of its places.
 */
const REMAINS = new RegExp(
  [
    ` ?\\([\\s,;:${HOLE}]{0,50}\\)`,
    ` ?\\[[\\s,;:${HOLE}]{0,50}\\]`,
    `(?<=\\()[\\s,;:${HOLE}]+`,
    `[\\s,;${HOLE}]{1,50}(?=\\))`,
    // A footnote after a sentence; before a small letter it is the first word of the next one.
    `(?<=[.!?]["”’)]?) ?${HOLE}(?= (?!\\p{Ll})|$)`,
    ` (?=[,.](?: |$))`,
    `(?<=,),`,
    `^[\\s,;:${HOLE}]+`,
    `[\\s${HOLE}]{1,50}$`,
  ].join("|"),
  "gu",
);
const PERHAPS_REMAINS = new RegExp(`[${HOLE}([]| [,.]|,,|^[\\s,;:]|\\s$`);

/** Takes away what removals left behind, and moves the marks along. */
function mend(block: MarkedBlock): MarkedBlock {
  if (!PERHAPS_REMAINS.test(block.text)) return block;
  const cut = cutMatches(block.text, REMAINS);
  if (!cut) return block;
  return { ...block, text: cut.text, marks: moveStretches(cut, block.marks) };
}
