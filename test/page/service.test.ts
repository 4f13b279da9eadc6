/** The page with a real service behind it, which parses for it. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadParser } from "../../src/parser/load-parser.js";
import type { Parser } from "../../src/parser/parser.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { type Served, serve } from "../service/serving.js";
import { temporaryFolder } from "../temporary.js";
import { visitService } from "./browser.js";
import { dragWords, parsed, phrases, sentences, spanKeys, unfold } from "./trees.js";

const folder = temporaryFolder();
let service: Served;
let parser: Parser;
const visit = visitService(async () => {
  service = await serve(await writeTinyModel(folder), "--watch", folder);
  return service;
});
beforeAll(async () => {
  parser = await loadParser(join(folder, "model"), { threads: 1, workers: 0 });
});
afterAll(() => parser.close());

const status = (page: Page) => page.locator("#view-parse .status").textContent();
const timesAsked = () => service.log().filter(({ path }) => path === "/v1/parse").length;

async function expectTrees(page: Page, text: string): Promise<void> {
  for (const [index, { spans }] of (await parser.parseText(text)).sentences.entries()) {
    expect(await phrases(sentences(page).nth(index))).toEqual(spanKeys(spans));
  }
}

/** A span that the first sentence's tree does not have. */
async function otherSpan(page: Page): Promise<{ begin: number; end: number }> {
  const taken = await phrases(sentences(page).first());
  return { begin: 1, end: [4, 5, 6].find((each) => !taken.includes(`1-${each}`)) as number };
}

test("the service parses with charts, which the page decodes itself", async () => {
  const text = "The old man sat on the red bench by the door. A dog ran by.";
  const before = timesAsked();
  const page = await visit.open(`#/parse?${new URLSearchParams({ text })}`);
  await parsed(page);
  expect(await status(page)).toContain("parsed by model on the server");
  await expectTrees(page, text);
  const { begin, end } = await otherSpan(page);
  const first = sentences(page).first();
  await dragWords(page, first, begin, end - 1);
  await first.getByRole("button", { name: "Require" }).click();
  await first.locator(`.phrase[data-span="${begin}-${end}"]`).waitFor();
  expect(timesAsked() - before).toBe(1);
});

test("a line above the trees says that the model does not know the language", async () => {
  const line = (page: Page) => page.locator("#view-parse .language");
  const text = "Am 3. Mai gingen die Kinder durch den Park nach Hause.";
  const german = await visit.open(`#/parse?${new URLSearchParams({ text })}`);
  await parsed(german);
  expect(await line(german).textContent()).toBe(
    "This text seems to be in German; the model knows only English.",
  );
  expect(await line(german).isVisible()).toBe(true);
  expect(await sentences(german).count()).toBe(1);
  const english = await visit.open(`#/parse?${new URLSearchParams({ text: "The dog ran." })}`);
  await parsed(english);
  expect(await line(english).isVisible()).toBe(false);
});

test("long sentences come without charts; for forced brackets the service is asked again", async () => {
  const text = "The dog ran ".repeat(68);
  const before = timesAsked();
  const page = await visit.open(`#/parse?${new URLSearchParams({ text })}`);
  await parsed(page);
  await unfold(page);
  await expectTrees(page, text);
  expect(timesAsked() - before).toBe(1);
  const { begin, end } = await otherSpan(page);
  const must = `0:${begin}-${end}`;
  const forced = await visit.open(`#/parse?${new URLSearchParams({ text, must })}`);
  await parsed(forced);
  await unfold(forced);
  await forced.locator(`.phrase[data-span="${begin}-${end}"]`).waitFor();
  await expect.poll(() => timesAsked() - before).toBe(3);
});

describe("a service that wants a key", () => {
  const KEY = "the-key-of-the-page-tests";
  const file = join(folder, "keys");
  const guarded = visitService(async () => {
    writeFileSync(file, KEY);
    mkdirSync(join(folder, "run", "training"), { recursive: true });
    const record = { step: 1, loss: 1, violations: 1, gradientNorm: 1, rate: 1 };
    const log = JSON.stringify({ ...record, tokensPerSecond: 1, seconds: 1 });
    writeFileSync(join(folder, "run", "training", "log.jsonl"), `${log}\n`);
    return serve(join(folder, "model"), "--watch", folder, "--api-key-file", file);
  });
  const httpCredentials = { username: "anybody", password: KEY };

  test("the browser asks for it, and then everything works", async () => {
    const text = "A dog ran by.";
    for (const model of ["service:model", "here:model"]) {
      const place = `#/parse?${new URLSearchParams({ text, model })}`;
      const page = await guarded.open(place, { httpCredentials });
      await parsed(page);
      await expectTrees(page, text);
    }
    const training = await guarded.open("#/training?run=run", { httpCredentials });
    const row = training.locator("tbody tr");
    await expect.poll(() => row.textContent()).toContain("run live1");
  });

  test("without it there is no page", async () => {
    guarded.expectError(/401/);
    const page = await guarded.open("", { httpCredentials });
    const context = await page.context().browser()?.newContext();
    const stranger = await context?.newPage();
    const response = await stranger?.goto(page.url());
    expect(response?.status()).toBe(401);
    await context?.close();
  });
});

test("a model is listed once, where it runs: on the server, or in the browser if a link says so", async () => {
  const page = await visit.open();
  const options = page.getByLabel("Model", { exact: true }).locator("option");
  expect(await options.allTextContents()).toEqual(["model · on the server"]);
  const here = await visit.open("#/parse?model=here:model&text=A+dog+ran.");
  await parsed(here);
  expect(await status(here)).toContain("parsed by model in this browser");
  const own = here.getByLabel("Model", { exact: true }).locator("option");
  expect(await own.allTextContents()).toEqual([
    expect.stringMatching(/^model · in this browser \(/),
  ]);
});
