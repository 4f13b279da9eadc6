/** Trees for people: the tour, what fits on a screen, phones and fingers, paper, people who want no motion. */

import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { TINY_LABELS, writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { visitPage } from "./browser.js";
import { dragWords, parsed, phrases, sentences } from "./trees.js";

const SENTENCE = "The old man sat on the red bench by the door.";
const PHRASE = "the old man sat by the red door and ";
const LONG = `${PHRASE.repeat(6)}ran.`;
const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
};

const folder = temporaryFolder();
const visit = visitPage(async () => {
  await writeTinyModel(folder, { labels: TINY_LABELS });
  return folder;
});

const link = (fields: Record<string, string>) => `#/parse?${new URLSearchParams(fields)}`;

async function open(fields: Record<string, string>, options = {}): Promise<Page> {
  const page = await visit.open(link(fields), options);
  await parsed(page);
  return page;
}

/** By how many pixels a drawing is larger than its window. */
function overflow(page: Page): Promise<number[]> {
  return page
    .locator(".viewport")
    .first()
    .evaluate((area) => [
      area.scrollWidth - area.clientWidth,
      area.scrollHeight - area.clientHeight,
    ]);
}

test("the tour shows folding, forcing, the slider and exports, and can be skipped", async () => {
  const page = await open({ text: SENTENCE });
  const first = sentences(page).first();
  const card = page.getByRole("region", { name: "Tour" });
  expect(await card.isVisible()).toBe(false);
  await page.getByRole("button", { name: "Take the tour" }).click();
  const next = async (step: RegExp) => {
    expect(await card.getByRole("status").textContent()).toMatch(step);
    expect(await page.locator(".toured").count()).toBe(1);
    await card.getByRole("button", { name: /Next|Done/ }).click();
  };
  await first.locator(".phrase").nth(1).locator(".name").click();
  await first.locator(".phrase.folded .name").click();
  await next(/^1 of 4 .*fold.* Done\.$/);
  await dragWords(page, first, 1, 2);
  await first.getByRole("button", { name: "Require" }).click();
  await next(/^2 of 4 .*Require.* Done\.$/);
  await page.getByLabel("From flat to all phrases").fill("50");
  await next(/^3 of 4 .*flat.* Done\.$/);
  await first.getByText("Export").click();
  await next(/^4 of 4 .*picture.* Done\.$/);
  expect(await card.isVisible()).toBe(false);
  await page.getByRole("button", { name: "Take the tour" }).click();
  await card.getByRole("button", { name: "Skip the tour" }).click();
  expect([await card.isVisible(), await page.locator(".toured").count()]).toEqual([false, 0]);
});

describe("what does not fit", () => {
  test("is folded at first if it is long, is unfolded at a press, and fits when asked to", async () => {
    const page = await open({ text: LONG });
    const first = sentences(page).first();
    expect(await first.locator(".facts").textContent()).toContain("folded to fit");
    expect(await first.locator(".phrase.folded").count()).toBeGreaterThan(0);
    expect(page.url()).not.toContain("fold=");
    expect((await overflow(page))[0]).toBeLessThanOrEqual(0);
    await first.getByRole("button", { name: "Unfold all" }).click();
    expect(await first.locator(".phrase.folded").count()).toBe(0);
    expect((await overflow(page))[0]).toBeGreaterThan(0);
    await first.getByRole("button", { name: "Fit to the page" }).click();
    expect(Math.max(...(await overflow(page)))).toBeLessThanOrEqual(0);
  });

  test("fits by its button, however long it is", async () => {
    const page = await open({ text: PHRASE.repeat(38), fold: "0:0-1" });
    await page.getByRole("button", { name: "Fit to the page" }).first().click();
    expect(Math.max(...(await overflow(page)))).toBeLessThanOrEqual(0);
  });

  test("above the limit it is said so, and its words are shown as text", async () => {
    const page = await open({ text: PHRASE.repeat(50) });
    const first = sentences(page).first();
    expect(await first.locator(".facts").textContent()).toBe(
      "450 words · over 400 words: not parsed; no phrases are shown",
    );
    expect(await first.locator("svg").count()).toBe(0);
    expect(await first.locator(".brackets .word").count()).toBe(450);
  });

  test("a wide screen is used to its edges", async () => {
    const page = await open({ text: LONG }, { viewport: { width: 2400, height: 1000 } });
    const width = await sentences(page)
      .first()
      .evaluate((element) => element.getBoundingClientRect().width);
    expect(width).toBeGreaterThan(2300);
  });
});

