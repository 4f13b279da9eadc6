/** The list of phrases beside a tree, with the model in the browser and with a service behind the page. */

import { renameSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ParsedDocument } from "../../src/parser/document.js";
import { loadParser } from "../../src/parser/load-parser.js";
import type { Parser } from "../../src/parser/parser.js";
import { TINY_LABELS, writeTinyModel } from "../model/tiny-model.js";
import { serve } from "../service/serving.js";
import { temporaryFolder } from "../temporary.js";
import { visitPage, visitService } from "./browser.js";
import {
  attributes,
  dragWords,
  labels,
  parsed,
  phrases,
  rows,
  rowsOf,
  sentences,
  unfold,
} from "./trees.js";

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

describe("the list", () => {
  test("has label, words, head, probability and place of each phrase", async () => {
    const [page, first] = await openText();
    expect(await rows(first)).toEqual(rowsOf(document));
    expect(await rows(sentences(page).nth(1))).toEqual(rowsOf(document, 1));
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
    expect(await rows(first)).toEqual(rowsOf(document));
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
    await unfold(page);
    expect(await labels(sentences(page).first())).toEqual(
      long.sentences[0]?.spans.map(({ label }) => label),
    );
    expect(await rows(sentences(page).first())).toEqual(rowsOf(long));
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
