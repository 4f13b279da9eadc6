/**
 * Cuts a file of many pages without parsing them: a MediaWiki XML dump, or HTML articles one after the
 * other. Such files are regular, written by a program. In a dump the text of a page is escaped, so
 * `<page>` and `</page>` always are tags. Anything else is an error with its place, or is counted if the
 * caller can continue.
 */

import { InputError } from "../../errors.js";
import type { Part } from "../../files/input.js";

export interface DumpPage {
  /** From the opening tag to the closing tag. */
  readonly bytes: Uint8Array;
  /** The place of its beginning, as the parts give it. */
  readonly position: number;
}

/** How pages are told from what is around them. */
export interface PageForm {
  /** What such a file is called in messages. */
  readonly name: string;
  /** How a page begins; its attributes may follow. */
  readonly opening: Buffer;
  readonly closing: Buffer;
  /** What may stand before, between and after pages. */
  readonly between: RegExp;
  /** How the whole ends, if it has an end of its own. */
  readonly end?: string | undefined;
}

export const MEDIAWIKI_PAGES: PageForm = {
  name: "dump",
  opening: Buffer.from("<page>"),
  closing: Buffer.from("</page>"),
  between: /^\s*(?:<\/mediawiki>\s*)?(?:(?:<\?xml[^>]*>\s*)?<mediawiki[\s\S]*)?$/,
  end: "</mediawiki>",
};

export const HTML_ARTICLES: PageForm = {
  name: "list of articles",
  opening: Buffer.from("<article"),
  closing: Buffer.from("</article>"),
  between: /^\s*$/,
};

export interface DumpPageOptions {
  readonly file: string;
  readonly form: PageForm;
  /** Whether reading begins in the middle, where the first page may be cut. */
  readonly inside?: boolean | undefined;
  readonly largestPage?: number | undefined;
  /** Is told what is wrong; throws to stop. */
  bad(error: InputError): void;
  drop(reason: string): void;
}

/** Wikipedia's own limit is 2 MB of text. */
export const LARGEST_PAGE = 6_000_000;

export async function* readDumpPages(
  parts: AsyncIterable<Part>,
  options: DumpPageOptions,
): AsyncGenerator<DumpPage> {
  const splitter = new PageSplitter(options);
  for await (const part of parts) {
    splitter.add(part);
    yield* splitter.pages();
  }
  splitter.end();
}

class PageSplitter {
  readonly #options: DumpPageOptions;
  readonly #form: PageForm;
  readonly #largest: number;
  #held = Buffer.alloc(0);
  /** Where the parts begin within what is held. */
  #places: { at: number; part: Part }[] = [];
  /** Where the page at hand begins in what is held, -1 between pages. */
  #page = -1;
  /** Up to where there is nothing to find. */
  #searched = 0;
  #inside: boolean;
  #between = "";
  #passed = 0;
  #isSkipping = false;

  constructor(options: DumpPageOptions) {
    this.#options = options;
    this.#form = options.form;
    this.#largest = options.largestPage ?? LARGEST_PAGE;
    this.#inside = options.inside ?? false;
  }

  add(part: Part): void {
    this.#places.push({ at: this.#held.length, part });
    this.#held = Buffer.concat([this.#held, part.bytes]);
  }

  *pages(): Generator<DumpPage> {
    for (;;) {
      const page = this.#page < 0 ? this.#open() : this.#close();
      if (page === undefined) break;
      if (page) yield page;
    }
    this.#forget();
  }

  /** Finds the beginning of a page; undefined where more is needed. */
  #open(): null | undefined {
    const { opening } = this.#form;
    const found = this.#held.indexOf(opening, this.#searched);
    const end = found < 0 ? Math.max(this.#searched, this.#held.length - opening.length) : found;
    this.#between += this.#held.toString("utf8", this.#searched, end).slice(0, 100_000);
    this.#searched = end;
    if (found < 0) return undefined;
    this.#checkBetween();
    this.#page = found;
    this.#searched = found + opening.length;
    return null;
  }

