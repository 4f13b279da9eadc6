/** Names for phrases on the page: in every drawing, coloured, filtered, listed beside the tree, taken along. */

import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ParsedDocument } from "../../src/parser/document.js";
import { loadParser } from "../../src/parser/load-parser.js";
import { toParseRecord } from "../../src/parser/parse-record.js";
import type { Parser } from "../../src/parser/parser.js";
import { drawText, parsePenn, toForest, toPenn } from "../../src/trees/index.js";
import { TINY_LABELS, writeTinyModel } from "../model/tiny-model.js";
import { serve } from "../service/serving.js";
import { temporaryFolder } from "../temporary.js";
import { visitPage, visitService } from "./browser.js";
import { dragWords, parsed, phrases, sentences, spanKeys } from "./trees.js";

const TEXT = "The old man sat on the red bench by the door. A dog ran by.";

const folder = temporaryFolder();
let parser: Parser;
let document: ParsedDocument;
const visit = visitPage(async () => {
  await writeTinyModel(folder, { labels: TINY_LABELS, decoding: "phrases" });
  return folder;
});
beforeAll(async () => {
  parser = await loadParser(join(folder, "model"), { threads: 1, workers: 0 });
  document = await parser.parseText(TEXT, { marginals: true });
});
afterAll(() => parser.close());

async function openText(fields: Record<string, string> = {}): Promise<[Page, Locator]> {
  const page = await visit.revisit(`#/parse?${new URLSearchParams({ text: TEXT, ...fields })}`);
  await parsed(page);
  return [page, sentences(page).first()];
}

const attributes = (found: Locator, name: string) =>
  found.evaluateAll((all, key) => all.map((each) => each.getAttribute(key)), name);

/** The labels of the phrases that are drawn, in order. */
const labels = (sentence: Locator) => attributes(sentence.locator(".phrase"), "data-label");

/** The rows of the list, as their cells. */
const rows = (sentence: Locator) =>
  sentence
    .locator(".phrases tbody tr")
    .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));

const chip = (page: Page, label: string) =>
  page.locator(".chips").getByRole("button", { name: label, exact: true });

function expectedRows(of: ParsedDocument, sentence = 0): unknown[] {
  return of
    .phrases()
    .filter((phrase) => phrase.sentence === sentence)
    .map(({ label, text, head, probability = 0, begin, end }) => {
      const percent = probability > 0.995 ? ">99 %" : `${Math.round(probability * 100)} %`;
      return [label, text, head, percent, `${begin}–${end}`];
    });
}

