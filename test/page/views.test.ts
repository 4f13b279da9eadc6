/** Comparing trees, looking at data, watching training. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PROTOCOLS, prepareGold, scorePrediction } from "../../src/evaluation/index.js";
import { loadParser } from "../../src/parser/load-parser.js";
import type { Parser } from "../../src/parser/parser.js";
import { constituents, leaves, parsePenn, type Tree } from "../../src/trees/index.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { tinyData } from "../training/tiny-encoder.js";
import { visitPage } from "./browser.js";

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

describe("comparing", () => {
  const GOLD = `(S (NP (DT The) (JJ old) (NN man)) (VP (VBD sat) (PP (IN on) (NP (DT a) (JJ red) (NN bench)))) (. .))
    (S (NP (DT A) (NN dog)) (VP (VBD ran) (PP (IN by) (NP (DT the) (NN door)))) (. .))`;

  async function compare(page: Page, gold: string, protocol = "nob"): Promise<void> {
    await page.getByLabel("Gold trees", { exact: true }).fill(gold);
    await page.getByLabel("Protocol").selectOption(protocol);
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    await page.locator("#view-compare .sentences:not(.before) [role=tree]").first().waitFor();
  }

  test.each(["nob", "kim", "kim-nofull"] as const)(
    "the F1 under %s is the library's",
    async (name) => {
      const page = await visit.revisit("#/compare");
      await compare(page, GOLD, name);
      const protocol = PROTOCOLS[name];
      const scores = await Promise.all(
        parsePenn(GOLD).map(async (tree) => {
          const [parse] = await parser.parseSentences([{ leaves: leaves(tree) }]);
          const gold = prepareGold({ tree, file: "", line: 1 }, protocol);
          const predicted = { tree: parse?.tree as Tree, file: "", line: 1 };
          return gold ? scorePrediction(gold, predicted, protocol).f1 : 0;
        }),
      );
      const mean = (100 * scores.reduce((sum, f1) => sum + f1)) / scores.length;
      expect(await page.locator(".score strong").textContent()).toBe(`${mean.toFixed(1)} %`);
      expect(await page.locator(".compared").first().textContent()).toContain(
        `F1 ${(100 * (scores[0] as number)).toFixed(1)} %`,
      );
    },
  );

  test("what crosses is marked, in both trees, and nothing else", async () => {
    const page = await visit.revisit("#/compare");
    await page.getByLabel("First parser").selectOption("baseline:left");
    await compare(page, GOLD, "kim");
    const marks = await page
      .locator(".compared")
      .first()
      .locator("g[role=tree]")
      .evaluateAll((trees) =>
        trees.map((tree) =>
          [...tree.querySelectorAll(".phrase")].map((each) => [
            each.getAttribute("data-span"),
            each.classList.contains("crossing"),
          ]),
        ),
      );
    const [gold] = parsePenn(GOLD) as [Tree];
    const left = Array.from({ length: 8 }, (_, index) => [0, index + 2]);
    const crosses = ([a, b]: number[], [c, d]: number[]) =>
      (a as number) < (c as number) &&
      (c as number) < (b as number) &&
      (b as number) < (d as number);
    const goldSpans = constituents(gold).map(({ begin, end }) => [begin, end]);
    const expected = [left, goldSpans].map((own, index) => {
      const other = index === 0 ? goldSpans : left;
      return own
        .map((span) => [
          span.join("-"),
          // The full stop does not count: what ends with it ends before it.
          other.some((each) => crosses(trim(span), trim(each)) || crosses(trim(each), trim(span))),
        ])
        .sort();
    });
    expect(marks.map((tree) => tree.sort())).toEqual(expected);
    expect(marks.flat().filter(([, isCrossing]) => isCrossing).length).toBeGreaterThan(1);
    const colour = await page
      .locator(".edge.crossing")
      .first()
      .evaluate((edge) => getComputedStyle(edge).stroke);
    const [red, green, blue] = (colour.match(/\d+/g) ?? []).map(Number) as [number, number, number];
    expect(red).toBeGreaterThan(2 * Math.max(green, blue));
  });

  function trim([begin, end]: number[]): number[] {
    return [begin as number, Math.min(8, end as number)];
  }

  test("two parsers are compared over a text; one with itself is perfect", async () => {
    const page = await visit.revisit(
      "#/compare?mode=two&text=A+dog+ran+by+the+door.+The+man+sat+down.",
    );
    await page.locator("#view-compare .sentences:not(.before) [role=tree]").first().waitFor();
    expect(await page.locator(".compared").count()).toBe(2);
    await page.getByLabel("Second parser").selectOption("here:model");
    await expect.poll(() => page.locator(".score strong").textContent()).toBe("100.0 %");
    expect(await page.locator(".phrase.crossing, .phrase.other").count()).toBe(0);
  });

  test("gold trees may have no labels", async () => {
    const page = await visit.revisit("#/compare");
    await compare(page, "((the (old man)) (sat down))");
    expect(await page.locator(".compared .word").count()).toBe(5);
    expect(await page.locator(".score").textContent()).toContain("F1");
  });

  test("what is no tree is told where it is wrong", async () => {
    const page = await visit.revisit("#/compare");
    await page.getByLabel("Gold trees", { exact: true }).fill("(S (NP (DT The) (NN man))");
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    const problem = page.locator("#view-compare .problem");
    await problem.waitFor();
    expect(await problem.textContent()).toContain(
      "Gold trees, line 1, character 1: this bracket is never closed",
    );
  });

  test("a link restores what was compared", async () => {
    const page = await visit.revisit("#/compare");
    await page.getByLabel("First parser").selectOption("baseline:right");
    await compare(page, GOLD, "kim");
    const scores = await page.locator(".result").textContent();
    await expect.poll(() => page.url()).toContain("protocol=kim");
    const again = await visit.open(new URL(page.url()).hash);
    await again.locator("#view-compare .sentences:not(.before) [role=tree]").first().waitFor();
    expect(await again.locator(".result").textContent()).toBe(scores);
  });
});

describe("a data set", () => {
  const lines = tinyData(60).trimEnd().split("\n");
  const odd = {
    tokens: ["Crossing", "brackets", "are", "<b>drawn</b>", "too"],
    brackets: [
      [0, 3],
      [1, 4],
      [0, 3],
    ],
    kinds: ["answer", "link", "predicate"],
    weights: [2, 1, 1],
    source: "odd",
    id: "1",
  };
  const text = `${[JSON.stringify(odd), ...lines].join("\n")}\n`;

  async function open(page: Page, name: string, content: string | Buffer): Promise<void> {
    const file = join(folder, name);
    writeFileSync(file, content);
    await page.setInputFiles("#view-data input[type=file]", file);
    await page.getByText(`Open: ${name}`).waitFor();
    await page.waitForFunction(
      () => document.querySelector<HTMLElement>("#view-data .progress")?.hidden,
    );
  }

  const fact = (page: Page, name: string) =>
    page.locator("#view-data dt", { hasText: name }).first().locator("xpath=../dd").textContent();

  test("is shown with its brackets, page by page, and counted", async () => {
    const page = await visit.open("#/data");
    await open(page, "set.jsonl", text);
    expect(await fact(page, "Sentences")).toBe("61");
    expect(await fact(page, "Brackets")).toBe(String(2 + 60 * 3));
    const first = page.locator(".bracketing").first();
    expect(await first.locator(".words").textContent()).toBe(`${odd.tokens.join(" ")} `);
    expect(await first.locator(".unseen li").allTextContents()).toEqual([
      "answer: Crossing brackets are, given 2 times",
      "predicate: Crossing brackets are, given 1 times",
      "link: brackets are <b>drawn</b>, given 1 times",
    ]);
    const covered = await first
      .locator(".cell")
      .evaluateAll((cells) =>
        cells.map((cell) => [...cell.querySelectorAll("i")].filter((line) => line.title).length),
      );
    expect(covered).toEqual([2, 3, 3, 1, 0]);
    expect(await page.locator(".bracketing").count()).toBe(25);
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("2 of 3").waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("3 of 3").waitFor();
    await expect.poll(() => page.locator(".bracketing").count()).toBe(11);
    expect(await page.locator("#view-data .plot").count()).toBe(5);
  });

  test("is filtered by text, kind, source and length, and the link keeps the filter", async () => {
    const page = await visit.open("#/data");
    await open(page, "set.jsonl", text);
    const sentences = () => fact(page, "Sentences");
    const records = lines.map((line) => JSON.parse(line) as { tokens: string[] });
    const count = (test: (words: string) => boolean) =>
      String(records.filter(({ tokens }) => test(tokens.join(" "))).length);
    await page.getByLabel("Text", { exact: true }).fill("red dog");
    await expect.poll(sentences).toBe(count((words) => words.includes("red dog")));
    await page.getByLabel("Text", { exact: true }).fill("/^the (man|dog) ran/");
    await expect.poll(sentences).toBe(count((words) => /^the (man|dog) ran/.test(words)));
    await page.getByLabel("Text", { exact: true }).fill("");
    await page.getByLabel("Least words").fill("8");
    await expect.poll(sentences).toBe(count((words) => words.split(" ").length >= 8));
    await page.getByLabel("Least words").fill("");
    await expect.poll(sentences).toBe("61");
    await page.getByLabel("Source", { exact: true }).selectOption("odd");
    await expect.poll(sentences).toBe("1");
    await page.getByLabel("Kind", { exact: true }).selectOption("link");
    await expect.poll(() => fact(page, "Brackets")).toBe("1");
    await expect.poll(() => page.url()).toContain("kind=link&source=odd");
    const again = await visit.open(new URL(page.url()).hash);
    await open(again, "set.jsonl", text);
    // The sample, which the page shows first, has no such bracket.
    await expect
      .poll(() => again.locator(".bracketing .unseen li").allTextContents())
      .toEqual(["link: brackets are <b>drawn</b>"]);
  });

  test("may be compressed, and may have lines that are wrong", async () => {
    const page = await visit.open("#/data");
    await open(page, "set.jsonl.gz", gzipSync(`${text}{"tokens": 3}\nno JSON\n\n`));
    expect(await fact(page, "Sentences")).toBe("61");
    const told = await page.locator("#view-data .problem").textContent();
    expect(told).toContain('line 62: "tokens" must be a list of non-empty strings');
    expect(told).toContain("line 63: not valid JSON");
    await page.getByLabel("Text", { exact: true }).fill("crossing");
    await expect.poll(() => fact(page, "Sentences")).toBe("1");
  });
});

describe("training", () => {
  const record = (step: number, more: object = {}) => ({
    step,
    loss: 10 / step,
    violations: 1 / step,
    gradientNorm: 5,
    rate: 1e-4 / step,
    tokensPerSecond: 1200,
    seconds: step,
    ...more,
  });
  const log = (steps: number) =>
    Array.from({ length: steps }, (_, index) =>
      JSON.stringify(record(index + 1, index === steps - 1 ? { bracketRecall: 0.75 } : {})),
    ).join("\n");

  test("logs are drawn as curves of five measures, beside each other", async () => {
    const page = await visit.open("#/training");
    for (const [name, steps] of [
      ["one.jsonl", 20],
      ["two.jsonl", 40],
    ] as const) {
      writeFileSync(join(folder, name), `${log(steps)}\n`);
      await page.setInputFiles("#view-training input[type=file]", join(folder, name));
    }
    await page.locator("tbody tr").nth(1).waitFor();
    const titles = await page.locator("#view-training figcaption").allTextContents();
    expect(titles).toEqual([
      "Loss",
      "Violations, % of sentences",
      "Gradient norm",
      "Bracket recall, %",
      "Learning rate",
    ]);
    const points = await page
      .locator(".plot")
      .first()
      .locator(".curve")
      .evaluateAll((all) => all.map((each) => each.getAttribute("points")?.split(" ").length));
    expect(points).toEqual([20, 40]);
    expect(await page.locator("tbody tr").nth(1).textContent()).toContain("400.2575.0 %1,200");
    const label = await page.locator(".plot svg").first().getAttribute("aria-label");
    expect(label).toContain("two.jsonl: 10 at step 1, 0.25 at step 40.");
    await page.locator(".plot svg").first().hover();
    expect(await page.locator(".plot").nth(4).locator("figcaption b").count()).toBe(2);
    await page.getByRole("button", { name: "Close one.jsonl" }).click();
    expect(await page.locator("tbody tr").count()).toBe(1);
  });

  test("what is no log is told", async () => {
    const page = await visit.open("#/training");
    writeFileSync(join(folder, "bad.jsonl"), `${log(2)}\n{"step": 3}\n`);
    await page.setInputFiles("#view-training input[type=file]", join(folder, "bad.jsonl"));
    const problem = page.locator("#view-training .problem");
    await problem.waitFor();
    expect(await problem.textContent()).toContain("bad.jsonl:3: not a record of a training log");
  });
});