  /** Finds the end of the page; undefined where more is needed. */
  #close(): DumpPage | null | undefined {
    const { opening, closing } = this.#form;
    const found = this.#held.indexOf(closing, this.#searched);
    const next = this.#held.indexOf(opening, this.#searched);
    if (next >= 0 && (found < 0 || next < found)) return this.#neverClosed(next);
    if (found < 0) {
      this.#searched = Math.max(this.#searched, this.#held.length - closing.length);
      this.#skipIfTooLarge();
      return undefined;
    }
    const end = found + closing.length;
    const bytes = new Uint8Array(this.#held.subarray(this.#page, end));
    const page = { bytes, position: this.#positionOf(this.#page) };
    this.#page = -1;
    this.#searched = end;
    this.#between = "";
    const skipped = this.#isSkipping || bytes.length > this.#largest;
    this.#isSkipping = false;
    if (!skipped) return page;
    this.#dropLarge();
    return null;
  }

  #neverClosed(next: number): null {
    this.#bad("a page is never closed: another begins", this.#page);
    this.#page = next;
    this.#searched = next + this.#form.opening.length;
    this.#isSkipping = false;
    return null;
  }

  /** A page too large to be one is not held: only its beginning, as a place. */
  #skipIfTooLarge(): void {
    if (this.#held.length - this.#page <= this.#largest) return;
    this.#isSkipping = true;
    this.#page = Math.max(0, this.#searched - this.#form.closing.length);
  }

  #dropLarge(): void {
    this.#options.drop(`pages over ${this.#largest / 1e6} MB`);
  }

  /** Between pages there is nothing but the header and the end. */
  #checkBetween(): void {
    if (!this.#inside && !this.#form.between.test(this.#between)) {
      this.#bad("something other than a page stands between pages", this.#searched);
    }
    this.#inside = false;
    this.#between = "";
  }

  end(): void {
    // Of a shard that begins after the last page there is nothing to be said.
    if (this.#inside && this.#held.length + this.#passed === 0) return;
    const rest = this.#held.toString("utf8", this.#searched).slice(0, 100_000);
    if (this.#page >= 0) this.#bad(`the ${this.#form.name} ends within a page`, this.#page);
    else if (this.#held.length + this.#passed === 0) this.#bad("there is no page in it", 0);
    else this.#checkEnd(`${this.#between}${rest}`);
  }

  #checkEnd(rest: string): void {
    const { name, end, between } = this.#form;
    if (end === undefined ? between.test(rest) : rest.trimEnd().endsWith(end)) return;
    this.#bad(
      end === undefined ? "something follows the last page" : `the ${name} ends before ${end}`,
      this.#held.length,
    );
  }

  #bad(problem: string, at: number): void {
    const { file } = this.#options;
    const where = `at byte ${(this.#passed + at).toLocaleString("en-US")} of its text`;
    this.#options.bad(
      new InputError(
        `malformed ${this.#form.name}: ${problem}, ${where}`,
        { file },
        "download the file again, or skip such pages with --skip-bad",
      ),
    );
  }

  #positionOf(at: number): number {
    const { at: begin, part } = this.#places.findLast((place) => place.at <= at) as {
      at: number;
      part: Part;
    };
    return part.exact ? part.position + at - begin : part.position;
  }

  /** Lets go of what has been read. */
  #forget(): void {
    const keep = this.#page < 0 ? this.#searched : this.#page;
    const last = this.#places.findLastIndex((place) => place.at <= keep);
    this.#places = this.#places
      .slice(Math.max(0, last))
      .map(({ at, part }) => ({ at: at - keep, part }));
    this.#held = this.#held.subarray(keep);
    this.#passed += keep;
    this.#searched -= keep;
    if (this.#page >= 0) this.#page = 0;
  }
}
