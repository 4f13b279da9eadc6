/**
 * Documents made to hurt: markup that is opened again and again, or never closed. Eight times the length
 * may take some more than eight times the work, never its square. What is measured is the processor's
 * time of this process, which other programs do not change.
 */

import { describe, expect, test } from "vitest";
import { readHtml } from "../../../src/extract/links/html.js";
import { readMarkdown } from "../../../src/extract/links/markdown.js";
import { readWikitext } from "../../../src/extract/links/wikitext/index.js";

const LENGTH = 40_000;
const TIMES = 8;
/** Linear readers stay below 1; with three times the slack, what is quadratic is above 2. */
const SLACK = 3;
/** Less than this is too little to compare with. */
const LEAST_MS = 5;

function work(read: (source: string) => unknown, unit: string, length: number): number {
  const source = unit.repeat(Math.ceil(length / unit.length));
  const before = process.cpuUsage();
  read(source);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function check(read: (source: string) => unknown, unit: string): void {
  const least = Math.min(...[1, 2, 3].map(() => work(read, unit, LENGTH)));
  const limit = SLACK * TIMES * Math.max(LEAST_MS, least);
  // Collecting garbage may fall into one run, hardly into three.
  const runs = [1, 2, 3].map(() => () => work(read, unit, TIMES * LENGTH));
  expect(runs.some((run) => run() < limit)).toBe(true);
}

const TAGS = ["<b><i>", "<b>", "<div>", "<p><b>", "<ul><li>", "<table>", "<svg><b>", "<math><p>"];
const HTML = [
  ...TAGS,
  ...[
    "<b></i>",
    "<i>a</b>",
    "<foo></bar>",
    "<em>(x",
    "<form>",
    "</p>",
    "<a href=x>y",
    "<a ",
    "<!--",
  ],
  ...["<svg/>", "<script>", "<", "&#", "( )", "[", "\ufffc ", ",,", "<b a='"],
];
const MARKDOWN = [
  ...["{{< >}}", "x {{< >}}", "{%", "{ref}`a", "[^1]: x\n", "!!! x\n", ":a:", "---\n", "+++\n"],
  ...[
    "[",
    "![",
    "[a](",
    "[a][",
    "[a]: b\n",
    "*a **b ",
    "_a",
    "`a",
    "> ",
    "- ",
    "~~a",
    "a|b\n-|-\n",
  ],
  ...["<b>", "<b></i>", "<b>\n", "<b></a>", "</a>", "<!--", "<?", "&amp;", "\\", "import 'x"],
];
const WIKITEXT = [
  ...[
    "[[",
    "[[a|",
    "{{",
    "{{a|",
    "{{{",
    "}}",
    "]]",
    "\n{|",
    "\n|}",
    "[http://a ",
    "]",
    "''",
    "'''''",
  ],
  ...["<ref>", "<ref", "<!--", "<nowiki>", "<math>", "<b>", "<code>", "\n==a==", "\n*", "__TOC__"],
  ...["&nbsp;", "( )", "\ufffc", "[[File:a|", "{{nowrap|", "{{[[", "[[{{", "[[a]]b", "<ref>{{"],
];

describe("work grows with the length", () => {
  test.each(HTML)("HTML: %j", (unit) => check(readHtml, unit));
  test.each(MARKDOWN)("Markdown: %j", (unit) =>
    check((source) => readMarkdown(source, true), unit),
  );
  test.each(WIKITEXT)("wikitext: %j", (unit) => check(readWikitext, unit));
});

test("what is nested deeper than the bound keeps its words, and what follows its marks", () => {
  const deep = `${"<b>".repeat(2000)}deep${"</b>".repeat(2000)}<p>See <a href=x>the docs</a>.`;
  const [first, second] = readHtml(deep);
  expect(first?.text).toBe("deep");
  expect(second).toMatchObject({ text: "See the docs.", marks: [{ kind: "link", target: "x" }] });
});
