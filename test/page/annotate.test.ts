/** Questions on the page: a real service, a real browser, people with keys, mice, fingers and screen readers. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { expect, test } from "vitest";
import { type AnswerEvent, parseEvent } from "../../src/brackets/annotation-log.js";
import { writeTinyCorpus } from "../annotate/tiny-corpus.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { type Served, serve } from "../service/serving.js";
import { temporaryFolder } from "../temporary.js";
import { violationsOf } from "./axe.js";
import { visitService } from "./browser.js";
import { dragWords } from "./trees.js";

const folder = temporaryFolder();
const log = join(folder, "my.jsonl");
let service: Served;

const startService = (...options: string[]) =>
  serve(
    join(folder, "model"),
    ...["--annotate", log, "--corpus", join(folder, "corpus.txt")],
    ...["--learn-every", "12", ...options],
  );

const visit = visitService(async () => {
  await writeTinyModel(folder, { decoding: "phrases" });
  writeTinyCorpus(join(folder, "corpus.txt"), 80);
  service = await startService();
  return service;
});

const events = () =>
  readFileSync(log, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => parseEvent(line) as AnswerEvent);
const eventsBy = (by: string) => events().filter((event) => event.by === by);
const view = (page: Page) => page.locator("#view-annotate");
const sentence = (page: Page) => view(page).locator(".asked");
const marked = (page: Page) => sentence(page).locator("mark").textContent();
const card = (page: Page) => view(page).locator(".question");

/** Signs in and waits for the first question. */
async function begin(name: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await visit.open("#/annotate", options);
  await page.getByLabel("Your name").fill(name);
  await page.keyboard.press("Enter");
  await card(page).waitFor();
  return page;
}

/** Waits until a person has given so many answers, and undone so many. */
const saved = (by: string, count: number) => expect.poll(() => eventsBy(by).length).toBe(count);

/** Does something that answers, and waits for the next question. */
async function answer(page: Page, act: () => Promise<void>): Promise<string> {
  const before = await sentence(page).textContent();
  const span = await marked(page);
  await act();
  await expect
    .poll(async () => [await sentence(page).textContent(), await marked(page)])
    .not.toEqual([before, span]);
  return span ?? "";
}

test("keys and buttons answer, each answer is saved, and the last ones are undone", async () => {
  const page = await begin("Ann");
  const first = await answer(page, () => page.keyboard.press("y"));
  await answer(page, () => page.getByRole("button", { name: "No", exact: true }).click());
  await answer(page, () => page.keyboard.press("S"));
  expect(eventsBy("Ann").map(({ verdict }) => verdict)).toEqual(["yes", "no", "skip"]);
  const { tokens, span } = eventsBy("Ann")[0] as AnswerEvent;
  expect(tokens.slice(...span).join(" ")).toBe(first);
  expect(await view(page).locator(".standing p").first().textContent()).toContain("2 answers");
  await answer(page, () => page.keyboard.press("u"));
  await answer(page, () => page.getByRole("button", { name: "Undo" }).click());
  expect(eventsBy("Ann").filter((event) => "undo" in event)).toHaveLength(2);
  await page.reload();
  await card(page).waitFor();
  const again = eventsBy("Ann")[1] as AnswerEvent;
  expect(await marked(page)).toBe(again.tokens.slice(...again.span).join(" "));
  expect(await view(page).textContent()).toContain("You are Ann.");
});

test("the right words are marked with the mouse, with arrow keys or with a finger", async () => {
  const page = await begin("Bob");
  const span = async () => {
    const words = await sentence(page).locator(".word").allTextContents();
    const inside = await sentence(page).locator("mark .word").allTextContents();
    const before = await sentence(page).evaluate((all) => {
      const words = [...all.querySelectorAll(".word")];
      return words.findIndex((word) => word.closest("mark"));
    });
    return { words, begin: before, end: before + inside.length };
  };
  const asked = await span();
  const from = asked.begin === 0 && asked.end === 2 ? 1 : 0;
  await dragWords(page, sentence(page), from, from + 1);
  const instead = view(page).locator(".choice");
  expect(await instead.locator("q").textContent()).toBe(
    asked.words.slice(from, from + 2).join(" "),
  );
  await answer(page, () => instead.getByRole("button", { name: "No, this" }).click());
  expect(eventsBy("Bob")[0]).toMatchObject({ verdict: "no", right: [from, from + 2] });
  // By keys: the first word moves by left and right, the last one by down and up.
  const next = await span();
  const isLeft = next.begin > 0;
  await sentence(page).focus();
  await page.keyboard.press(isLeft ? "ArrowLeft" : "ArrowUp");
  expect(await instead.isVisible()).toBe(true);
  await page.keyboard.press("Escape");
  expect(await instead.isVisible()).toBe(false);
  await page.keyboard.press(isLeft ? "ArrowLeft" : "ArrowUp");
  await answer(page, () => page.keyboard.press("Enter"));
  expect(eventsBy("Bob")[1]?.right).toEqual(
    isLeft ? [next.begin - 1, next.end] : [next.begin, next.end + 1],
  );
  // A finger taps the first and the last word.
  const phone = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true };
  const other = await begin("Cy", phone);
  const isFirst = (await other.locator(".asked mark .word").count()) === 2;
  await sentence(other).locator(".word").nth(0).tap();
  expect(await other.getByText("tap another word").isVisible()).toBe(true);
  await sentence(other)
    .locator(".word")
    .nth(isFirst ? 2 : 1)
    .tap();
  await other.getByRole("button", { name: "No, this" }).tap();
  await saved("Cy", 1);
  expect(eventsBy("Cy")[0]?.right).toEqual([0, isFirst ? 3 : 2]);
});

