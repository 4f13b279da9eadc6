/** What somebody sees first, with the bundled model: trees that are right, in few bytes, and what they mean. */

import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { EXAMPLES, FIRST_TEXT } from "../../web/views/examples.js";
import { ROOT } from "../cli/run.js";
import { visitPage } from "./browser.js";
import { fromPenn } from "./penn.js";
import { labelledSpans, parsed, sentences } from "./trees.js";

/** The examples as the Penn Treebank brackets such sentences, by our own hand; one-word phrases, too. */
const RIGHT: Readonly<Record<string, readonly string[]>> = {
  Storm: [
    "(S (NP (NP A storm) (SBAR (WHNP that) (S (VP came (PP from (NP the north)))))) (VP damaged (NP (NP the roof) (PP of (NP the church)))))",
  ],
  Telescope: ["(S (NP She) (VP watched (NP (NP the man) (PP with (NP the telescope)))))"],
  Headlines: [
    "(S (NP The mayor) (VP opened (NP (NP the new bridge) (PP over (NP the river))) (PP on (NP Monday))))",
    "(S (NP The council) (VP wants (S (VP to (VP plant (NP a thousand trees) (PP along (NP the river)))))))",
    "(S (NP Volunteers) (VP have (VP cleaned (NP the park) (PP near (NP the station)))))",
  ],
};

const visit = visitPage(() => join(ROOT, "models"));

async function treesOf(page: Page): Promise<string[][]> {
  const found: string[][] = [];
  for (const sentence of await sentences(page).all()) {
    await sentence.scrollIntoViewIfNeeded();
    await sentence.locator("[role=tree]").waitFor();
    found.push(await labelledSpans(sentence));
  }
  return found;
}

test("the first tree and the other examples are as a treebank has them", async () => {
  const page = await visit.open();
  await parsed(page);
  expect(await page.getByLabel("Text to parse").first().inputValue()).toBe(FIRST_TEXT);
  expect(Object.keys(EXAMPLES)).toEqual(Object.keys(RIGHT));
  for (const [name, trees] of Object.entries(RIGHT)) {
    await page.getByRole("button", { name, exact: true }).click();
    await parsed(page);
    await expect.poll(() => sentences(page).count()).toBe(trees.length);
    expect(await treesOf(page), name).toEqual(trees.map(fromPenn));
  }
});

test("the first visit fetches at most 30 MB, and one WASM runtime", async () => {
  const page = await visit.open("#/data");
  const sizes: Promise<[string, number]>[] = [];
  page.context().on("requestfinished", (request) => {
    const size = request.sizes().then(({ responseBodySize }): [string, number] => {
      return [new URL(request.url()).pathname, responseBodySize];
    });
    sizes.push(size);
  });
  const progress: string[] = [];
  await page.exposeFunction("heard", (text: string) => progress.push(text));
  await page.evaluate(() => {
    const line = document.querySelector("#view-parse .progress") as HTMLElement;
    const tell = () =>
      (globalThis as unknown as { heard(text: string): void }).heard(line.innerText);
    new MutationObserver(tell).observe(line, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  await page.getByRole("tab", { name: "Parse" }).click();
  await parsed(page);
  const fetched = await Promise.all(sizes);
  const bytes = fetched.reduce((sum, [, size]) => sum + size, 0);
  expect(bytes).toBeGreaterThan(12e6);
  expect(bytes).toBeLessThan(30e6);
  expect(new Set(fetched.map(([path]) => path).filter((path) => path.endsWith(".wasm"))).size).toBe(
    1,
  );
  expect(progress.join("\n")).toMatch(/Fetching bracken-en-small: \d+ of 12 MB/);
});

test("one sentence says what this is, and the legend has ends", async () => {
  const page = await visit.open();
  await parsed(page);
  expect(await page.locator(".intro").textContent()).toMatch(
    /^bracken finds the phrases of English sentences; .* not from a treebank, but from links and answers/,
  );
  const scale = page.locator(".toolbar .scale");
  expect(await scale.textContent()).toBe("unsuresure");
  await page.getByLabel("Confidence").check();
  expect(await scale.isVisible()).toBe(true);
  await page.getByLabel("No colours").check();
  expect(await scale.isVisible()).toBe(false);
  expect(await sentences(page).first().locator(".facts").textContent()).toMatch(
    /^13 words · sure of (all \d+ phrases|\d+ of \d+ phrases, least of “.*” \(\d+ %\))$/,
  );
});

test("models are listed once each, with where they run", async () => {
  const page = await visit.open("#/data");
  const options = page.getByLabel("Model", { exact: true }).locator("option");
  expect(await options.allTextContents()).toEqual([
    "bracken-en-small · in this browser (12 MB)",
    "bracken-en · in this browser (46 MB)",
  ]);
});
