/**
 * HTML as text with marks: the pages of any site, and Wikipedia's own HTML (Parsoid), in which links to
 * articles are marked and boxes, references and notices have known classes.
 */

import { type BlockKind, type MarkedText, MarkedTextBuilder, type MarkKind } from "./marked.js";
import { type Attributes, appendMarkup, type Dialect, type ElementRole } from "./markup-reader.js";
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
/** A link to a footnote or to a source shows its number. */
const REFERENCE_NUMBER = /^\s*\[\d{1,3}\]\s*$/;
/** Formulas, scores, maps: what they show is part of the sentence, and not to be had as text. */
const HOLES = /mw:Extension\/(?:math|chem|ce|score|hiero|maplink|phonos)/;

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
  appendMarkup(source, builder, kind, dialectOf(options));
}

function dialectOf({ names }: HtmlOptions): Dialect {
  return {
    isXml: false,
    role: (name, attributes) => roleOf(name, attributes, names !== undefined),
    mark: (name, attributes) => {
      if (name !== "a") {
        const kind = MARKS.get(name);
        return kind && { kind };
      }
      const target = targetOf(attributes, names);
      return target === undefined ? undefined : { kind: "link", target };
    },
    isSkippedText: (text, element) => element === "a" && REFERENCE_NUMBER.test(text),
  };
}

function roleOf(name: string, attributes: Attributes, isWiki: boolean): ElementRole {
  if (isHole(name, attributes)) return "hole";
  if (isSkipped(name, attributes, isWiki)) return "skipped";
  if (HEADINGS.test(name)) return "heading";
  return BLOCKS.get(name) ?? (BREAKS.has(name) ? "break" : undefined);
}

function targetOf(
  { href, rel = "", title }: Attributes,
  names: LinkNames | undefined,
): string | undefined {
  if (!names) return href;
  if (!rel.includes("mw:WikiLink") || href === undefined) return undefined;
  const target = title ?? decodeURIComponentSafely(href.replace(/^\.\//, "")).replaceAll("_", " ");
  return names.kindOf(target) === "article" ? target : undefined;
}

function isHole(name: string, { typeof: type = "" }: Attributes): boolean {
  return name === "math" || HOLES.test(type);
}

function isSkipped(name: string, attributes: Attributes, isWiki: boolean): boolean {
  const { class: classes = "", role = "", hidden } = attributes;
  if (SKIPPED.has(name) || hidden !== undefined) return true;
  // Captions of an encyclopaedia's pictures are not its text.
  if (isWiki && name === "figure") return true;
  return role === "navigation" || role === "doc-noteref" || SKIPPED_CLASSES.test(classes);
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
