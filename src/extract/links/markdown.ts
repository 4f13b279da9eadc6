/** Turns Markdown into text with marks, over the tokens of markdown-it. */

import MarkdownIt, { type Token } from "markdown-it";
import { appendHtml } from "./html.js";
import { type BlockKind, type MarkedText, MarkedTextBuilder, type MarkKind } from "./marked.js";
import { removeShortcodes } from "./shortcodes.js";

const parser = new MarkdownIt({ html: true, linkify: false, typographer: false });

export function readMarkdown(source: string, isMdx = false): MarkedText {
  const reader = new MarkdownReader();
  for (const token of parser.parse(removeShortcodes(source, isMdx), {})) reader.block(token);
  return reader.finish();
}

const MARKS = new Map<string, MarkKind>([
  ["link", "link"],
  ["em", "emphasis"],
  ["strong", "bold"],
]);
/** Tags within a line that mark as Markdown does. */
const TAG_MARKS = new Map<string, MarkKind>([
  ["a", "link"],
  ["em", "emphasis"],
  ["i", "emphasis"],
  ["strong", "bold"],
  ["b", "bold"],
  ["code", "code"],
  ["kbd", "code"],
]);

interface Open {
  readonly kind: MarkKind;
  readonly begin: number;
  readonly block: number;
  readonly target?: string | undefined;
}

/** More marks are not open at a time, unless they are never closed. */
const DEEPEST = 100;

class MarkdownReader {
  readonly #builder = new MarkedTextBuilder();
  #lists = 0;
  #tables = 0;
  #heading = false;
  #open: Open[] = [];

  get #kind(): BlockKind {
    if (this.#heading) return "heading";
    return this.#lists > 0 ? "list" : "prose";
  }

  block(token: Token): void {
    const { type, nesting } = token;
    if (type.startsWith("table")) this.#tables += nesting;
    if (this.#tables > 0) return;
    if (type.startsWith("list_item")) this.#lists += nesting;
    if (type.startsWith("heading")) this.#heading = nesting > 0;
    if (token.block) this.#builder.begin(this.#kind);
    if (type === "inline") for (const child of token.children ?? []) this.#inline(child);
    if (type === "html_block") appendHtml(token.content, this.#builder, this.#kind);
    if (type === "inline") this.#open = [];
  }

  finish(): MarkedText {
    return this.#builder.finish();
  }

  #inline(token: Token): void {
    const { type, content } = token;
    // Stars that are still there were meant as emphasis, and stand where Markdown sees none.
    if (type === "text") this.#builder.append(content.replace(/\*{2,}/g, ""));
    else if (type === "softbreak") this.#builder.append(" ");
    else if (type === "hardbreak") this.#builder.begin(this.#kind);
    else if (type === "html_inline") this.#tag(content);
    else if (type === "code_inline") {
      const begin = this.#builder.length;
      this.#builder.append(content);
      this.#builder.mark("code", begin);
    } else {
      const kind = MARKS.get(type.replace(/_(?:open|close)$/, ""));
      if (kind && token.nesting > 0) this.#begin(kind, String(token.attrGet("href") ?? ""));
      else if (kind && token.nesting < 0) this.#end(kind);
    }
  }

  #tag(tag: string): void {
    const [, closing, name = ""] = /^<(\/?)([a-z][a-z0-9]*)/i.exec(tag) ?? [];
    if (/^br$/i.test(name)) this.#builder.begin(this.#kind);
    const kind = TAG_MARKS.get(name.toLowerCase());
    if (!kind) return;
    if (closing) this.#end(kind);
    else this.#begin(kind, /\bhref\s*=\s*["']?([^"'\s>]*)/i.exec(tag)?.[1]);
  }

  #begin(kind: MarkKind, target?: string): void {
    if (this.#open.length >= DEEPEST) return;
    const { length: begin, blocks: block } = this.#builder;
    this.#open.push({ kind, begin, block, target });
  }

  #end(kind: MarkKind): void {
    const index = this.#open.findLastIndex((open) => open.kind === kind);
    const [open] = index < 0 ? [] : this.#open.splice(index);
    if (open && open.block === this.#builder.blocks) {
      // An anchor that leads nowhere is a place, not a link.
      if (kind !== "link" || open.target) this.#builder.mark(kind, open.begin, open.target);
    }
  }
}