describe("on a phone", () => {
  test("the tree comes before the controls, whole, and the tools are folded away", async () => {
    const page = await open({ text: SENTENCE }, PHONE);
    const top = async (selector: string) =>
      (await page.locator(selector).first().boundingBox())?.y ?? Number.NaN;
    expect(await top(".sentence")).toBeLessThan(await top("#view-parse textarea"));
    expect(await top(".sentence .viewport")).toBeLessThan(844 / 2);
    expect((await overflow(page))[0]).toBeLessThanOrEqual(0);
    expect(await page.getByLabel("From flat to all phrases").isVisible()).toBe(false);
    await page.getByRole("button", { name: "Display" }).tap();
    expect(await page.getByLabel("From flat to all phrases").isVisible()).toBe(true);
  });

  test("two fingers zoom the tree and not the page", async () => {
    const page = await open({ text: SENTENCE }, PHONE);
    const svg = sentences(page).first().locator("svg");
    const width = async () => Number(await svg.getAttribute("width"));
    const before = await width();
    const box = await page.locator(".viewport").first().boundingBox();
    const [x, y] = [(box?.x ?? 0) + 150, (box?.y ?? 0) + (box?.height ?? 0) - 8];
    const session = await page.context().newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", apart: number) =>
      session.send("Input.dispatchTouchEvent", {
        type,
        touchPoints:
          type === "touchEnd"
            ? []
            : [
                { x: x - apart, y, id: 0 },
                { x: x + apart, y, id: 1 },
              ],
      });
    await touch("touchStart", 20);
    for (const apart of [30, 45, 60, 80]) await touch("touchMove", apart);
    await touch("touchEnd", 0);
    await expect.poll(width).toBeGreaterThan(before * 1.5);
    expect(await page.evaluate(() => visualViewport?.scale)).toBe(1);
  });
});

test("chosen words are shown in boxes, too", async () => {
  const page = await open({ text: SENTENCE, drawing: "boxes" });
  const first = sentences(page).first();
  const fill = (word: number) =>
    first
      .locator(".word .hit")
      .nth(word)
      .evaluate((element) => getComputedStyle(element).fill);
  const before = await fill(2);
  await dragWords(page, first, 1, 3);
  expect(await fill(2)).not.toBe(before);
  expect(await fill(5)).toBe(before);
});

test("on paper there are the trees, dark on white, and no tools", async () => {
  const page = await open({ text: `${SENTENCE} A dog ran.` }, { colorScheme: "dark" });
  const colours = () =>
    sentences(page)
      .first()
      .locator(".phrase")
      .first()
      .evaluate((element) => element.getAttribute("color"));
  const dark = await colours();
  await page.emulateMedia({ media: "print" });
  await expect.poll(colours).not.toBe(dark);
  for (const tool of ["textarea", ".toolbar", ".tools", ".intro", "header.frame"]) {
    expect(await page.locator(tool).first().isVisible(), tool).toBe(false);
  }
  expect(await sentences(page).first().locator("svg").isVisible()).toBe(true);
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
    "rgb(255, 255, 255)",
  );
  const pdf = await page.pdf({ format: "A4" });
  expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
});

test("who wants no motion sees none", async () => {
  const page = await open({ text: SENTENCE });
  const moving = await page.evaluate(
    () =>
      [...document.querySelectorAll("*")].filter((element) => {
        const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(element);
        return transitionDuration !== "0s" || animationName !== "none" || scrollBehavior !== "auto";
      }).length,
  );
  expect(moving).toBe(0);
});

test("a tree says in words how sure the parser is of it", async () => {
  const page = await open({ text: SENTENCE });
  const facts = await sentences(page).first().locator(".facts").textContent();
  const [, sure, all] = /sure of (\d+) of (\d+) phrases, least of “.+” \(<?\d+ %\)/.exec(
    facts ?? "",
  ) as unknown as [string, string, string];
  const spans = new Set(await phrases(sentences(page).first()));
  expect(Number(sure)).toBeLessThan(Number(all));
  expect(Number(all)).toBeLessThanOrEqual(spans.size);
  expect(facts).not.toContain("score");
});
