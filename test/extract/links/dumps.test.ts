/** Dumps in every form they are published in, and in forms they should not be in. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { InputError } from "../../../src/errors.js";
import { extract } from "../../../src/extract/extract.js";
import { temporaryFolder } from "../../temporary.js";
import { dump, fixture, page, run } from "./helpers.js";
import { tar } from "./tar.js";

const folder = temporaryFolder();

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const TEXT = "The [[red deer]] ran. A [[Big cat|big cat]] sat & slept.";
const SENTENCES = ["The red deer ran.", "A big cat sat & slept."];

describe("XML dumps", () => {
  const xml = dump(page(7, TEXT));

  test.each([
    ["plain", xml],
    ["gzip", gzipSync(xml)],
    ["UTF-16", Buffer.from(`\ufeff${xml}`, "utf16le")],
    ["with a declaration", `<?xml version="1.0"?>\n${xml}`],
    ["one after the other", xml + dump()],
  ])("%s", async (_, content) => {
    const { records } = await run([file("dump.xml", content)]);
    expect(records.map(({ text }) => text)).toEqual(SENTENCES);
  });

  test("records carry page, title and targets", async () => {
    const { records } = await run([file("dump.xml", xml)]);
    expect(records[1]).toEqual({
      tokens: ["A", "big", "cat", "sat", "&", "slept", "."],
      brackets: [[1, 3]],
      source: "wikipedia",
      id: "7:1",
      weights: [1],
      kinds: ["link"],
      targets: ["Big cat"],
      language: "en",
      page: { id: "7", title: "Page 7" },
      text: "A big cat sat & slept.",
      offsets: [
        [0, 1],
        [2, 5],
        [6, 9],
        [10, 13],
        [14, 15],
        [16, 21],
        [21, 22],
      ],
    });
  });

  test("articles only", async () => {
    const pages = [
      page(1, TEXT, "<ns>1</ns>"),
      page(2, TEXT, '<ns>0</ns><redirect title="x" />'),
      page(3, "#REDIRECT [[x y]]"),
      page(4, TEXT).replace("<revision>", "<revision><model>json</model>"),
      page(5, "").replace(/<text.*<\/text>/, "<text bytes='0' />"),
      page(6, TEXT),
    ];
    const { records, counts } = await run([file("dump.xml", dump(...pages))]);
    expect(new Set(records.map((record) => record.page?.id))).toEqual(new Set(["6"]));
    expect(counts).toMatchObject({
      pages: 1,
      dropped: {
        "pages of other namespaces": 1,
        redirects: 2,
        "pages that are not wikitext": 1,
        "empty pages": 1,
      },
    });
  });

  test("bzip2 in blocks, streams and streams that end anywhere", async () => {
    const [blocks, streams, cut] = await Promise.all(
      ["blocks", "multistream", "cut-streams"].map((name) => run([fixture(name)])),
    );
    expect(blocks?.counts.pages).toBe(120);
    expect(streams?.lines).toBe(blocks?.lines);
    expect(cut?.lines).toBe(blocks?.lines);
  });
});

describe("HTML dumps", () => {
  const line = (identifier: number, html: string, namespace = 0) =>
    `${JSON.stringify({ name: `Page ${identifier}`, identifier, namespace: { identifier: namespace }, article_body: { html } })}\n`;
  const html =
    '<p>The <a rel="mw:WikiLink" href="./Red_deer" title="Red deer">red deer</a> ran.</p>';
  const lines = line(1, html) + line(2, html, 14) + line(3, html);

  test.each([
    ["JSON lines", lines],
    ["in tar.gz", gzipSync(tar({ "enwiki_0.ndjson": lines, "readme.txt": "x" }))],
    ["without a line end", lines.trimEnd()],
  ])("%s", async (_, content) => {
    const { records } = await run([file("dump.tar.gz", content)]);
    expect(records.map((record) => [record.page?.id, record.targets])).toEqual([
      ["1", ["Red deer"]],
      ["3", ["Red deer"]],
    ]);
  });
});

describe("HTML articles one after the other", () => {
  const article = (id: number, lang = "") =>
    `<article title=""${lang}>\n<p>Page ${id} has <a href="/x">an old link</a>.</p>\n</article>\n`;
  const text = article(0) + article(1, ' lang="de"') + article(2);

  test("each is a page of its own, whatever the size of all", async () => {
    const { records, counts } = await run([file("articles.html", text)], { format: "html" });
    expect(counts.pages).toBe(3);
    expect(records.map(({ id }) => id.replace(/^.*articles/, ""))).toEqual([
      ".html#0:0",
      ".html#1:0",
      ".html#2:0",
    ]);
    expect(records.map(({ language }) => language)).toEqual([undefined, "de", undefined]);
  });

  test("recognised by their beginning; cut off, an error with its place", async () => {
    const whole = file("articles.html", text);
    const records: unknown[] = [];
    for await (const record of extract(whole)) records.push(record);
    expect(records).toHaveLength(3);
    await expect(run([file("cut.html", text.slice(0, -20))], { format: "html" })).rejects.toThrow(
      /cut\.html: malformed list of articles: .*ends within a page, at byte/,
    );
  });
});

describe("what is wrong", () => {
  test.each([
    ["never closed", dump(page(1, TEXT), page(2, TEXT).replace("</page>", ""), page(3, TEXT)), 1],
    ["cut off in a page", dump(page(1, TEXT), page(2, TEXT)).slice(0, -80), 1],
    ["cut off after a page", dump(page(1, TEXT)).replace("</mediawiki>", ""), 1],
    ["no dump", "Just some text, and no page in it.", 0],
    ["other things between pages", dump(page(1, TEXT), "<pgae>", page(2, TEXT)), 1],
    ["no title", dump(page(1, TEXT), page(2, TEXT).replace(/<title>.*<\/title>/, "")), 1],
    ["no id", dump(page(1, TEXT), page(2, TEXT).replaceAll(/<id>\d+<\/id>/g, "")), 1],
    ["text never closed", dump(page(1, TEXT), page(2, TEXT).replace("</text>", "")), 1],
  ])(
    "%s: an error with its place after what is before, or a counted skip",
    async (_, xml, before) => {
      const path = file("bad.xml", xml);
      const error = (await run([path]).catch((found) => found)) as InputError;
      expect(error.message).toMatch(/bad\.xml: malformed dump: .*(?:at byte|“Page|a page)/);
      expect(error.remedy).toContain("--skip-bad");
      const { counts, records } = await run([path], { settings: { skipBad: true } });
      expect(counts.bad).toBe(1);
      expect(records.filter((record) => record.page?.id === "1")).toHaveLength(2 * before);
    },
  );

  test("damaged bzip2: everything before it is kept, and the next file is read", async () => {
    const { readFileSync } = await import("node:fs");
    const cut = file("cut.xml.bz2", readFileSync(fixture("blocks")).subarray(0, 15_000));
    await expect(run([cut])).rejects.toThrow(/cut\.xml\.bz2: .*bzip2/);
    const next = file("next.xml", dump(page(1000, TEXT)));
    const { counts, records } = await run([cut, next], { settings: { skipBad: true } });
    expect(counts.bad).toBeGreaterThan(0);
    expect(counts.pages).toBeGreaterThan(60);
    expect(records.at(-1)?.page?.id).toBe("1000");
  });

  /** The pages before and after a large one are read, too. */
  const runAround = async (text: string) => {
    const path = file("large.xml", dump(page(1, TEXT), page(2, text), page(3, TEXT)));
    const result = await run([path]);
    const pages = new Set(result.records.map((record) => record.page?.id));
    expect([pages.has("1"), pages.has("3")]).toEqual([true, true]);
    return result;
  };

  /** Milliseconds, on the slowest machine: what looks at everything again and again takes hours. */
  const BOUND = 180_000;

  test.each([
    ["a page of 5 MB", "The [[red deer]] ran over the hill. ".repeat(140_000)],
    ["5 MB without a full stop", "the [[red deer]] ran over the hill ".repeat(140_000)],
    ["10,000 unclosed templates", `${"{{a|b ".repeat(10_000)}\n\n${TEXT}`],
    ["unclosed templates, 5 MB", "{{".repeat(2_500_000)],
    ["unclosed links and tables", "[[a|\n{|\n|}}\n".repeat(100_000)],
    ["unclosed references", "a <ref> b <math> c <!- ".repeat(100_000)],
    ["brackets of all kinds", "[]{}|'<>=&;:*#\n".repeat(200_000)],
    ["commas", ",".repeat(2_000_000)],
    ["equals signs", "=".repeat(2_000_000)],
    ["quotes", "'".repeat(2_000_000)],
    ["deeply nested", "{{nowrap|".repeat(100_000) + "}}".repeat(100_000)],
  ])("%s: bounded time", { timeout: BOUND }, async (_, text) => {
    await runAround(text);
  });

  test("a page over the limit is counted and not held", async () => {
    const { counts } = await runAround("x".repeat(7_000_000));
    expect(counts.dropped["pages over 6 MB"]).toBe(1);
  });
});