describe("drawings", () => {
  test("have the labels, one-word phrases and chains that the library gives", async () => {
    const [page, first] = await openText();
    const spans = document.sentences[0]?.spans ?? [];
    const names = spans.map(({ label }) => label);
    expect(new Set(names).size).toBeGreaterThan(2);
    const texts: Record<string, string> = { Tree: ".name", Boxes: ".corner", Brackets: "sub" };
    const written = (each: Element) =>
      each.textContent || getComputedStyle(each, "::before").content.replaceAll('"', "");
    for (const [drawing, text] of Object.entries(texts)) {
      await page.getByLabel(drawing, { exact: true }).check();
      expect(await phrases(first)).toEqual(spanKeys(spans));
      expect(await labels(first)).toEqual(names);
      const found = await first.locator(`.phrase > ${text}`).all();
      expect(await Promise.all(found.map((each) => each.evaluate(written)))).toEqual(names);
    }
  });

  test("no label lies over another", async () => {
    const [page, first] = await openText();
    for (const [drawing, text] of [
      ["Tree", ".pill"],
      ["Boxes", ".corner"],
    ] as const) {
      await page.getByLabel(drawing, { exact: true }).check();
      const boxes = await first.locator(text).evaluateAll((all) =>
        all.map((each) => {
          const { left, right, top, bottom } = each.getBoundingClientRect();
          return { left, right, top, bottom };
        }),
      );
      for (const [index, a] of boxes.entries()) {
        for (const b of boxes.slice(index + 1)) {
          const isApart =
            a.right <= b.left ||
            b.right <= a.left ||
            a.bottom <= b.top + 3 ||
            b.bottom <= a.top + 3;
          expect(isApart).toBe(true);
        }
      }
    }
  });

  test("are coloured by label with lines by probability, by confidence, or not", async () => {
    const [page, first] = await openText();
    const colours = () => attributes(first.locator(".phrase"), "color");
    const widths = async () =>
      new Set(await attributes(first.locator(".edge:not(.stem)"), "stroke-width"));
    const byLabel = new Map<string | null, Set<string | null>>();
    const names = await labels(first);
    for (const [index, colour] of (await colours()).entries()) {
      const found = byLabel.get(names[index] ?? "") ?? new Set();
      byLabel.set(names[index] ?? "", found.add(colour));
    }
    expect([...byLabel.values()].every((found) => found.size === 1)).toBe(true);
    expect(new Set([...byLabel.values()].flatMap((found) => [...found])).size).toBe(byLabel.size);
    expect((await widths()).size).toBeGreaterThan(2);
    const inLabels = await colours();
    await page.getByLabel("Confidence").check();
    expect(await colours()).not.toEqual(inLabels);
    expect((await widths()).size).toBe(1);
    await page.getByLabel("No colours").check();
    expect(new Set(await colours())).toEqual(new Set([null]));
    expect(await labels(first)).toEqual(names);
  });

  test("tell label, head and probabilities to those who point and to those who listen", async () => {
    const [page, first] = await openText();
    const [parse] = document.sentences;
    const at = parse?.spans.findIndex(({ begin, end }) => end - begin > 3) ?? 0;
    const { label, head = 0, begin, end, marginal = 0 } = parse?.spans[at] ?? expect.unreachable();
    const word = parse?.leaves[head]?.word;
    const node = first.locator(".phrase").nth(at);
    await node.locator(".name").hover();
    const told = (await page.locator(".tooltip").textContent()) ?? "";
    expect(told).toContain(`head ${word}`);
    expect(told).toMatch(new RegExp(`${label} (>|\\d)`));
    expect(await attributes(first.locator(".word.head"), "data-span")).toEqual([
      `${head}-${head + 1}`,
    ]);
    const name = (await node.getAttribute("aria-label")) ?? "";
    const percent = Math.round(marginal * 100);
    expect(name).toContain(`${label} of ${end - begin} words: `);
    expect(name).toContain(`head ${word}, probability ${percent} %, label `);
    const single = first.locator('.phrase[aria-label*=" of 1 word: "]').first();
    expect(await single.getAttribute("aria-label")).not.toContain("head");
  });

  test("words that are chosen show what they would be called", async () => {
    const [page, first] = await openText();
    await dragWords(page, first, 1, 4);
    const [parse] = await parser.parseSentences([
      { leaves: document.sentences[0]?.leaves ?? [], required: [{ begin: 1, end: 5 }] },
    ]);
    const chain = parse?.spans.filter(({ begin, end }) => begin === 1 && end === 5);
    const name = chain?.map(({ label }) => label).join("+");
    expect(await first.locator(".choice small").textContent()).toContain(`${name} · probability`);
  });

  test("keep the focus on the same phrase of a chain when they are drawn anew", async () => {
    const [page, first] = await openText();
    const spans = document.sentences[0]?.spans ?? [];
    const inner = spans.findIndex((span, at) => {
      const outer = spans[at - 1];
      return outer?.begin === span.begin && outer.end === span.end && span.end - span.begin > 1;
    });
    await first.locator(".phrase").nth(inner).focus();
    await page.keyboard.press("r");
    await first.locator("path.required").waitFor();
    const focus = await attributes(first.locator(".phrase:focus"), "data-label");
    expect([inner > 0, focus]).toEqual([true, [spans[inner]?.label]]);
  });
});

