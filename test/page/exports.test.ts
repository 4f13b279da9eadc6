/** Trees that leave the page: as pictures, for LaTeX, in brackets, as data. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadParser } from "../../src/parser/load-parser.js";
import type { Parser } from "../../src/parser/parser.js";
import { toForest, toPenn } from "../../src/trees/index.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { visitPage } from "./browser.js";
import { parsed, sentences, spanKeys } from "./trees.js";

const TEXT = "The old man sat on the red bench by the door. A dog ran by.";

const folder = temporaryFolder();
let parser: Parser;
const visit = visitPage(async () => {
  await writeTinyModel(folder);
  return folder;
});
beforeAll(async () => {
  parser = await loadParser(join(folder, "model"), { threads: 1, workers: 0 });
});
afterAll(() => parser.close());

function link(fields: Record<string, string>): string {
  return `#/parse?${new URLSearchParams(fields)}`;
}

async function openText(): Promise<{ page: Page; first: Locator }> {
  const page = await visit.revisit(link({ text: TEXT }));
  await parsed(page);
  return { page, first: sentences(page).first() };
}

const ODD = 'He wrote <b>"5 & 6"</b> in the {margin}_#1 café 漢字.';

async function save(page: Page, format: string): Promise<Buffer> {
  const first = sentences(page).first();
  await first.getByText("Export").click();
  const coming = page.waitForEvent("download");
  await first.getByRole("button", { name: `Save ${format}` }).click();
  const download = await coming;
  await first.getByText("Export").click();
  return readFileSync(await download.path());
}

test.each(["tree", "boxes", "brackets"])("the %s as SVG is XML with all words", async (drawing) => {
  const page = await visit.revisit(link({ text: ODD, drawing }));
  await parsed(page);
  const svg = (await save(page, "SVG")).toString("utf8");
  const [parse] = await parser.parseText(ODD);
  // Apart from the page, whose policy forbids the style inside.
  const blank = await page.context().newPage();
  const read = await blank.evaluate((text) => {
    const tree = new DOMParser().parseFromString(text, "image/svg+xml");
    return {
      error: tree.querySelector("parsererror")?.textContent ?? "",
      root: tree.documentElement.localName,
      words: [...tree.querySelectorAll(".word text")].map((each) => each.textContent),
      width: Number(tree.documentElement.getAttribute("width")),
      attributes: /(tabindex|data-span|class="hit)/.test(text),
    };
  }, svg);
  await blank.close();
  expect(read).toMatchObject({ error: "", root: "svg", attributes: false });
  expect(read.words).toEqual(parse?.leaves.map(({ word }) => word));
  expect(read.width).toBeGreaterThan(100);
  expect(svg).not.toMatch(/var\(|light-dark/);
});

test("LaTeX, Penn and JSON are those of the library, at the slider's threshold", async () => {
  const page = await visit.revisit(link({ text: ODD, flat: "0.4" }));
  await parsed(page);
  const [parse] = await parser.parseText(ODD, { threshold: 0.4, marginals: true });
  const tree = parse?.tree ?? { word: "" };
  expect((await save(page, "LaTeX")).toString()).toBe(`${toForest(tree)}\n`);
  expect((await save(page, "Penn")).toString()).toBe(`${toPenn(tree)}\n`);
  const record = JSON.parse((await save(page, "JSON")).toString());
  expect(record.tokens).toEqual(parse?.leaves.map(({ word }) => word));
  expect(record.text).toBe(ODD);
  expect(spanKeys(record.spans)).toEqual(spanKeys(parse?.spans ?? []));
  for (const [index, span] of (parse?.spans ?? []).entries()) {
    expect(record.spans[index].marginal).toBeCloseTo(span.marginal ?? 0, 3);
    expect(record.spans[index].score).toBeCloseTo(span.score ?? Number.NaN, 3);
  }
});

test("PNG is a picture of twice the drawing's size, with or without a white ground", async () => {
  const { page, first } = await openText();
  const png = await save(page, "PNG, white");
  expect(await cornerOf(page, png)).toEqual([255, 255, 255, 255]);
  expect(await cornerOf(page, await save(page, "PNG, transparent"))).toEqual([0, 0, 0, 0]);
  await page.emulateMedia({ colorScheme: "dark" });
  const onDark = await save(page, "PNG, white");
  expect(onDark.equals(png)).toBe(true);
  await page.emulateMedia({ colorScheme: "light" });
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  const viewBox = (await first.locator("svg").getAttribute("viewBox"))?.split(" ").map(Number);
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([
    2 * (viewBox?.[2] ?? 0),
    2 * (viewBox?.[3] ?? 0),
  ]);
});

test("are copied as well", async () => {
  const { page, first } = await openText();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await first.getByText("Export").click();
  await first.getByRole("button", { name: "Copy Penn" }).click();
  const [parse] = await parser.parseText(TEXT);
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(`${toPenn(parse?.tree ?? { word: "" })}\n`);
});

/** Red, green, blue and opacity of a picture's first dot. */
function cornerOf(page: Page, png: Buffer): Promise<number[]> {
  return page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const canvas = new OffscreenCanvas(1, 1).getContext("2d");
    canvas?.drawImage(image, 0, 0);
    return [...(canvas?.getImageData(0, 0, 1, 1).data ?? [])];
  }, png.toString("base64"));
}
