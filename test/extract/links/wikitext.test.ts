import { describe, expect, test } from "vitest";
import { HOLE, type MarkedText } from "../../../src/extract/links/marked.js";
import { LinkNames, readWikitext } from "../../../src/extract/links/wikitext/index.js";

/** Blocks as texts, links in ⟦⟧, "kind: " in front where it is not prose. */
function show(text: MarkedText): string[] {
  return text.map((block) => {
    let shown = "";
    for (let at = 0; at <= block.text.length; at++) {
      const links = block.marks.filter(({ kind }) => kind === "link");
      shown += "⟧".repeat(links.filter(({ end }) => end === at).length);
      shown += "⟦".repeat(links.filter(({ begin }) => begin === at).length);
      shown += block.text.charAt(at);
    }
    return block.kind === "prose" ? shown : `${block.kind}: ${shown}`;
  });
}

describe("wikitext", () => {
  test.each<[construct: string, source: string, ...blocks: string[]]>([
    ["plain link", "He saw [[red deer]].", "He saw ⟦red deer⟧."],
    ["anchor", "He saw [[Cervus elaphus|red deer]].", "He saw ⟦red deer⟧."],
    ["trail", "Two [[night bus]]es and [[Car|motor car]]s.", "Two ⟦night buses⟧ and ⟦motor cars⟧."],
    ["trail of other letters", "на [[Земя]]та и", "на ⟦Земята⟧ и"],
    ["no trail of capitals or digits", "[[a b]]C [[d e]]2", "⟦a b⟧C ⟦d e⟧2"],
    ["pipe trick", "in [[Paris (Texas)|]] today", "in ⟦Paris⟧ today"],
    ["emphasis in an anchor", "of [[Aida|''the Aida'']]", "of ⟦the Aida⟧"],
    ["section of the page", "see [[#Early life]]", "see ⟦Early life⟧"],
    ["title with a colon", "of [[2001: A Space Odyssey]]", "of ⟦2001: A Space Odyssey⟧"],
    ["picture", "A [[File:Cat.jpg|thumb|The [[cat]] ''sat'']]cat.", "A cat."],
    ["picture over lines", "[[File:A.jpg|thumb|a\n\nb [[c d]]]]\nText.", "Text."],
    ["picture of another wiki", "[[Datei:A.jpg|mini]]Der Hund.", "Der Hund."],
    ["category", "Text.\n[[Category:Cats|*]]", "Text."],
    ["shown category", "in [[:Category:Cats|all cats]]", "in all cats"],
    ["other language", "Text.\n[[fr:Chat]]", "Text."],
    ["other project", "a [[wikt:cat|small cat]] sat", "a small cat sat"],
    ["other namespace", "see [[Help:Some page|the help]]", "see the help"],
    ["external link", "see [http://a.b/c the old page] now", "see the old page now"],
    ["bare external link", "seen.[http://a.b/c]", "seen."],
    ["unclosed link", "a [[red deer runs", "a red deer runs"],
    ["stray ends", "a red]] deer}} runs", "a red deer runs"],
    ["bold and italics", "'''A''' is ''b'', '''''c''''' is d", "A is b, c is d"],
    ["apostrophes stay", "It's the cats' house", "It's the cats' house"],
    ["template", "A cat{{citation needed|date=May}} sat.", "A cat sat."],
    ["infobox", "{{Infobox\n| a = {{b|[[c]]}}\n}}\nText.", "Text."],
    ["template with text", "A {{nowrap|red deer}} and {{lang|fr|chat}}", "A red deer and chat"],
    ["measure", "It is {{convert|10|to|20|km|mi}} long", "It is 10 to 20 km long"],
    ["fractions", "{{frac|2}} or {{frac|3|4}} or {{frac|1|3|4}}", "1/2 or 3/4 or 1 3/4"],
    ["millions", "It has {{convert|87|e6acre|km2}} of it", "It has 87 million acres of it"],
    ["a unit of unknown name", "It has {{convert|8|koilbbl/d}} now", `It has 8 ${HOLE} now`],
    ["link in a template", "in {{nowrap|[[a b|c d]]}}.", "in ⟦c d⟧."],
    ["template in a link", "in [[a b|{{lang|fr|c d}}]].", "in ⟦c d⟧."],
    ["unknown template among words", "It is {{foo|3}} long", `It is ${HOLE} long`],
    ["unknown template in parentheses", "Ra ({{foo|3}}; 1 BC) is", "Ra (1 BC) is"],
    ["empty parentheses", "Ra ({{IPA|ra}}) is", "Ra is"],
    ["template before a line's text", "{{foo}} The cat sat.", "The cat sat."],
    ["parameter", "a {{{1|red deer}}} ran", "a red deer ran"],
    ["table", "A.\n{| class=x\n|-\n| [[a b]] || {{c}}\n{|\n|d\n|}\n|}\nB.", "A.", "B."],
    ["table end in a template", "{{x|\n{|\n|a\n|}\n|}}\nB.", "B."],
    ["unclosed template", "{{Infobox\n| a = b\n\nText.", "Text."],
    ["reference", "A.<ref>See [[x y]]</ref> B.<ref name=a /> C.", "A. B. C."],
    ["reference with a bar and quotes", `A<ref name="a > b">c</ref> cat`, "A cat"],
    ["unclosed reference", "A.<ref>B.\nC.", "A. C."],
    ["formula", "so <math>x^2</math> is", `so ${HOLE} is`],
    ["gallery", "A.\n<gallery>\nFile:A.jpg|b [[c d]]\n</gallery>\nB.", "A.", "B."],
    ["comment", "A <!-- [[b c]] -->d", "A d"],
    ["comment line", "A\n<!-- x -->\nb", "A b"],
    ["literal text", "write <nowiki>[[a]] ''b''</nowiki>.", "write [[a]] ''b''."],
    ["entities", "a&nbsp;b &amp; c &ndash; d", "a b & c – d"],
    ["tags", "H<sub>2</sub>O <small>is</small> <span style='a'>wet</span>", "H2O is wet"],
    ["break", "One.<br />Two.", "One.", "Two."],
    ["headings", "== Early [[life of x]] ==\nText.", "heading: Early ⟦life of x⟧", "Text."],
    ["lists", "A:\n* [[b c]] d\n## e\n: f", "A:", "list: ⟦b c⟧ d", "list: e", "list: f"],
    ["preformatted lines", "A.\n for (x) y\nB.", "A. B."],
    ["paragraphs", "One\ntwo.\n\nThree.", "One two.", "Three."],
    ["switches", "__NOTOC__\nText.", "Text."],
    ["HTML table", "A.<table><tr><td>b</td></tr></table>C.", "A.", "C."],
  ])("%s", (_, source, ...blocks) => {
    expect(show(readWikitext(source))).toEqual(blocks);
  });

  test("a wiki's own names of namespaces", () => {
    const names = new LinkNames([
      [6, "Mynd"],
      [14, "Flokkur"],
      [102, "Gátt"],
    ]);
    const source = "[[Mynd:A.jpg|thumb|x]]A [[Gátt:B|c d]] [[e f]].\n[[Flokkur:G]]";
    expect(show(readWikitext(source, names))).toEqual(["A c d ⟦e f⟧."]);
  });

  test("targets and other kinds of marks", () => {
    const [block] = readWikitext("The '''big ''red'' [[Cervus|deer]]''' uses <code>a b</code>.");
    expect(block?.marks).toEqual([
      { begin: 8, end: 11, kind: "emphasis", target: undefined },
      { begin: 12, end: 16, kind: "link", target: "Cervus" },
      { begin: 4, end: 16, kind: "bold", target: undefined },
      { begin: 22, end: 25, kind: "code", target: undefined },
    ]);
  });
});