describe("the filter", () => {
  test("shows the phrases of one label or of several, in the tree and in the list", async () => {
    const [page, first] = await openText();
    const all = await labels(first);
    await chip(page, "NP").click();
    expect(await chip(page, "NP").getAttribute("aria-pressed")).toBe("true");
    const noun = document.phrases("NP").filter(({ sentence }) => sentence === 0);
    const named = (await labels(first)).filter((label) => label !== null);
    expect(named).toEqual(noun.map(({ label }) => label));
    expect((await rows(first)).map(([, text]) => text)).toEqual(noun.map(({ text }) => text));
    await chip(page, "S").click();
    const both = document.phrases(["NP", "S"]).filter(({ sentence }) => sentence === 0);
    expect((await rows(first)).map(([label]) => label)).toEqual(both.map(({ label }) => label));
    await chip(page, "NP").click();
    await chip(page, "S").click();
    expect(await labels(first)).toEqual(all);
  });

  test("hides phrases of one word", async () => {
    const [page, first] = await openText();
    await page.getByLabel("One-word phrases").uncheck();
    const [parse] = await parser.parseText(TEXT, { oneWord: false });
    expect(await phrases(first)).toEqual(spanKeys(parse?.spans ?? []));
    expect(await rows(first)).toHaveLength(parse?.spans.length ?? 0);
  });

  test("goes with the slider, as the library's threshold does", async () => {
    const [page, first] = await openText();
    await page.getByLabel("From flat to all phrases").fill("40");
    const flat = await parser.parseText(TEXT, { threshold: 0.6, marginals: true });
    // Heads are those of the whole tree, whatever is shown of it.
    const facts = (all: readonly unknown[]) =>
      (all as string[][]).map(([label, text, , probability, place]) => {
        return { label, text, probability, place };
      });
    expect(facts(await rows(first))).toEqual(facts(expectedRows(flat)));
    expect(await labels(first)).toEqual(flat.sentences[0]?.spans.map(({ label }) => label));
  });

  test("is in the link, and a label that the model does not have filters nothing", async () => {
    const [page, first] = await openText();
    await chip(page, "VP").click();
    await page.getByLabel("One-word phrases").uncheck();
    await page.getByLabel("Confidence").check();
    await expect.poll(() => page.url()).toMatch(/colour=confidence&only=VP&words=no/);
    const seen = await labels(first);
    const again = await visit.beside(page, new URL(page.url()).hash);
    await parsed(again);
    expect(await labels(sentences(again).first())).toEqual(seen);
    expect(await again.getByLabel("Confidence").isChecked()).toBe(true);
    const [, odd] = await openText({ only: "XP,,", words: "perhaps", colour: "7" });
    expect(await labels(odd)).toHaveLength(document.sentences[0]?.spans.length ?? 0);
  });
});

