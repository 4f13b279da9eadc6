/** Data and Training before anybody has data: small samples explain the views. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseBracketing } from "../../src/brackets/index.js";
import { parseLink } from "../../web/data/bracketing.js";
import { readPlace } from "../../web/link.js";
import { ROOT } from "../cli/run.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { visitPage } from "./browser.js";
import { parsed, phrases, sentences, words } from "./trees.js";

const SAMPLE = readFileSync(join(ROOT, "web/samples/brackets.jsonl"), "utf8").trimEnd().split("\n");

const folder = temporaryFolder();
const visit = visitPage(async () => {
  await writeTinyModel(folder);
  return folder;
});

test("Data opens on a sample, and a sentence of it opens in Parse with its brackets forced", async () => {
  const page = await visit.open("#/data");
  await page.getByText("Open: a sample that comes with bracken").waitFor();
  await expect.poll(() => page.locator("#view-data dd").first().textContent()).toBe("40");
  const { tokens, brackets } = parseBracketing(SAMPLE[2] as string);
  await page.getByRole("link", { name: "Open in Parse" }).nth(2).click();
  await page.locator("#view-parse").waitFor();
  await expect
    .poll(() => sentences(page).first().getAttribute("aria-label"))
    .toBe(`Sentence 1: ${tokens.join(" ")}`);
  await parsed(page);
  const first = sentences(page).first();
  expect(await words(first)).toEqual(tokens);
  expect(await phrases(first)).toEqual(
    expect.arrayContaining(brackets.map(([begin, end]) => `${begin}-${end}`)),
  );
  expect(await first.locator(".forced li").count()).toBe(brackets.length);
  expect(page.url()).toContain("split=blanks");
});

test("words of data stay as they are, and of brackets that cross the first is forced", () => {
  const { fields } = readPlace(
    parseLink({
      tokens: ["can", "not", "(", "yet", ")"],
      brackets: [
        [0, 2],
        [1, 4],
        [2, 5],
        [3, 4],
        [0, 5],
      ],
      source: "test",
      id: "1",
    }),
  );
  expect(Object.fromEntries(fields)).toEqual({
    text: "can not ( yet )",
    split: "blanks",
    must: "0:0-2,0:2-5",
  });
});

test("Training opens on a sample, which one's own log replaces; a single point is to be seen", async () => {
  const page = await visit.open("#/training");
  await page.getByText("This is a sample").waitFor();
  expect(await page.locator("tbody tr").allTextContents()).toEqual([
    expect.stringMatching(/^sample300/),
  ]);
  const recall = page.locator("#view-training .plot", { hasText: "Bracket recall" });
  expect(await recall.locator("circle[fill]").count()).toBe(1);
  const record = { step: 1, loss: 2, violations: 1, gradientNorm: 3, rate: 1e-4 };
  const file = join(folder, "mine.jsonl");
  writeFileSync(file, `${JSON.stringify({ ...record, tokensPerSecond: 1, seconds: 1 })}\n`);
  await page.setInputFiles("#view-training input[type=file]", file);
  await expect.poll(() => page.locator("tbody tr").allTextContents()).toHaveLength(1);
  expect(await page.locator("tbody th").textContent()).toBe("mine.jsonl");
  expect(await page.getByText("This is a sample").isVisible()).toBe(false);
  expect(await page.locator("#view-training .plot").first().locator("circle[fill]").count()).toBe(
    1,
  );
});
