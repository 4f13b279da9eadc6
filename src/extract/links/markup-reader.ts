/**
 * Turns text in tags into text with marks, in one pass. What the tags mean is said by a dialect: HTML and
 * CNXML have one each.
 */

import { Parser } from "htmlparser2";
import { type BlockKind, HOLE, type MarkedTextBuilder, type MarkKind } from "./marked.js";

export type Attributes = Readonly<Record<string, string>>;

/** What an element is to a reader of the text. */
export type ElementRole =
  /** Not part of the text, contents and all. */
  | "skipped"
  /** Like `skipped`, but its words are missed: a formula within a sentence. */
  | "hole"
  /** Begins and ends a block of the same kind as the text around it. */
  | "break"
  /** Begins and ends a block of this kind. */
  | BlockKind
  | undefined;

/** The meaning of tags. */
export interface Dialect {
  /** Whether it is XML: tags are case-sensitive, and any may be empty. */
  readonly isXml: boolean;
  role(name: string, attributes: Attributes): ElementRole;
  /** What an element marks its text as. */
  mark(name: string, attributes: Attributes): MarkMeaning | undefined;
  /** Whether the element shows words of its own, such as "Figure 3", where it has none in it. */
  isFilled?(name: string): boolean;
  /** Text that stands for something else, such as the number of a footnote, within an element. */
  isSkippedText?(text: string, element: string | undefined): boolean;
}

export interface MarkMeaning {
  readonly kind: MarkKind;
  readonly target?: string | undefined;
}

/** Appends markup that may be a piece of a page; its text belongs to blocks of this kind. */
export function appendMarkup(
  source: string,
  builder: MarkedTextBuilder,
  kind: BlockKind,
  dialect: Dialect,
): void {
  const parser = new BoundedParser(new MarkupReader(builder, kind, dialect), dialect.isXml);
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
  readonly #reader: MarkupReader;
  #isTooDeep = false;

  constructor(reader: MarkupReader, isXml: boolean) {
    const handler = {
      onopentag: (name: string, attributes: Attributes) => reader.open(name, attributes),
      onclosetag: () => reader.close(),
      ontext: (text: string) => reader.text(text),
    };
    super(handler, { decodeEntities: true, lowerCaseTags: !isXml, xmlMode: isXml });
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

interface Open {
  readonly name: string;
  /** The kind of the text around it. */
  readonly kind: BlockKind;
  readonly isBlock: boolean;
  readonly mark: (MarkMeaning & { readonly begin: number; readonly block: number }) | undefined;
}

class MarkupReader {
  readonly #builder: MarkedTextBuilder;
  readonly #dialect: Dialect;
  readonly #stack: Open[] = [];
  #kind: BlockKind;
  /** How deep within something that is left out. */
  #skipped = 0;

  constructor(builder: MarkedTextBuilder, kind: BlockKind, dialect: Dialect) {
    this.#builder = builder;
    this.#kind = kind;
    this.#dialect = dialect;
  }

  /** How many elements are open. */
  get depth(): number {
    return this.#stack.length + this.#skipped;
  }

  open(name: string, attributes: Attributes): void {
    const role = this.#skipped > 0 ? "skipped" : this.#dialect.role(name, attributes);
    if (role === "skipped" || role === "hole") {
      if (role === "hole") this.#builder.append(HOLE);
      this.#skipped += 1;
      return;
    }
    const kind = this.#kind;
    if (role !== undefined && role !== "break") this.#kind = role;
    if (role !== undefined) this.#builder.begin(this.#kind);
    const meaning = this.#dialect.mark(name, attributes);
    const { length: begin, blocks: block } = this.#builder;
    const mark = meaning && { ...meaning, begin, block };
    this.#stack.push({ name, kind, isBlock: role !== undefined, mark });
  }

  close(): void {
    if (this.#skipped > 0) {
      this.#skipped -= 1;
      return;
    }
    const open = this.#stack.pop();
    if (!open) return;
    const { mark } = open;
    if (mark && mark.block === this.#builder.blocks) {
      const isEmpty = mark.begin === this.#builder.length;
      if (isEmpty && this.#dialect.isFilled?.(open.name)) this.#builder.append(HOLE);
      else this.#builder.mark(mark.kind, mark.begin, mark.target);
    }
    this.#kind = open.kind;
    if (open.isBlock) this.#builder.begin(this.#kind);
  }

  text(text: string): void {
    if (this.#skipped > 0) return;
    if (this.#dialect.isSkippedText?.(text, this.#stack.at(-1)?.name)) return;
    this.#builder.append(text);
  }
}
