/** What a tree on the page is, as its elements tell, and what people do to it. */

import type { Locator, Page } from "playwright-core";
import type { ParsedDocument } from "../../src/parser/document.js";
import { percent } from "../../web/tree/nodes.js";

/** The sentences on the page, drawn or not. */
export function sentences(page: Page): Locator {
  return page.locator("#view-parse .sentence");
}

/** Waits until all sentences are there. */
export async function parsed(page: Page): Promise<void> {
  await page.waitForFunction(
    () => document.querySelector("#view-parse .status")?.textContent !== "",
    null,
    { timeout: 30_000 },
  );
  await page.waitForSelector("#view-parse [role=tree]");
}

/** Types a text, parses it and waits. */
export async function parseText(page: Page, text: string): Promise<void> {
  await page.getByLabel("Text to parse").first().fill(text);
  await page.getByRole("button", { name: "Parse", exact: true }).click();
  await parsed(page);
}

/** The spans of the phrases that are drawn, as `begin-end`, in order. */
export function phrases(sentence: Locator): Promise<string[]> {
  return sentence
    .locator(".phrase")
    .evaluateAll((all) => all.map((each) => each.getAttribute("data-span") ?? ""));
}

export function words(sentence: Locator): Promise<string[]> {
  return sentence
    .locator(".word")
    .evaluateAll((all) => all.map((each) => each.getAttribute("aria-label") ?? ""));
}

export function phrase(sentence: Locator, span: string): Locator {
  return sentence.locator(`.phrase[data-span="${span}"]`);
}

/** Drags the mouse from one word to another. */
export async function dragWords(
  page: Page,
  sentence: Locator,
  from: number,
  to: number,
): Promise<void> {
  const middle = async (index: number) => {
    const box = await sentence.locator(".word").nth(index).boundingBox();
    if (!box) throw new Error(`word ${index} is not to be seen`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  await sentence.scrollIntoViewIfNeeded();
  const [begin, end] = [await middle(from), await middle(to)];
  await page.mouse.move(begin.x, begin.y);
  await page.mouse.down();
  await page.mouse.move((begin.x + end.x) / 2, end.y, { steps: 3 });
  await page.mouse.move(end.x, end.y, { steps: 3 });
  await page.mouse.up();
}

export function spanKeys(spans: readonly { begin: number; end: number }[]): string[] {
  return spans.map(({ begin, end }) => `${begin}-${end}`);
}

/** The span that has the focus, or undefined. */
export function focused(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.activeElement?.getAttribute("data-span") ?? undefined);
}

/** An attribute of each element. */
export function attributes(found: Locator, name: string): Promise<(string | null)[]> {
  return found.evaluateAll((all, key) => all.map((each) => each.getAttribute(key)), name);
}

/** The labels of the phrases that are drawn, in order. */
export function labels(sentence: Locator): Promise<(string | null)[]> {
  return attributes(sentence.locator(".phrase"), "data-label");
}

/** The rows of the list beside a tree, as the texts of their cells. */
export function rows(sentence: Locator): Promise<string[][]> {
  return sentence
    .locator(".phrases tbody tr")
    .evaluateAll((all) =>
      all.map((row) => [...row.children].map((cell) => cell.textContent ?? "")),
    );
}

/** The rows that the phrases of a sentence should have. */
export function rowsOf(document: ParsedDocument, sentence = 0): string[][] {
  return document
    .phrases()
    .filter((phrase) => phrase.sentence === sentence)
    .map(({ label, text, head, probability = 0, begin, end }) => {
      return [label, text, head, percent(probability), `${begin}–${end}`];
    });
}

/** The phrases that are drawn as `begin-end:label`, parents first. */
export async function labelledSpans(sentence: Locator): Promise<string[]> {
  const [spans, names] = [await phrases(sentence), await labels(sentence)];
  return spans.map((span, index) => `${span}:${names[index]}`);
}

/** Long sentences are folded at first. */
export async function unfold(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Unfold all" }).click();
}
