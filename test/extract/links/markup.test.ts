/** HTML, CNXML and Markdown, which become the same form. */

import { describe, expect, test } from "vitest";
import { readCnxml } from "../../../src/extract/links/cnxml.js";
import { readHtml } from "../../../src/extract/links/html.js";
import { readMarkdown } from "../../../src/extract/links/markdown.js";
import { HOLE, type MarkedText } from "../../../src/extract/links/marked.js";
import { LinkNames } from "../../../src/extract/links/wikitext/index.js";

/** Blocks as texts, followed by their marks. */
function show(text: MarkedText): string[] {
  return text.map((block) => {
    const marks = block.marks.map(
      ({ begin, end, kind }) => `${kind}=${block.text.slice(begin, end)}`,
    );
    return [block.kind === "prose" ? block.text : `${block.kind}: ${block.text}`, ...marks].join(
      " | ",
    );
  });
}

describe("HTML", () => {
  test.each<[construct: string, source: string, ...blocks: string[]]>([
    ["link", "<p>See <a href='/x'>the  docs</a>.</p>", "See the docs. | link=the docs"],
    ["anchor without target", "<p>See <a name=x>this</a>.</p>", "See this."],
    [
      "phrases",
      "<p><em>a b</em> <strong>c</strong> <code>d e</code> <q>f</q></p>",
      "a b c d e f | emphasis=a b | bold=c | code=d e | quote=f",
    ],
    [
      "blocks",
      "<h1>T</h1><p>A<p>B<ul><li>C<li>D</ul>E",
      "heading: T",
      "A",
      "B",
      "list: C",
      "list: D",
      "E",
    ],
    ["caption", "<figure><img><figcaption>A cat</figcaption></figure>", "caption: A cat"],
    [
      "left out",
      "<head><title>t</title></head><nav>n</nav><p>A</p><script>s</script><style>t</style><table><tr><td>c</table><pre>p</pre><footer>f</footer>",
      "A",
    ],
    ["footnote mark", '<p>A<sup class="reference"><a href="#1">[1]</a></sup> b</p>', "A b"],
    ["number of a source", "<p>A bank.<a href='http://x'>[1]</a> b</p>", "A bank. b"],
    ["formula", "<p>so <math><mi>x</mi></math> is</p>", `so ${HOLE} is`],
    ["entities", "<p>a&nbsp;b &lt;c&gt;</p>", "a b <c>"],
    ["link over blocks", "<a href=x><div>A</div><div>B</div></a>", "A", "B"],
    ["unclosed", "<p>A <a href=x>b c", "A b c | link=b c"],
  ])("%s", (_, source, ...blocks) => {
    expect(show(readHtml(source))).toEqual(blocks);
  });

  test("Parsoid: links to articles only, no boxes, references and pictures", () => {
    const source = `<section><table class="infobox"><tr><td>x</td></tr></table>
      <p>The <a rel="mw:WikiLink" href="./Red_deer" title="Red deer">red deer</a> is
      <a rel="mw:WikiLink" href="./Help:X" title="Help:X">a help</a> and
      <a rel="mw:ExtLink" href="http://a.b">elsewhere</a>.<sup typeof="mw:Extension/ref" class="mw-ref reference"><a href="#c">[1]</a></sup></p>
      <figure><figcaption>c <a rel="mw:WikiLink" href="./A_b">A b</a></figcaption></figure></section>`;
    const text = readHtml(source, { names: new LinkNames() });
    expect(show(text)).toEqual(["The red deer is a help and elsewhere. | link=red deer"]);
    expect(text[0]?.marks[0]?.target).toBe("Red deer");
  });
});

describe("CNXML", () => {
  const read = (content: string) =>
    show(readCnxml(`<document xmlns="x"><title>T</title><content>${content}</content></document>`));

  test.each<[construct: string, source: string, ...blocks: string[]]>([
    [
      "terms, emphasis, links",
      '<para>The <term id="t">dead <emphasis effect="italics">zone</emphasis></term>s <link url="u">are here</link> <emphasis effect="bold">now</emphasis>.</para>',
      "The dead zones are here now. | emphasis=zone | term=dead zone | link=are here | bold=now",
    ],
    ["empty link among words", '<para>So <link target-id="f"/> shows.</para>', `So ${HOLE} shows.`],
    [
      "empty link that begins a sentence",
      '<para>It is. <link target-id="f"/> shows it.</para>',
      `It is. ${HOLE} shows it.`,
    ],
    ["empty link in parentheses", '<para>So it is (<link target-id="f"/>).</para>', "So it is."],
    ["formula and power", "<para>a <m:math><m:mi>x</m:mi></m:math> b</para>", `a ${HOLE} b`],
    [
      "blocks",
      "<section><title>S</title><para>A<newline/>B</para><list><item>C</item></list></section><figure><media alt='m'><image/></media><caption>D</caption></figure>",
      "heading: S",
      "A",
      "B",
      "list: C",
      "caption: D",
    ],
    [
      "left out",
      '<para>A.<cite><note class="reference" display="inline">See B.</note></cite></para><table><row><entry>c</entry></row></table><section class="references"><para>D</para></section><glossary><definition><term>e</term><meaning>f</meaning></definition></glossary>',
      "A.",
    ],
  ])("%s", (_, source, ...blocks) => {
    expect(read(source)).toEqual(["heading: T", ...blocks]);
  });

  test("an appendix has no text", () => {
    const text =
      '<document xmlns="x" class="appendix"><content><para>A</para></content></document>';
    expect(show(readCnxml(text))).toEqual([]);
  });
});

