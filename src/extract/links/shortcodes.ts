/**
 * What site generators put into Markdown that no Markdown parser knows: front matter, shortcodes of
 * Hugo and WordPress, Liquid of Jekyll, imports and expressions of MDX, roles and directives of MyST, notices
 * of MkDocs, attribute lists, footnotes. Some show words, some are a link; the others leave a hole
 * where they stand among words and nothing elsewhere. Every pattern is bounded, so that what is
 * opened and never closed costs nothing.
 */

import { HOLE } from "./marked.js";

const FRONT_MATTER =
  /^\ufeff?\s*(?:---\r?\n[\s\S]*?\r?\n(?:---|\.\.\.)|\+\+\+\r?\n[\s\S]*?\r?\n\+\+\+)[ \t]*(?:\r?\n|$)/;

/** Begin and end of what is not text: as good as the fences of a code block. */
const CODE_EDGE =
  /\{(?:\{[<%]|%)-?\s*(?:\/|end)?(?:highlight|mermaid|comment|katex|math|chart)\b[^{}]{0,500}\}\}?/g;
const FENCE = "\n~~~~~~~~~~\n";
const SHORTCODE = /\{\{[<%]?[^{}]{0,2000}[>%]?\}\}|\{%[^{}%]{0,2000}%\}/g;
const SHOWN_ARGUMENT = /\b(?:text|content|title|label)\s*=\s*(?:"([^"]*)"|'([^']*)')/;
const SHOWING = /^\{\{[<%]\s*(?:glossary_tooltip|link|tooltip|abbr|button|ref_text|term)\b/;

/** `{: .note}`, `{#heading}`, `{:target="_blank"}`, `{ .annotate }` and `{ rel=nofollow }`. */
const ATTRIBUTES = /\{ ?(?:[:#.]|[a-z-]{1,20}=)[^{}\n]{0,300}\}/g;
const WORDPRESS =
  /\[\/?(?:youtube|vimeo|caption|gallery|embed|audio|video)\b[^\]\n]{0,300}\](?!\()/g;
const FOOTNOTE_TEXT = /^\[\^[^\]\n]{1,80}\]:.*(?:\r?\n(?: {2,}|\t).*)*/gm;
const FOOTNOTE = /\[\^[^\]\n]{1,80}\]/g;
const DIRECTIVE = /^[ \t]*:{3,}.*$/gm;
const EMOJI = /(?<![\w:]):[a-z][a-z0-9_+-]{1,50}:(?:\{[^{}\n]{0,200}\})?(?![\w:])/g;
const MDX_LINE = /^(?:import|export)\s[^\n=]{0,300}(?:['"][^\n'"]{0,300}['"];?[ \t]*$|=.*)/gm;
const MDX_EXPRESSION = /\{[^{}\n]{0,300}\}/g;

export function removeShortcodes(source: string, isMdx = false): string {
  const body = source.replace(FRONT_MATTER, "").replace(CODE_EDGE, FENCE);
  const shown = body
    .replace(SHORTCODE, (code, at: number) => showShortcode(code, body, at))
    .replace(MYST_ROLE, showRole)
    .replace(ATTRIBUTES, "")
    .replace(WORDPRESS, "")
    .replace(FOOTNOTE_TEXT, "")
    .replace(FOOTNOTE, "")
    .replace(DIRECTIVE, "")
    .replace(EMOJI, "");
  const open = shown.includes("!!!") || shown.includes("???") || shown.includes("=== ");
  const plain = open ? openNotices(shown) : shown;
  return isMdx ? plain.replace(MDX_LINE, "").replace(MDX_EXPRESSION, HOLE) : plain;
}

/** In a link's target anything will do that is no blank; within a line a word may be missing. */
function showShortcode(code: string, source: string, at: number): string {
  const argument = SHOWING.test(code) ? SHOWN_ARGUMENT.exec(code) : null;
  if (argument) return argument[1] ?? argument[2] ?? "";
  const before = source.charAt(at - 1);
  const after = source.charAt(at + code.length);
  if (/[(\]"'=/:]/.test(before) || /[/)"']/.test(after)) return "x";
  if (code.startsWith("{%") || /^\{\{[<%]\s*\//.test(code)) return "";
  const alone = /^[ \t]*$/.test(lineBefore(source, at));
  return alone ? "" : HOLE;
}

/** Looks back no further than a line of text is long. */
function lineBefore(source: string, at: number): string {
  const before = source.slice(Math.max(0, at - 200), at);
  return before.slice(before.lastIndexOf("\n") + 1);
}

/** `{ref}`text <target>`` is a link, `{term}` shows its word, `{cite}` is a footnote. */
const MYST_ROLE = /\{([a-z]{2,20}(?::[a-z]{1,20}){0,2})\}`([^`\n]{1,300})`/g;

function showRole(_: string, role: string, content: string): string {
  if (role.startsWith("cite") || role === "footnote") return "";
  const titled = /^(.*?)\s*<([^<>]*)>$/.exec(content);
  if (/^(?:ref|doc|term|any|download|abbr)$/.test(role)) {
    return titled
      ? `[${titled[1]}](${titled[2]?.replace(/\s/g, "-")})`
      : role === "term"
        ? content
        : HOLE;
  }
  return HOLE;
}

/** `!!! note "Title"` and what is indented below it: a notice's text is text. */
function openNotices(source: string): string {
  let inside = false;
  const lines = source.split("\n").map((line) => {
    if (/^(?:!!!|\?\?\?\+?|===)\s/.test(line)) {
      inside = true;
      return "";
    }
    if (!inside || line.trim() === "") return line;
    inside = /^(?: {4}|\t)/.test(line);
    return inside ? line.replace(/^(?: {4}|\t)/, "") : line;
  });
  return lines.join("\n");
}
