/** Published dumps and sites, as they are. */

import { expect, test } from "vitest";
import { expandInputs } from "../../../src/files/expand-inputs.js";
import { dataPath, describeWithData } from "../../data.js";
import { run } from "./helpers.js";

const PAPER = { maxTokens: 100, requireMulti: true };
const GENSIM = "links/wikipedia-en-gensim";
const DEBRIS = /\[\[|\]\]|\{\{|\}\}|''|<\/?(?:ref|span|div|br|sup|sub|small)\b|&[a-z]+;|\ufffc/;

describeWithData(GENSIM, "Wikipedia dumps", () => {
  test("106 English articles: over 6,000 sentences with a multi-token link", async () => {
    const files = await expandInputs([dataPath(`${GENSIM}/enwiki-latest*.bz2`)], []);
    const { records, counts } = await run(files, { settings: PAPER });
    expect(counts.pages).toBe(106);
    expect(records.length).toBeGreaterThan(6000);
    expect(records.filter(({ text }) => DEBRIS.test(text ?? ""))).toEqual([]);
  });

  test.each([
    [`${GENSIM}/enwiki-table-markup.xml.bz2`, 5, 150],
    [`${GENSIM}/bgwiki-latest-pages-articles-shortened.xml.bz2`, 1, 15],
    ["links/wikipedia-minidumps/en.xml.bz2", 24, 1400],
    ["links/wikipedia-minidumps/de.xml.bz2", 2, 350],
    ["links/wikipedia-minidumps/es.xml.bz2", 1, 60],
    ["links/wikipedia-minidumps/fr.xml.bz2", 3, 110],
    ["links/wikipedia-it/small-dump.xml.gz", 608, 6300],
  ])("%s", async (name, pages, sentences) => {
    const { records, counts } = await run([dataPath(name)], { settings: PAPER });
    expect(counts.pages).toBe(pages);
    expect(records.length).toBeGreaterThan(sentences);
    const debris = records.filter(({ text }) => DEBRIS.test(text ?? ""));
    expect(debris.length / records.length).toBeLessThan(0.005);
  });
});

describeWithData("links/markdown", "sites", () => {
  const settings = { ...PAPER, blocks: ["prose", "list"] as const };

  test("all Markdown archives: over 25,000 sentences", async () => {
    const all = await expandInputs([dataPath("links/markdown")], [".tar"]);
    const files = all.filter((file) => !file.includes("openttd"));
    const { records, counts } = await run(files, { format: "markdown", settings });
    expect(counts.bad).toBe(0);
    expect(records.length).toBeGreaterThan(25_000);
    const debris = records.filter(({ text }) => /\{\{|\}\}|\{%|%\}|\]\(|\ufffc/.test(text ?? ""));
    expect(debris.length / records.length).toBeLessThan(0.005);
  }, 120_000);

  test.each([
    ["links/markdown/openttd-wiki-en.tar.gz", ".mediawiki", 1500],
    ["links/wikipedia-en-wikitext/wtf-wikipedia-enwiki.tar.gz", ".txt", 1800],
  ])("%s", async (name, extension, sentences) => {
    const options = { format: "wikitext", extensions: [extension], settings } as const;
    const { records } = await run([dataPath(name)], options);
    expect(records.length).toBeGreaterThan(sentences);
  });
});