describe("the list", () => {
  test("has label, words, head, probability and place of each phrase", async () => {
    const [page, first] = await openText();
    expect(await rows(first)).toEqual(expectedRows(document));
    expect(await rows(sentences(page).nth(1))).toEqual(expectedRows(document, 1));
    expect(await first.getByRole("table").getAttribute("aria-label")).toBe("Phrases of sentence 1");
    const heads = await first
      .getByRole("columnheader")
      .evaluateAll((all) => all.map((each) => each.getAttribute("aria-label") ?? each.textContent));
    expect(heads).toEqual(["Label", "Phrase", "Head", "Probability", "Place"]);
  });

  test("a row shows its phrase in the tree while it is pointed at, and longer when it is pressed", async () => {
    const [page, first] = await openText();
    const lit = () => attributes(first.locator(".lit"), "data-span");
    const found = document.phrases().filter(({ sentence }) => sentence === 0);
    const at = found.findIndex(({ words: [begin, end] }) => end - begin === 2);
    const [begin, end] = found[at]?.words ?? expect.unreachable();
    const row = first.locator(".phrases tbody tr").nth(at);
    await row.hover();
    expect(await lit()).toEqual([`${begin}-${end}`]);
    expect(await first.locator(".word.covered").count()).toBe(end - begin);
    await page.mouse.move(5, 5);
    expect(await lit()).toEqual([]);
    await row.click();
    await page.mouse.move(5, 5);
    expect(await lit()).toEqual([`${begin}-${end}`]);
    expect(await row.getByRole("button").getAttribute("aria-pressed")).toBe("true");
    await page.getByLabel("Boxes").check();
    expect(await lit()).toEqual([`${begin}-${end}`]);
    await row.getByRole("button").focus();
    await page.keyboard.press("Escape");
    expect(await row.getByRole("button").getAttribute("aria-pressed")).toBe("false");
  });

  test("goes by keyboard: one stop of the Tab key, arrows from row to row", async () => {
    const [page, first] = await openText();
    const lit = () => attributes(first.locator(".lit"), "data-label");
    const found = document.phrases().filter(({ sentence }) => sentence === 0);
    await first.locator(".phrases summary").focus();
    await page.keyboard.press("Tab");
    expect(await lit()).toEqual([found[0]?.label]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    expect(await lit()).toEqual([found[2]?.label]);
    await page.keyboard.press("End");
    expect(await lit()).toEqual([found.at(-1)?.label]);
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    expect(await first.locator("tr.kept").count()).toBe(1);
    await page.keyboard.press("Tab");
    expect(
      await first
        .getByRole("button", { name: "Copy as TSV" })
        .evaluate((each) => each === globalThis.document.activeElement),
    ).toBe(true);
  });

  test("marks the row of the phrase that is pointed at in the tree", async () => {
    const [, first] = await openText();
    const spans = document.sentences[0]?.spans ?? [];
    for (const at of [1, spans.length - 1]) {
      await first.locator(".phrase").nth(at).locator(".name").hover();
      const pointed = await first
        .locator(".phrases tbody tr")
        .evaluateAll((all) => all.findIndex((row) => row.classList.contains("pointed")));
      expect(pointed).toBe(at);
    }
  });

  test("a phrase inside a folded one is shown by that", async () => {
    const spans = document.sentences[0]?.spans ?? [];
    const outer = spans.find(({ begin, end }) => end - begin > 3 && end - begin < 9);
    const { begin, end } = outer ?? expect.unreachable();
    const [, first] = await openText({ fold: `0:${begin}-${end}` });
    const inner = spans.findIndex((span) => span.begin >= begin && span.end < end);
    await first.locator(".phrases tbody tr").nth(inner).hover();
    expect(await attributes(first.locator(".lit"), "data-span")).toEqual([`${begin}-${end}`]);
  });

  test("is copied as a table, of one sentence or of all", async () => {
    const [page, first] = await openText();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    const lines = document.phrases().map((phrase) => {
      const { label, text, head, probability = 0, sentence, begin, end } = phrase;
      return [label, text, head, Number(probability.toFixed(4)), sentence + 1, begin, end].join(
        "\t",
      );
    });
    const header = "label\tphrase\thead\tprobability\tsentence\tbegin\tend";
    await first.getByRole("button", { name: "Copy as TSV" }).click();
    const one = lines.filter((line) => line.split("\t")[4] === "1");
    await expect.poll(copied).toBe(`${[header, ...one].join("\n")}\n`);
    await page.getByRole("button", { name: "Copy all phrases" }).click();
    await expect.poll(copied).toBe(`${[header, ...lines].join("\n")}\n`);
    await page.getByText(`${lines.length} phrases copied`).waitFor();
  });
});

describe("exports", () => {
  async function save(page: Page, format: string): Promise<string> {
    const first = sentences(page).first();
    await first.getByText("Export").click();
    const coming = page.waitForEvent("download");
    await first.getByRole("button", { name: `Save ${format}` }).click();
    const path = await (await coming).path();
    await first.getByText("Export").click();
    return readFileSync(path, "utf8");
  }

  test("have labels: Penn, LaTeX and JSON as the library writes them", async () => {
    const [page] = await openText();
    const [parse] = document.sentences;
    const tree = parse?.tree ?? expect.unreachable();
    expect(await save(page, "Penn")).toBe(`${toPenn(tree)}\n`);
    expect(await save(page, "LaTeX")).toBe(`${toForest(tree)}\n`);
    const record = JSON.parse(await save(page, "JSON"));
    const expected = toParseRecord(parse as never, { scores: true, marginals: true });
    const facts = ({ begin, end, label, head }: (typeof expected.spans)[number]) => {
      return { begin, end, label, head };
    };
    expect(record.spans.map(facts)).toEqual(expected.spans.map(facts));
    for (const [index, { labelProbability }] of expected.spans.entries()) {
      expect(record.spans[index].labelProbability).toBeCloseTo(labelProbability ?? 0, 3);
    }
    expect((await save(page, "Phrases")).trimEnd().split("\n")).toHaveLength(
      1 + (parse?.spans.length ?? 0),
    );
  });

  test("are of the phrases that are shown", async () => {
    const [page] = await openText({ only: "NP", words: "no" });
    const [tree] = parsePenn(await save(page, "Penn"));
    const labelled = drawText(tree ?? expect.unreachable()).match(/\b(NP|VP|S|PP)\b/g);
    expect(new Set(labelled)).toEqual(new Set(["NP"]));
  });

  test.each([
    ["tree", ".name"],
    ["boxes", ".corner"],
    ["brackets", ".name"],
  ])("the picture of the %s has labels in their colours", async (drawing, text) => {
    const [page] = await openText({ drawing });
    const svg = await save(page, "SVG");
    const blank = await page.context().newPage();
    const read = await blank.evaluate(
      ([source = "", selector = ""]) => {
        const tree = new DOMParser().parseFromString(source, "image/svg+xml");
        return {
          names: [...tree.querySelectorAll(selector)].map((each) => each.textContent),
          colours: [...tree.querySelectorAll(".phrase")].map((each) => each.getAttribute("color")),
        };
      },
      [svg, text],
    );
    await blank.close();
    const names = document.sentences[0]?.spans.map(({ label }) => label);
    expect(read.names).toEqual(names);
    expect(read.colours.every((colour) => /^#[0-9a-f]{6}$/.test(colour ?? ""))).toBe(true);
  });
});

test("a list is open where there is room beside the tree, and closed on a phone", async () => {
  const wide = await visit.open(`#/parse?${new URLSearchParams({ text: TEXT })}`);
  await parsed(wide);
  const beside = await wide.locator(".phrases").first().boundingBox();
  const tree = await wide.locator(".viewport").first().boundingBox();
  expect((beside?.x ?? 0) >= (tree?.x ?? 0) + (tree?.width ?? 0)).toBe(true);
  const phone = await visit.open(`#/parse?${new URLSearchParams({ text: TEXT })}`, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
  });
  await parsed(phone);
  const list = phone.locator(".phrases").first();
  expect(await list.locator("table").isVisible()).toBe(false);
  await list.locator("summary").tap();
  await list.locator("tbody tr").nth(1).tap();
  expect(await sentences(phone).first().locator(".lit").count()).toBe(1);
  expect(await phone.evaluate(() => globalThis.document.documentElement.scrollWidth)).toBe(390);
});

describe("a service with models that name phrases and that do not", () => {
  const others = temporaryFolder();
  const served = visitService(async () => {
    const named = await writeTinyModel(folder, { labels: TINY_LABELS, decoding: "phrases" });
    const plain = await writeTinyModel(others);
    renameSync(plain, join(others, "plain"));
    return serve(named, "--model", join(others, "plain"));
  });
  const open = (fields: Record<string, string>) =>
    served.open(`#/parse?${new URLSearchParams({ text: TEXT, ...fields })}`);

  test("gives the labels of its charts, also for brackets that are forced", async () => {
    const page = await open({});
    await parsed(page);
    const first = sentences(page).first();
    expect(await page.locator("#view-parse .status").textContent()).toContain("on the server");
    expect(await rows(first)).toEqual(expectedRows(document));
    await dragWords(page, first, 1, 4);
    await first.getByRole("button", { name: "Require" }).click();
    await first.locator("path.required").waitFor();
    const [parse] = await parser.parseSentences([
      { leaves: document.sentences[0]?.leaves ?? [], required: [{ begin: 1, end: 5 }] },
    ]);
    expect(await labels(first)).toEqual(parse?.spans.map(({ label }) => label));
  });

  test("gives those of sentences too long for charts", async () => {
    const text = "The dog ran ".repeat(68).trim();
    const page = await open({ text });
    await parsed(page);
    const long = await parser.parseText(text, { marginals: true });
    expect(await labels(sentences(page).first())).toEqual(
      long.sentences[0]?.spans.map(({ label }) => label),
    );
    expect(await rows(sentences(page).first())).toEqual(expectedRows(long));
  });

  test("a model without labels has no filter, no list and no colours for labels", async () => {
    const page = await open({ model: "service:plain", only: "NP", words: "no" });
    await parsed(page);
    const first = sentences(page).first();
    expect(await page.locator(".filter").isHidden()).toBe(true);
    expect(await first.locator(".phrases").count()).toBe(0);
    expect(await first.locator(".phrase .dot").count()).toBe((await phrases(first)).length);
    expect(await page.getByLabel("No colours").count()).toBe(0);
    expect(await page.getByLabel("Confidence").isChecked()).toBe(true);
    await first.getByText("Export").click();
    expect(await first.getByRole("button", { name: "Save Phrases" }).count()).toBe(0);
    await page.getByLabel("Model", { exact: true }).selectOption("service:model");
    await page.locator(".filter .chip").first().waitFor();
    await parsed(page);
    expect(await sentences(page).first().locator(".phrases").count()).toBe(1);
  });
});
