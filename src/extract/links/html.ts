/**
 * Turns HTML into text with marks, in one pass over the tags. It reads the pages of any site, and
 * Wikipedia's own HTML (Parsoid), in which links to articles are marked and boxes, references and
 * notices have known classes.
 */

import { Parser } from "htmlparser2";
import {
  type BlockKind,
  HOLE,
  type MarkedText,
  MarkedTextBuilder,
  type MarkKind,
} from "./marked.js";
import type { LinkNames } from "./wikitext/names.js";

/** Not part of a page's text, contents and all. */
const SKIPPED = new Set(
  `head script style template noscript svg table nav footer aside form button select textarea iframe
    object video audio canvas pre dialog menu figure-inline map ruby`.split(/\s+/),
);
const HEADINGS = /^h[1-6]$/;
const BREAKS = new Set(
  `p div section article main header blockquote body html ul ol dl br hr figure details summary
    address fieldset center`.split(/\s+/),
);
const BLOCKS = new Map<string, BlockKind>([
  ["li", "list"],
  ["dd", "list"],
  ["dt", "list"],
  ["figcaption", "caption"],
  ["caption", "caption"],
]);
const MARKS = new Map<string, MarkKind>([
  ["em", "emphasis"],
  ["i", "emphasis"],
  ["cite", "emphasis"],
  ["dfn", "emphasis"],
  ["b", "bold"],
  ["strong", "bold"],
  ["code", "code"],
  ["kbd", "code"],
  ["samp", "code"],
  ["tt", "code"],
  ["q", "quote"],
]);
/** Footnote marks, notices and boxes of wikis and static sites. */
const SKIPPED_CLASSES =
  /(?:^|\s)(?:reference|mw-ref|footnote-ref|footnotes|navbox\S*|infobox\S*|metadata|hatnote|noprint|mw-editsection|thumb|gallery|mw-references-wrap|reflist|references|sidebar|toc|ambox|side-box|sistersitebox|breadcrumb\S*|headerlink|anchor|sr-only|visually-hidden)(?:\s|$)/;
/** Formulas, scores, maps: what they show is part of the sentence, and not to be had as text. */
const HOLES = /mw:Extension\/(?:math|chem|ce|score|hiero|maplink|phonos)/;

type Attributes = Record<string, string>;

interface Open {
  readonly name: string;
  readonly kind: BlockKind;
  readonly mark?: { kind: MarkKind; begin: number; block: number; target?: string } | undefined;
}

export interface HtmlOptions {
  /** Parsoid's HTML of a wiki: only links to articles count, by these names. */
  readonly names?: LinkNames | undefined;
}

export function readHtml(source: string, options: HtmlOptions = {}): MarkedText {
  const builder = new MarkedTextBuilder();
  appendHtml(source, builder, "prose", options);
  return builder.finish();
}

/** Appends HTML that may be a piece of a page; its text belongs to blocks of this kind. */
export function appendHtml(
  source: string,
  builder: MarkedTextBuilder,
  kind: BlockKind,
  options: HtmlOptions = {},
): void {
  const parser = new BoundedParser(new HtmlReader(builder, kind, options));
  parser.write(source);
  parser.end();
}

/** The depth at which browsers give up, too. */
const DEEPEST = 512;

/**
 * The parser with a bound on depth: for each tag it moves all that are open, so a page of tags that are
 * never closed would take the square of its length. What is deeper is taken for an empty element, as
 * `<br>` is; the text in it stays.
 */
class BoundedParser extends Parser {
  readonly #reader: HtmlReader;
  #isTooDeep = false;

  constructor(reader: HtmlReader) {
    const handler = {
      onopentag: (name: string, attributes: Attributes) => reader.open(name, attributes),
      onclosetag: (name: string) => reader.close(name),
      ontext: (text: string) => reader.text(text),
    };
    super(handler, { decodeEntities: true, lowerCaseTags: true });
    this.#reader = reader;
  }

  override onopentagname(start: number, end: number): void {
    this.#isTooDeep = this.#reader.depth >= DEEPEST;
    super.onopentagname(start, end);
  }

  override onopentagend(end: number): void {
    super.onopentagend(end);
    this.#isTooDeep = false;
  }

  override onselfclosingtag(end: number): void {
    super.onselfclosingtag(end);
    this.#isTooDeep = false;
  }

  /** A tag that is left out altogether has no name. */
  protected override isVoidElement(name: string): boolean {
    return super.isVoidElement(name) || (this.#isTooDeep && name !== "");
  }
}

class HtmlReader {
  readonly #builder: MarkedTextBuilder;
  readonly #options: HtmlOptions;
  readonly #stack: Open[] = [];
  #kind: BlockKind;
  /** How deep within something that is left out. */
  #skipped = 0;

  constructor(builder: MarkedTextBuilder, kind: BlockKind, options: HtmlOptions) {
    this.#builder = builder;
    this.#kind = kind;
    this.#options = options;
  }

  /** How many elements are open. */
  get depth(): number {
    return this.#stack.length + this.#skipped;
  }

  open(name: string, attributes: Attributes): void {
    if (this.#skipped > 0 || isSkipped(name, attributes, this.#options)) {
      // A formula is a hole in its sentence; anything else is not missed.
      if (this.#skipped === 0 && isHole(name, attributes)) this.#builder.append(HOLE);
      this.#skipped += 1;
      return;
    }
    const kind = this.#kind;
    const block = HEADINGS.test(name) ? "heading" : BLOCKS.get(name);
    if (block) this.#kind = block;
    if (block || BREAKS.has(name)) this.#builder.begin(this.#kind);
    this.#stack.push({ name, kind, mark: this.#mark(name, attributes) });
  }

  close(name: string): void {
    if (this.#skipped > 0) {
      this.#skipped -= 1;
      return;
    }
    const open = this.#stack.pop();
    if (!open) return;
    const { mark } = open;
    if (mark && mark.block === this.#builder.blocks) {
      this.#builder.mark(mark.kind, mark.begin, mark.target);
    }
    this.#kind = open.kind;
    if (HEADINGS.test(name) || BLOCKS.has(name) || BREAKS.has(name))
      this.#builder.begin(this.#kind);
  }

  text(text: string): void {
    if (this.#skipped === 0) this.#builder.append(text);
  }

  #mark(name: string, attributes: Attributes): Open["mark"] {
    const place = { begin: this.#builder.length, block: this.#builder.blocks };
    if (name === "a") {
      const target = this.#target(attributes);
      return target === undefined ? undefined : { kind: "link", target, ...place };
    }
    const kind = MARKS.get(name);
    return kind && { kind, ...place };
  }

  #target({ href, rel = "", title }: Attributes): string | undefined {
    const { names } = this.#options;
    if (!names) return href;
    if (!rel.includes("mw:WikiLink") || href === undefined) return undefined;
    const target =
      title ?? decodeURIComponentSafely(href.replace(/^\.\//, "")).replaceAll("_", " ");
    return names.kindOf(target) === "article" ? target : undefined;
  }
}

function isHole(name: string, { typeof: type = "" }: Attributes): boolean {
  return name === "math" || HOLES.test(type);
}

function isSkipped(name: string, attributes: Attributes, { names }: HtmlOptions): boolean {
  const { class: classes = "", role = "", hidden } = attributes;
  if (SKIPPED.has(name) || hidden !== undefined || isHole(name, attributes)) return true;
  // Captions of an encyclopaedia's pictures are not its text.
  if (names && name === "figure") return true;
  return role === "navigation" || role === "doc-noteref" || SKIPPED_CLASSES.test(classes);
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