test("people at the same time have different sentences, and see each other's answers counted", async () => {
  const [one, two] = [await begin("Dee"), await begin("Eve")];
  for (let count = 1; count <= 4; count++) {
    expect(await sentence(one).textContent()).not.toBe(await sentence(two).textContent());
    await Promise.all([one, two].map((page) => answer(page, () => page.keyboard.press("n"))));
  }
  await expect
    .poll(() => view(one).locator(".standing p").first().textContent())
    .toMatch(/4 of them yours; .* people answer/);
});

test("models learn meanwhile, and the curve is there", async () => {
  const page = await begin("Flo");
  for (let count = 0; count < 16; count++) {
    await answer(page, () => page.keyboard.press(count % 2 ? "y" : "n"));
  }
  const plot = view(page).locator(".plot");
  await plot.waitFor({ timeout: 50_000 });
  expect(await plot.locator("svg").getAttribute("aria-label")).toMatch(
    /at answers 0, .* at answers/,
  );
  expect(await plot.textContent()).toMatch(/\d+ of \d+ after \d+ answers, \d+ at first/);
}, 120_000);

test("single keys can be switched off, and stay off", async () => {
  const page = await begin("Gus");
  const keys = page.getByLabel("Answer with the keys");
  await keys.uncheck();
  const before = await sentence(page).textContent();
  await page.keyboard.press("y");
  await page.reload();
  await card(page).waitFor();
  expect(await keys.isChecked()).toBe(false);
  await page.keyboard.press("y");
  await answer(page, () => page.getByRole("button", { name: "Skip" }).click());
  expect(eventsBy("Gus").map(({ verdict }) => verdict)).toEqual(["skip"]);
  expect(await sentence(page).textContent()).not.toBe(before);
  // Typing a name is no answer either.
  await keys.check();
  await page.getByRole("button", { name: "Change" }).click();
  await page.getByLabel("Your name").fill("");
  await page.keyboard.type("sunny");
  expect(eventsBy("Gus")).toHaveLength(1);
});

test("an answer that could not be saved is said to be so, and can be given again", async () => {
  visit.expectError(/ERR_CONNECTION|ERR_EMPTY/);
  const page = await begin("Hal");
  const span = await marked(page);
  service.child.kill("SIGKILL");
  await service.exited;
  await page.keyboard.press("y");
  await view(page).locator(".problem[role=alert]:visible").first().waitFor();
  expect(await marked(page)).toBe(span);
  service = await startService("--port", String(service.port));
  await page.keyboard.press("y");
  await saved("Hal", 1);
  const { tokens, span: kept } = eventsBy("Hal")[0] as AnswerEvent;
  expect(tokens.slice(...kept).join(" ")).toBe(span);
});

test.each([
  ["light", { width: 1200, height: 900 }],
  ["dark", { width: 320, height: 640 }],
] as const)("in %s it can be read by everyone, on any screen", async (colorScheme, viewport) => {
  const page = await visit.open("#/annotate", { colorScheme, viewport });
  const fits = async () => {
    const [content, screen] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      innerWidth,
    ]);
    expect(content).toBe(screen);
  };
  expect(await violationsOf(page)).toEqual([]);
  await page.getByLabel("Your name").fill(`Ida ${colorScheme}`);
  await page.keyboard.press("Enter");
  await card(page).waitFor();
  await view(page).locator(".plot").waitFor();
  expect(await page.evaluate(() => document.activeElement?.className)).toBe("asked");
  const told = await view(page).locator("[role=status]").first().textContent();
  expect(told).toContain(`Is “${await marked(page)}” a phrase?`);
  expect(await violationsOf(page)).toEqual([]);
  await fits();
  await page.keyboard.press(
    (await sentence(page).textContent())?.startsWith((await marked(page)) ?? "")
      ? "ArrowUp"
      : "ArrowLeft",
  );
  await view(page).locator(".choice").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await fits();
});

test("without --annotate there is no such view", async () => {
  const plain = await serve(join(folder, "model"));
  const page = await visit.open("#/parse");
  expect(await page.getByRole("tab", { name: "Annotate" }).count()).toBe(1);
  visit.expectError(/request/);
  await page.goto(`${plain.url}#/annotate`);
  await page.getByRole("tab", { name: "Parse", selected: true }).waitFor();
  expect(await page.getByRole("tab", { name: "Annotate" }).count()).toBe(0);
});
