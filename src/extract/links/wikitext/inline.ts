/**
 * The last stage: turns a line or paragraph of wikitext into plain text with its marks. Links lose
 * their brackets, quotes that mean emphasis are removed, entities become characters.
 */

import { decodeHTML } from "entities";
import type { MarkedTextBuilder, MarkKind } from "../marked.js";
import type { LinkNames } from "./names.js";
import { restore } from "./protect.js";

const TOKEN =
  /\[\[|\]\]|\[(?:https?:|ftp:|mailto:|news:|\/\/)[^\s\]]*|\]|'{2,}|<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>|__[A-Z]{3,}__|~{3,5}/gi;
/** The letters that follow a link belong to it: `[[bus]]es`. */
const TRAIL = /[\p{Ll}\p{M}]+/uy;

/** More labels of external links are not open at a time, unless they were never closed. */
const DEEPEST = 20;

interface Open {
  readonly begin: number;
  readonly kind: MarkKind | "external";
  readonly target?: string | undefined;
  readonly counts: boolean;
}

export function appendInline(source: string, builder: MarkedTextBuilder, names: LinkNames): void {
  new Inline(source, builder, names).read();
}

class Inline {
  readonly #source: string;
  readonly #builder: MarkedTextBuilder;
  readonly #names: LinkNames;
  readonly #links: Open[] = [];
  #emphasis: number | undefined;
  #bold: number | undefined;
  #code: number | undefined;
  #at = 0;

  constructor(source: string, builder: MarkedTextBuilder, names: LinkNames) {
    this.#source = source;
    this.#builder = builder;
    this.#names = names;
  }

  read(): void {
    const source = this.#source;
    TOKEN.lastIndex = 0;
    for (let found = TOKEN.exec(source); found; found = TOKEN.exec(source)) {
      this.#text(source.slice(this.#at, found.index));
      this.#at = found.index + found[0].length;
      this.#token(found[0]);
      TOKEN.lastIndex = this.#at;
    }
    this.#text(source.slice(this.#at));
  }

  #token(token: string): void {
    if (token === "[[") this.#openLink();
    else if (token === "]]") this.#closeLink();
    else if (token.startsWith("''")) this.#quotes(token.length);
    else if (token === "]") this.#closeExternal();
    else if (token.startsWith("[")) this.#openExternal();
    else if (/^<\/?code[\s>]/i.test(token)) this.#toggleCode(token.startsWith("</"));
  }

  #openLink(): void {
    const rest = /[^[\]|]*\|?/y;
    rest.lastIndex = this.#at;
    const [head] = rest.exec(this.#source) as unknown as [string];
    const piped = head.endsWith("|");
    const target = decodeHTML(piped ? head.slice(0, -1) : head).trim();
    if (piped) this.#at += head.length;
    else if (/^[:#]/.test(target)) this.#at += head.search(/[:#]/) + 1;
    const counts = this.#names.kindOf(target) === "article" && target !== "";
    this.#links.push({ begin: this.#builder.length, kind: "link", target, counts });
    if (piped && this.#source.startsWith("]]", this.#at)) this.#text(pipeTrick(target));
  }

  #closeLink(): void {
    const link = this.#links.pop();
    if (link?.kind !== "link") {
      if (link) this.#links.push(link);
      return;
    }
    TRAIL.lastIndex = this.#at;
    const trail = TRAIL.exec(this.#source)?.[0] ?? "";
    this.#at += trail.length;
    this.#text(trail);
    // In a link within a link only the inner one leads somewhere.
    const inner = this.#links.some(({ kind }) => kind === "link");
    if (link.counts && !inner) this.#builder.mark("link", link.begin, link.target);
  }

  /** `[http://example.org label]`: the label stays; without one there is nothing to read. */
  #openExternal(): void {
    if (this.#links.length < DEEPEST)
      this.#links.push({ begin: this.#builder.length, kind: "external", counts: false });
  }

  #closeExternal(): void {
    if (this.#links.at(-1)?.kind === "external") this.#links.pop();
    else this.#text("]");
  }

  /** Two quotes are emphasis, three bold, five both; one more is an apostrophe. */
  #quotes(count: number): void {
    if (count === 4 || count > 5) this.#text("'");
    if (count !== 2) this.#bold = this.#toggle("bold", this.#bold);
    if (count === 2 || count >= 5) this.#emphasis = this.#toggle("emphasis", this.#emphasis);
  }

  #toggleCode(closes: boolean): void {
    if (closes === (this.#code !== undefined)) this.#code = this.#toggle("code", this.#code);
  }

  #toggle(kind: MarkKind, begun: number | undefined): number | undefined {
    if (begun === undefined) return this.#builder.length;
    this.#builder.mark(kind, begun);
    return undefined;
  }

  #text(text: string): void {
    if (text === "") return;
    const plain = restore(text.includes("&") ? decodeHTML(text) : text);
    this.#builder.append(plain);
  }
}

/** `[[Paris (Texas)|]]` shows "Paris". */
function pipeTrick(target: string): string {
  return target.replace(/^[^:]*:/, "").replace(/\s*\([^()]*\)$/, "");
}
