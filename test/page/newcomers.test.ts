/**
 * What newcomers want to do, each in at most the clicks that were written down before: here and in docs/page.md. Typing
 * and pasting are no clicks; a drag is one, and so is a file that is chosen.
 */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { bracken, ROOT } from "../cli/run.js";
import { temporaryFolder } from "../temporary.js";
import { tinyData } from "../training/tiny-encoder.js";
import { visitPage } from "./browser.js";
import { dragWords, parsed, sentences } from "./trees.js";

const MOST_CLICKS = {
  "find all noun phrases of a paragraph and copy them": 3,
  "make the parser keep 'the birds with the telescope' together": 3,
  "see how far two models differ": 2,
  "open my data": 2,
  "train on my docs": 2,
} as const;

const PARAGRAPH =
  "The ferry to the islands was late. My sister bought a red bicycle at the market. " +
  "A dog that lives next door barked at the postman.";

const visit = visitPage(() => join(ROOT, "models"));

/** A newcomer, whose clicks are counted. */
class Newcomer {
  readonly page: Page;
  clicks = 0;

  private constructor(page: Page) {
    this.page = page;
  }

  static async comes(): Promise<Newcomer> {
    const page = await visit.open();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await parsed(page);
    return new Newcomer(page);
  }

  async click(target: Locator): Promise<void> {
    this.clicks += 1;
    await target.click();
  }

  async drag(from: number, to: number): Promise<void> {
    this.clicks += 1;
    await dragWords(this.page, sentences(this.page).first(), from, to);
  }

  async choose(input: Locator, file: string): Promise<void> {
    this.clicks += 1;
    await input.setInputFiles(file);
  }

  async parse(text: string): Promise<void> {
    await this.page.getByLabel("Text to parse").first().fill(text);
    await this.click(this.page.getByRole("button", { name: "Parse", exact: true }));
    await parsed(this.page);
  }

  clipboard(): Promise<string> {
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  expectFew(task: keyof typeof MOST_CLICKS): void {
    expect(this.clicks, task).toBeLessThanOrEqual(MOST_CLICKS[task]);
  }
}

test("find all noun phrases of a paragraph and copy them", async () => {
  const newcomer = await Newcomer.comes();
  const { page } = newcomer;
  await newcomer.parse(PARAGRAPH);
  await newcomer.click(page.getByRole("button", { name: "NP", exact: true }));
  await newcomer.click(page.getByRole("button", { name: "Copy all phrases" }));
  await page.getByText("phrases copied").waitFor();
  const rows = (await newcomer.clipboard()).trimEnd().split("\n").slice(1);
  const cells = rows.map((row) => row.split("\t"));
  expect(new Set(cells.map(([label]) => label))).toEqual(new Set(["NP"]));
  const found = cells.map(([, phrase]) => phrase);
  for (const phrase of ["The ferry to the islands", "a red bicycle", "the market", "the postman"]) {
    expect(found).toContain(phrase);
  }
  expect(new Set(cells.map((row) => row[4]))).toEqual(new Set(["1", "2", "3"]));
  newcomer.expectFew("find all noun phrases of a paragraph and copy them");
});

test("make the parser keep 'the birds with the telescope' together", async () => {
  const newcomer = await Newcomer.comes();
  const { page } = newcomer;
  await newcomer.parse("She watched the birds with the telescope.");
  const phrase = page.locator('.phrase[data-span="2-7"]');
  // Otherwise there is nothing to do.
  expect(await phrase.count()).toBe(0);
  await newcomer.drag(2, 6);
  await newcomer.click(page.getByRole("button", { name: "Require" }));
  await phrase.waitFor();
  expect(await phrase.getAttribute("aria-label")).toContain(
    "NP of 5 words: the birds with the telescope",
  );
  newcomer.expectFew("make the parser keep 'the birds with the telescope' together");
});

test("see how far two models differ", async () => {
  const newcomer = await Newcomer.comes();
  const { page } = newcomer;
  await newcomer.click(page.getByRole("tab", { name: "Compare" }));
  await newcomer.click(page.getByLabel("Two parsers", { exact: true }));
  await page.locator(".ranking").waitFor();
  expect(await page.locator(".score").textContent()).toMatch(
    /^\d+\.\d %F1 of bracken-en-small against bracken-en,/,
  );
  await page.locator(".compared [role=tree]").first().waitFor();
  newcomer.expectFew("see how far two models differ");
});

test("open my data", async () => {
  const newcomer = await Newcomer.comes();
  const { page } = newcomer;
  const file = join(temporaryFolder(), "mine.jsonl");
  writeFileSync(file, tinyData(30));
  await newcomer.click(page.getByRole("tab", { name: "Data" }));
  await newcomer.choose(page.locator("#view-data input[type=file]"), file);
  await page.getByText("Open: mine.jsonl").waitFor();
  const count = page.locator("#view-data dd").first();
  await expect.poll(() => count.textContent()).toBe("30");
  newcomer.expectFew("open my data");
});

test("train on my docs", async () => {
  const newcomer = await Newcomer.comes();
  const { page } = newcomer;
  await newcomer.click(page.getByRole("tab", { name: "Training" }));
  await newcomer.click(page.getByRole("button", { name: "Copy the command" }));
  await page.getByText("Copied").waitFor();
  const [name, command = "", ...rest] = (await newcomer.clipboard()).split(" ");
  expect([name, rest.join(" ")]).toEqual(["bracken", "my-docs/ --out my-parser"]);
  const { code, stdout } = await bracken([command, "--help"]);
  expect(code).toBe(0);
  expect(stdout).toContain("--out");
  newcomer.expectFew("train on my docs");
});
