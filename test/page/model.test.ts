/** The bundled models in the browser itself, against the same models under Node. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { loadParser } from "../../src/parser/load-parser.js";
import { ROOT } from "../cli/run.js";
import { visitPage } from "./browser.js";
import { parsed, spanKeys } from "./trees.js";

const TEXT = readFileSync(new URL("../fixtures/sentences.txt", import.meta.url), "utf8");

const visit = visitPage(() => join(ROOT, "models"));

async function bracketsOf(page: Page): Promise<string[][]> {
  await parsed(page);
  return page.evaluate(async () => {
    const brackets: string[][] = [];
    for (const sentence of document.querySelectorAll(".sentence")) {
      sentence.scrollIntoView();
      while (!sentence.querySelector("[role=tree]")) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      const phrases = [...sentence.querySelectorAll(".phrase")];
      brackets.push(phrases.map((phrase) => phrase.getAttribute("data-span") ?? ""));
    }
    return brackets;
  });
}

test.each([
  ["bracken-en-small", {}],
  ["bracken-en", { model: "here:bracken-en" }],
])("%s gives the same brackets for 50 sentences, and is fetched once", async (model, choice) => {
  const page = await visit.open(`#/parse?${new URLSearchParams({ text: TEXT, ...choice })}`);
  const found = await bracketsOf(page);
  const parser = await loadParser(model, { workers: 0 });
  const { sentences: expected } = await parser.parseText(TEXT);
  await parser.close();
  expect(expected).toHaveLength(50);
  expect(found).toEqual(expected.map(({ spans }) => spanKeys(spans)));
  expect(await page.locator("#view-parse .status").textContent()).toMatch(
    new RegExp(
      `50 sentences, parsed by ${model} in this browser \\((GPU|one thread|\\d threads)\\)`,
    ),
  );

  const asked: string[] = [];
  page.context().on("request", (request) => asked.push(new URL(request.url()).pathname));
  const link = new URLSearchParams({ text: "The ferry was late.", ...choice });
  await parsed(await visit.beside(page, `#/parse?${link}`));
  expect(asked).toContain(`/models/${model}/manifest.json`);
  expect(asked.filter((path) => /safetensors|tokenizer|config/.test(path))).toEqual([]);
});
