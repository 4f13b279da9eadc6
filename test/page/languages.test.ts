/** Text of ten languages on the page, with the model that knows them, in the browser and on the server. */

import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { languageName } from "../../src/languages/codes.js";
import { ROOT } from "../cli/run.js";
import { TEN_LANGUAGES } from "../languages/ten-languages.js";
import { serve } from "../service/serving.js";
import { type Visit, visitPage, visitService } from "./browser.js";
import { parsed, phrases, sentences, words } from "./trees.js";

const visit = visitPage(() => undefined);
const service = visitService(() => serve(join(ROOT, "packages/bracken-multi/model")));

async function openMulti(from: Visit, model: string): Promise<Page> {
  const page = await from.open(`#/parse?${new URLSearchParams({ text: "Run.", model })}`);
  // The model has 50 MB, and the machine may be busy.
  const status = page.locator("#view-parse .status");
  await expect.poll(() => status.textContent(), { timeout: 120_000 }).toContain("parsed by");
  await parsed(page);
  return page;
}

const line = (page: Page) => page.locator("#view-parse .language");

async function expectLanguages(page: Page, where: string): Promise<void> {
  for (const [code, text] of Object.entries(TEN_LANGUAGES)) {
    await page.getByLabel("Text to parse").first().fill(text);
    await page.getByRole("button", { name: "Parse", exact: true }).click();
    await expect
      .poll(() => line(page).textContent(), { message: code })
      .toBe(`Language: ${languageName(code)}`);
    await parsed(page);
    const first = sentences(page).first();
    expect((await words(first)).join("").length, code).toBe(text.replace(/\s/g, "").length);
    expect((await phrases(first)).length, code).toBeGreaterThan(3);
    expect(await page.locator("#view-parse .status").textContent()).toContain(where);
  }
}

test("the browser parses all ten, and tells which it is", { timeout: 240_000 }, async () => {
  const page = await openMulti(visit, "here:bracken-multi");
  expect(await page.locator(".intro").textContent()).toContain("in 10 languages (English, German,");
  await expectLanguages(page, "in this browser");
});

test("the service parses all ten, and the page tells which it is", {
  timeout: 240_000,
}, async () => {
  await expectLanguages(await openMulti(service, ""), "on the server");
});

test("what the model does not know is said, with the model that does", async () => {
  const page = await visit.open(
    `#/parse?${new URLSearchParams({ text: TEN_LANGUAGES.de as string })}`,
  );
  await parsed(page);
  expect(await line(page).textContent()).toBe(
    "This text seems to be in German; the model knows only English. Parse with bracken-multi",
  );
  await line(page).getByRole("button").click();
  await expect.poll(() => line(page).textContent()).toBe("Language: German");
  await page
    .getByLabel("Text to parse")
    .first()
    .fill("Старик сидел на красной скамейке у двери, и собака бежала мимо него.");
  await page.getByRole("button", { name: "Parse", exact: true }).click();
  await expect
    .poll(() => line(page).textContent())
    .toMatch(/^This text seems to be in Russian; the model knows English, German, .*\.$/);
  expect(await line(page).getByRole("button").count()).toBe(0);
});
