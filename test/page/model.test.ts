/** The bundled model in the browser itself, against the same model under Node. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadParser } from "../../src/parser/load-parser.js";
import { ROOT } from "../cli/run.js";
import { visitPage } from "./browser.js";
import { parsed, spanKeys } from "./trees.js";

const TEXT = readFileSync(new URL("../fixtures/sentences.txt", import.meta.url), "utf8");

const visit = visitPage(() => join(ROOT, "models"));

test("gives the same brackets for 50 sentences, and is fetched once", async () => {
  const page = await visit.open(`#/parse?${new URLSearchParams({ text: TEXT })}`);
  await parsed(page);
  const found = await page.evaluate(async () => {
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
  const parser = await loadParser("default", { workers: 0 });
  const { sentences: expected } = await parser.parseText(TEXT);
  await parser.close();
  expect(expected).toHaveLength(50);
  expect(found).toEqual(expected.map(({ spans }) => spanKeys(spans)));
  expect(await page.locator("#view-parse .status").textContent()).toMatch(
    /50 sentences, parsed by bracken-en in this browser \((GPU|one thread|\d threads)\)/,
  );

  const asked: string[] = [];
  page.context().on("request", (request) => asked.push(new URL(request.url()).pathname));
  const again = await visit.beside(page, "#/parse?text=The+ferry+was+late.");
  await parsed(again);
  expect(asked).toContain("/models/bracken-en/manifest.json");
  expect(asked.filter((path) => /safetensors|tokenizer|config/.test(path))).toEqual([]);
});