describe("Markdown", () => {
  test.each<[construct: string, source: string, ...blocks: string[]]>([
    [
      "link",
      'See [the *old* docs](x.md "t").',
      "See the old docs. | emphasis=old | link=the old docs",
    ],
    ["reference link", "See [the docs][d].\n\n[d]: http://a.b", "See the docs. | link=the docs"],
    ["autolink", "<http://a.b>", "http://a.b | link=http://a.b"],
    ["phrases", "*a b* **c** `d e`", "a b c d e | emphasis=a b | bold=c | code=d e"],
    ["picture", "A ![b](c.png) d", "A d"],
    ["linked picture", "A [![b](c.png)](x) d", "A d"],
    [
      "blocks",
      "# T\n\nA\nb\n\n- C\n\n  D\n1. E\n\n> F",
      "heading: T",
      "A b",
      "list: C",
      "list: D",
      "list: E",
      "F",
    ],
    ["code blocks", "A\n\n```js\nb [c](d)\n```\n\n    e\n\nF", "A", "F"],
    ["table", "A\n\n| [b](c) | d |\n|---|---|\n| e | f |\n\nG", "A", "G"],
    [
      "HTML",
      "A <b>b</b><br>c <a href='x'>d e</a>\n\n<div>F <a href=y>g h</a></div>",
      "A b | bold=b",
      "c d e | link=d e",
      "F g h | link=g h",
    ],
    ["comment", "A <!-- b --> c\n\n<!-- d\n\ne -->\n\nF", "A c", "F"],
    ["YAML front matter", "---\ntitle: x\n---\nA", "A"],
    ["TOML front matter", "+++\ntitle = 'x'\n+++\nA", "A"],
    ["Hugo, alone", "{{< figure src=a >}}\n\nA", "A"],
    [
      "Hugo, with text",
      'the {{< glossary_tooltip text="red pods" term_id="pod" >}} run',
      "the red pods run",
    ],
    ["Hugo, among words", 'since {{< param "version" >}} it', `since ${HOLE} it`],
    ["Hugo, as target", 'see [a b]({{< ref "x y" >}}) now', "see a b now | link=a b"],
    ["Hugo, around text", "{{< note >}}\nA [b c](d).\n{{< /note >}}", "A b c. | link=b c"],
    ["Hugo, around code", "{{< highlight go >}}\nx\n{{< /highlight >}}\n\nA", "A"],
    [
      "Jekyll",
      "{% include a.html %}\nA [b c]({{ site.baseurl }}/d) {% if x %}e{% endif %}",
      "A b c e | link=b c",
    ],
    ["Kramdown attributes", 'A [b c](d){:target="_blank"}\n{: .note}', "A b c | link=b c"],
    ["heading id", "## A b {#c}", "heading: A b"],
    ["footnotes", "A[^1] b.\n\n[^1]: See [c d](e).\n    More.\n\nF", "A b.", "F"],
    ["MkDocs notice", '!!! note "T"\n\n    A [b c](d).\n\nE', "A b c. | link=b c", "E"],
    ["MyST", "see {ref}`the page <x-y>` and {cite}`a`", "see the page and | link=the page"],
    ["other attributes", "A [b c](d){ rel=nofollow }", "A b c | link=b c"],
    ["WordPress", "A [youtube=http://x.y&w=6]b", "A b"],
    ["stray stars", "A** b", "A b"],
    ["directive", ":::{note}\nA b.\n:::", "A b."],
    ["icon", "A :material-home: b", "A b"],
  ])("%s", (_, source, ...blocks) => {
    expect(show(readMarkdown(source))).toEqual(blocks);
  });

  test("MDX: imports and expressions", () => {
    const source = `import X from "../../links/x";\nexport const a = 1;\n\n<X a={1}>\n\nA {props.b} c\n\n</X>\n\nD [e f](g).`;
    expect(show(readMarkdown(source, true))).toEqual([`A ${HOLE} c`, "D e f. | link=e f"]);
  });
});
