/** Documents made to hurt: markup that is opened again and again, or never closed. */

import { describe, expect, test } from "vitest";
import { readHtml } from "../../../src/extract/links/html.js";
import { readMarkdown } from "../../../src/extract/links/markdown.js";
import { readWikitext } from "../../../src/extract/links/wikitext/index.js";
import { expectLinear, repeated } from "../../linear.js";

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
  test.each(HTML)("HTML: %j", (unit) => expectLinear(readHtml, repeated(unit)));
  test.each(MARKDOWN)("Markdown: %j", (unit) =>
    expectLinear((source) => readMarkdown(source, true), repeated(unit)),
  );
  test.each(WIKITEXT)("wikitext: %j", (unit) => expectLinear(readWikitext, repeated(unit)));
});

test("what is nested deeper than the bound keeps its words, and what follows its marks", () => {
  const deep = `${"<b>".repeat(2000)}deep${"</b>".repeat(2000)}<p>See <a href=x>the docs</a>.`;
  const [first, second] = readHtml(deep);
  expect(first?.text).toBe("deep");
  expect(second).toMatchObject({ text: "See the docs.", marks: [{ kind: "link", target: "x" }] });
});
