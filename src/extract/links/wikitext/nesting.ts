/**
 * The second stage: templates, tables and links nest in each other, so one pass with a stack takes them
 * apart. Templates become what they show, tables a gap, pictures and categories nothing; links stay.
 * Whatever is opened and never closed costs no more than its length: the pass never goes back.
 */

import { HOLE } from "../marked.js";
import type { LinkNames } from "./names.js";
import { renderTemplate } from "./templates.js";

type FrameKind = "page" | "template" | "parameter" | "table" | "link";

interface Frame {
  readonly kind: FrameKind;
  text: string;
  /** The last character of the text: to ask the text itself would put its pieces together. */
  last: string;
}

/** The depth at which MediaWiki itself gives up: nothing deeper is shown. */
const DEEPEST_SHOWN = 40;
/** What is opened deeper than this is not looked at, so that each step looks at few frames. */
const DEEPEST = 200;

const TOKEN = /\{\{\{?|\}\}\}?|\[\[|\]\]|^[ \t:*#]*\{\||^[ \t]*\|\}/gm;

export function removeNesting(source: string, names: LinkNames): string {
  return new Nesting(source, names).read();
}

class Nesting {
  readonly #source: string;
  readonly #names: LinkNames;
  readonly #stack: Frame[] = [{ kind: "page", text: "", last: "\n" }];
  #at = 0;

  constructor(source: string, names: LinkNames) {
    this.#source = source;
    this.#names = names;
  }

  read(): string {
    TOKEN.lastIndex = 0;
    for (let found = TOKEN.exec(this.#source); found; found = TOKEN.exec(this.#source)) {
      this.#append(this.#source.slice(this.#at, found.index));
      this.#at = found.index + found[0].length;
      this.#token(found[0]);
      TOKEN.lastIndex = this.#at;
    }
    this.#append(this.#source.slice(this.#at));
    return this.#stack.map((frame) => this.#unclosed(frame)).join("");
  }

  #token(token: string): void {
    if (token === "{{") this.#open("template");
    else if (token === "{{{") this.#openThree();
    else if (token === "[[") this.#open("link");
    else if (token === "]]") this.#close("link");
    else if (token.startsWith("}}")) this.#closeBraces(token);
    else if (token.endsWith("{|")) this.#open("table");
    else this.#closeTable();
  }

  #open(kind: FrameKind): void {
    if (this.#stack.length < DEEPEST) this.#stack.push({ kind, text: "", last: "\n" });
  }

  /** `{{{` opens a parameter, or a template with a brace before it. */
  #openThree(): void {
    if (this.#source.charAt(this.#at) === "{") {
      // Four braces: two templates.
      this.#at -= 1;
      this.#open("template");
    } else {
      this.#open("parameter");
    }
  }

  #closeBraces(token: string): void {
    const open = this.#innermost("template", "parameter");
    if (!open) return;
    if (token === "}}}" && open === "template") this.#at -= 1;
    this.#close(open);
  }

  /** `|}}` is the end of a template with an empty last argument. */
  #closeTable(): void {
    if (this.#source.charAt(this.#at) === "}" && this.#top.kind !== "table") {
      this.#at -= 1;
      this.#append("|");
    } else {
      this.#close("table");
    }
  }

  get #top(): Frame {
    return this.#stack.at(-1) as Frame;
  }

  #innermost(...kinds: FrameKind[]): FrameKind | undefined {
    return this.#stack.findLast(({ kind }) => kinds.includes(kind))?.kind;
  }

  /** Closes the innermost frame of the kind, and what was left open within it. */
  #close(kind: FrameKind): void {
    const index = this.#closable(kind);
    if (index < 0) return;
    const [frame, ...inner] = this.#stack.splice(index) as [Frame, ...Frame[]];
    const text = [frame, ...inner].map((each) => each.text).join("");
    const depth = this.#stack.length;
    this.#append(depth > DEEPEST_SHOWN ? "" : this.#shown(kind, text, depth));
  }

  /** A link ends within the template or table that it begins in; those end wherever they say. */
  #closable(kind: FrameKind): number {
    for (let index = this.#stack.length - 1; index > 0; index--) {
      const open = (this.#stack[index] as Frame).kind;
      if (open === kind) return index;
      if (kind === "link" || (kind === "table" && open !== "link" && open !== "table")) return -1;
    }
    return -1;
  }

  #shown(kind: FrameKind, text: string, depth: number): string {
    if (kind === "table") return "\n\n";
    if (kind === "parameter") return text.split("|")[1] ?? "";
    if (kind === "link") return this.#link(text);
    const shown = renderTemplate(text);
    return shown === HOLE && depth === 1 ? this.#hole() : shown;
  }

  #link(text: string): string {
    const bar = text.indexOf("|");
    const target = (bar < 0 ? text : text.slice(0, bar)).trim();
    if (target === "" || this.#names.kindOf(target) === "hidden") return "";
    return `[[${text.replace(/<br[^<>]*>|\n/gi, " ")}]]`;
  }

  /**
   * Nothing is missed where a template begins a line, or hangs on a word or full stop as footnotes
   * do; elsewhere a word may be.
   */
  #hole(): string {
    const before = this.#top.last;
    if (before === "\n" || before === "\r") {
      while (" \t".includes(this.#source.charAt(this.#at) || "x")) this.#at += 1;
      return "";
    }
    return /[\s("'—–-]/.test(before) ? HOLE : "";
  }

  #append(text: string): void {
    if (text === "") return;
    this.#top.text += text;
    this.#top.last = text.charAt(text.length - 1);
  }

  /** Of what is never closed the first paragraph goes, except that a link's words stay. */
  #unclosed({ kind, text }: Frame): string {
    if (kind === "page") return text;
    const isShown = kind === "link" && this.#names.kindOf(text.trim()) !== "hidden";
    if (isShown) return text.slice(text.indexOf("|") + 1);
    const end = text.search(/\n[ \t]*\n/);
    return end < 0 ? "" : text.slice(end);
  }
}
