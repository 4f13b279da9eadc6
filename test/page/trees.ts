/** What a tree on the page is, as its elements tell, and what people do to it. */

import type { Locator, Page } from "playwright-core";

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
