/** Runs: samples, shards, and runs that are taken up again give the same as one run over all. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { runDocuments } from "../../../src/extract/links/run.js";
import { isInSample } from "../../../src/extract/links/sample.js";
import { temporaryFolder } from "../../temporary.js";
import { dump, fixture, page, plan, run } from "./helpers.js";
import { tar } from "./tar.js";

const folder = temporaryFolder();

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const text = (id: number) => `The [[red deer]] ran ${id} times. `.repeat((id * 7) % 40);
const xml = dump(...Array.from({ length: 200 }, (_, id) => page(id, text(id))));
const notes = (from: number) =>
  Object.fromEntries(
    Array.from({ length: 30 }, (_, id) => [
      `notes/${"long/".repeat(id % 25)}${from + id}.md`,
      `See [the old page](x) ${id}.\n\n`.repeat(id % 9),
    ]),
  );

/** Inputs of each kind, as one list of files and the format that they are read in. */
const INPUTS: [name: string, format: "page" | "markdown", files: string[]][] = [
  ["blocks", "page", [fixture("blocks")]],
  ["streams", "page", [fixture("multistream")]],
  ["streams that end anywhere", "page", [fixture("cut-streams")]],
  ["plain", "page", [file("a.xml", xml)]],
  ["gzip", "page", [file("a.xml.gz", gzipSync(xml))]],
  ["UTF-16", "page", [file("b.xml", Buffer.from(`\ufeff${xml}`, "utf16le"))]],
  ["several", "page", [fixture("blocks"), file("a.xml", xml), fixture("multistream")]],
  ["archives", "markdown", [0, 100].map((at) => file(`${at}.tar.gz`, gzipSync(tar(notes(at)))))],
  ["files", "markdown", Object.entries(notes(0)).map(([, note], at) => file(`${at}.md`, note))],
];

describe.each(INPUTS)("%s", (_, format, files) => {
  test.each([2, 3, 7, 40])("%i shards one after the other are the whole", async (of) => {
    const whole = await run(files, { format });
    expect(whole.records.length).toBeGreaterThan(50);
    let lines = "";
    let pages = 0;
    for (let number = 1; number <= of; number++) {
      const shard = await run(files, { format, shard: { number, of } });
      lines += shard.lines;
      pages += shard.counts.pages;
    }
    expect(lines).toBe(whole.lines);
    expect(pages).toBe(whole.counts.pages);
  });

  test("taken up after any step, it goes on without loss or duplicate", async () => {
    const whole = await run(files, { format });
    let before = "";
    for await (const { lines, done } of runDocuments(plan(files, { format }))) {
      before += lines;
      const rest = await run(files, { format, done });
      expect(before + rest.lines === whole.lines).toBe(true);
    }
  });
});

describe("samples", () => {
  test("are the seed's, of about the share, and nest", async () => {
    const names = Array.from({ length: 20_000 }, (_, id) => String(id));
    const sample = (share: number, seed: number) =>
      names.filter((name) => isInSample(name, { share, seed }));
    expect(sample(0.1, 1).length / names.length).toBeCloseTo(0.1, 2);
    expect(sample(0.1, 1)).toEqual(sample(0.1, 1));
    expect(sample(0.1, 1)).not.toEqual(sample(0.1, 2));
    const larger = new Set(sample(0.2, 1));
    expect(sample(0.1, 1).every((name) => larger.has(name))).toBe(true);
  });

  test("take the same pages from any form of the dump", async () => {
    const settings = { sample: { share: 0.2, seed: 3 } };
    const blocks = await run([fixture("blocks")], { settings });
    const streams = await run([fixture("multistream")], { settings });
    expect(blocks.lines).toBe(streams.lines);
    expect(blocks.counts.pages).toBeGreaterThan(10);
    expect(blocks.counts.pages + (blocks.counts.dropped["pages not in the sample"] ?? 0)).toBe(120);
  });
});

describe("what is kept", () => {
  const one = (source: string, settings = {}) =>
    run([file("one.xml", dump(page(1, source)))], { settings });

  test("filters of the paper, on and off", async () => {
    const long = `The [[red deer]] ${"ran ".repeat(120)}.`;
    const source = `A [[deer]] ran. The [[red deer]] ran. It rained. ${long}`;
    const filtered = await one(source, { maxTokens: 100, requireMulti: true });
    expect(filtered.records.map((record) => record.text)).toEqual(["The red deer ran."]);
    expect(filtered.counts.dropped).toMatchObject({
      "sentences over 100 tokens": 1,
      "sentences without a multi-token bracket": 1,
      "sentences without any bracket": 1,
    });
    expect((await one(source, { allSentences: true })).records).toHaveLength(4);
  });

  test("the smallest span of tokens that covers a link", async () => {
    const { records } = await one(
      "They saw [[Anglo-Saxon|Saxon]]-style [[Paris]]'s [[cat]]s don[[x|'t]].",
    );
    const [record] = records;
    const shown = record?.brackets.map(([b, e]) => record.tokens.slice(b, e).join(" "));
    expect(shown).toEqual(["Saxon-style", "Paris", "cats", "n't"]);
  });

  test("a link is not cut by the end of a sentence; two sentences are not one link", async () => {
    const { records } = await one("He read [[Who? What? Where?|Who? What? Where?]] twice.");
    expect(records.map((record) => record.brackets)).toEqual([[[2, 8]]]);
    const label = "He came to the city. He saw the city. ".repeat(8);
    const { counts } = await one(`So [[x|${label}]] it [[y z]].`);
    expect(counts.dropped["marks that no single sentence holds"]).toBe(1);
  });

  test("kinds and blocks on request", async () => {
    const source = `A ''red deer'' (an old one) said "so it is".\n* one [[red deer]].`;
    const all = ["link", "emphasis", "quote", "parenthesis", "list-item"];
    const { records } = await one(source, { kinds: all, blocks: ["prose", "list"] });
    const shown = records.map(({ tokens, brackets, kinds }) =>
      brackets.map(([b, e], index) => `${kinds?.[index]}: ${tokens.slice(b, e).join(" ")}`),
    );
    expect(shown).toEqual([
      ["emphasis: red deer", "parenthesis: an old one", "quote: so it is"],
      ["list-item: one red deer", "link: red deer"],
    ]);
  });
});

describe("folders of pages", () => {
  test("ids are paths; long names in archives are whole", async () => {
    mkdirSync(join(folder, "site"));
    const path = file("site/a.md", "See [the old page](x).");
    const { records } = await run([path], { format: "markdown" });
    expect(records[0]).toMatchObject({ id: `${path}:0`, targets: ["x"] });
    const long = `${"a".repeat(90)}/${"b".repeat(90)}.md`;
    const packed = file("long.tar", tar({ [long]: readFileSync(path, "utf8") }));
    const archive = await run([packed], { format: "markdown" });
    expect(archive.records[0]?.page?.title).toBe(long);
  });
});
