import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readHtml } from "../../../src/extract/links/html.js";
import { readMarkdown } from "../../../src/extract/links/markdown.js";
import type { MarkedText } from "../../../src/extract/links/marked.js";
import { toSentences } from "../../../src/extract/links/sentences.js";
import { readWikitext } from "../../../src/extract/links/wikitext/index.js";

const word = fc.constantFrom("the", "deer", "ran", "Öl", "Земя", "鹿", "3.5", "Mr.", "it's");
const pieces = (...signs: string[]) =>
  fc
    .array(fc.oneof(word, fc.constantFrom(...signs), fc.constantFrom(" ", " ", "\n", ". ", ", ")), {
      maxLength: 60,
    })
    .map((parts) => parts.join(""));

const wikitext = pieces(
  ..."[[ ]] | {{ }} {{{ }}} '' ''' ''''' \n{| \n|} |- [http://a.b ] <ref> </ref> <ref/> <br> <!-- -->".split(
    " ",
  ),
  ..."<b> </b> <math> </math> File: Category: fr: : * # ; == \n* \n== &nbsp; &lt; __TOC__ ( ) nowrap| convert|".split(
    " ",
  ),
);
const markdown = pieces(
  ..."[ ]( ) ](x) * ** _ ` ``` ~~~ # > - | --- {{< >}} {{ }} {% %} {: } <b> </b> <a <!-- --> [^1] ::: !!!".split(
    " ",
  ),
);
const html = pieces(
  ..."<p> </p> <a href=x> </a> <b> </b> <li> <ul> </ul> <table> </table> <div> </div> <h1> </h1> & &lt; < > <!-- -->".split(
    " ",
  ),
);

function checkMarks(text: MarkedText): void {
  for (const { text: block, marks } of text) {
    expect(block).toBe(block.trim());
    expect(block).not.toMatch(/\s\s/);
    for (const { begin, end } of marks) {
      expect(0 <= begin && begin < end && end <= block.length).toBe(true);
      expect(block.slice(begin, end)).toMatch(/^\S(?:[\s\S]*\S)?$/);
    }
  }
}

describe("whatever the markup", () => {
  test("wikitext leaves no debris", () => {
    fc.assert(
      fc.property(wikitext, (source) => {
        const text = readWikitext(source);
        checkMarks(text);
        for (const block of text) {
          expect(block.text).not.toMatch(/\[\[|\]\]|\{\{|\}\}|''|<ref|<!--|__TOC__/);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ["HTML", html, (source: string) => readHtml(source)],
    ["Markdown", markdown, (source: string) => readMarkdown(source)],
    ["MDX", markdown, (source: string) => readMarkdown(source, true)],
  ])("%s: marks lie within their text", (_, sources, read) => {
    fc.assert(
      fc.property(sources, (source) => checkMarks(read(source))),
      { numRuns: 1000 },
    );
  });

  test("brackets lie within their sentence and cover their marks", () => {
    const kinds = new Set(["link", "emphasis", "bold", "quote", "parenthesis", "list-item"]);
    const options = {
      source: "x",
      id: "1",
      blocks: new Set(["prose", "list"] as const),
      kinds,
      keepBare: true,
      onSentence: () => {},
      drop: () => {},
    };
    fc.assert(
      fc.property(wikitext, (source) => {
        const sentences = toSentences(readWikitext(source), options);
        for (const { tokens, brackets, text = "", offsets = [] } of sentences) {
          expect(offsets.map(([begin, end]) => text.slice(begin, end))).toEqual(tokens);
          for (const { begin, end } of brackets) {
            expect(0 <= begin && begin < end && end <= tokens.length).toBe(true);
          }
        }
      }),
      { numRuns: 1000 },
    );
  });
});
