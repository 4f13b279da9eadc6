import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadParser } from "../../src/parser/load-parser.js";
import type { Parser } from "../../src/parser/parser.js";
import { toPenn } from "../../src/trees/index.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { visitPage } from "./browser.js";
import {
  dragWords,
  focused,
  parsed,
  parseText,
  phrase,
  phrases,
  sentences,
  spanKeys,
  unfold,
  words,
} from "./trees.js";

const TEXT = "The old man sat on the red bench by the door. A dog ran by.";
const LONG = Array.from({ length: 12 }, () => "the old man sat by the red door and").join(" ");

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

function link(fields: Record<string, string>): string {
  return `#/parse?${new URLSearchParams(fields)}`;
}

async function openText(
  fields: Record<string, string> = {},
): Promise<{ page: Page; first: Locator }> {
  const page = await visit.revisit(link({ text: TEXT, ...fields }));
  await parsed(page);
  return { page, first: sentences(page).first() };
}

describe("trees", () => {
  test("are those that the library gives, with the words in one line", async () => {
    const page = await visit.open();
    await parseText(page, TEXT);
    const { sentences: expected } = await parser.parseText(TEXT);
    expect(await sentences(page).count()).toBe(2);
    for (const [index, { spans, leaves }] of expected.entries()) {
      const sentence = sentences(page).nth(index);
      expect(await phrases(sentence)).toEqual(spanKeys(spans));
      expect(await words(sentence)).toEqual(leaves.map(({ word }) => word));
      const lines = await sentence
        .locator(".word text")
        .evaluateAll((all) => all.map((each) => each.getAttribute("y")));
      expect(new Set(lines).size).toBe(1);
    }
  });

  test("are the same as boxes and as brackets", async () => {
    const { page, first } = await openText();
    const [spans, found] = [await phrases(first), await words(first)];
    await page.getByLabel("Boxes").check();
    expect([await phrases(first), await words(first)]).toEqual([spans, found]);
    expect(await first.locator(".box").count()).toBe(spans.length);
    await page.getByLabel("Brackets").check();
    expect([await phrases(first), await words(first)]).toEqual([spans, found]);
    const [parse] = await parser.parseText(TEXT);
    const bare = toPenn(parse?.tree ?? { word: "" })
      .replace(/\(X /g, "[")
      .replaceAll(")", "]");
    expect(await first.locator(".brackets").textContent()).toBe(bare);
  });

  test("tell score and probability of the phrase under the pointer, and light up its words", async () => {
    const { page, first } = await openText();
    const [parse] = await parser.parseText(TEXT, { marginals: true });
    const span = parse?.spans[2] as NonNullable<typeof parse>["spans"][number];
    await phrase(first, `${span.begin}-${span.end}`).hover();
    const told = (await page.locator(".tooltip").textContent()) ?? "";
    expect(told).toContain(`${Math.round((span.marginal ?? 0) * 100)} %`);
    expect(told).toContain((span.score ?? Number.NaN).toFixed(2).replace("-", "−"));
    expect(await first.locator(".word.covered").count()).toBe(span.end - span.begin);
    await page.mouse.move(5, 5);
    expect(await page.locator(".tooltip").isHidden()).toBe(true);
  });

  test("are coloured by confidence, or not", async () => {
    const { page, first } = await openText();
    const colours = () =>
      first.locator(".phrase").evaluateAll((all) => all.map((each) => each.getAttribute("color")));
    expect(new Set(await colours()).size).toBeGreaterThan(2);
    await page.getByLabel("Confidence").uncheck();
    expect(new Set(await colours())).toEqual(new Set([null]));
  });

  test("become flat by the slider, losing improbable phrases only", async () => {
    const { page, first } = await openText();
    const binary = await phrases(first);
    let before = binary;
    for (const binarity of [90, 70, 50, 20, 0]) {
      await page.getByLabel("From flat to all phrases").fill(String(binarity));
      const found = await phrases(first);
      const threshold = 1 - binarity / 100;
      const [parse] = await parser.parseText(TEXT, { threshold });
      expect(found).toEqual(spanKeys(parse?.spans ?? []));
      expect(before).toEqual(expect.arrayContaining(found));
      before = found;
    }
    expect(before.length).toBeLessThan(binary.length);
    expect(before).toContain("0-12");
  });

  test("fold and unfold by click and by keyboard", async () => {
    const { page, first } = await openText();
    const all = await phrases(first);
    const span = all.find((each) => each !== "0-12" && spanLength(each) > 3) as string;
    await phrase(first, span).click();
    const inside = (each: string) => isInside(each, span) && each !== span;
    expect(await phrases(first)).toEqual(all.filter((each) => !inside(each)));
    expect(await phrase(first, span).getAttribute("aria-expanded")).toBe("false");
    expect(await words(first)).toHaveLength(12 - spanLength(span));
    expect(await focused(page)).toBe(span);
    await page.keyboard.press("Enter");
    expect(await phrases(first)).toEqual(all);
  });

  test("of one word and of no text do no harm", async () => {
    const page = await visit.open();
    await parseText(page, "Run");
    expect(await words(sentences(page).first())).toEqual(["Run"]);
    await page.getByLabel("Text to parse").first().fill("  \n ");
    await page.getByRole("button", { name: "Parse", exact: true }).click();
    await page.waitForFunction(() => document.querySelectorAll(".sentence").length === 0);
  });
});

describe("forced brackets", () => {
  test("dragging over words requires a bracket, and the tree changes at once", async () => {
    const { page, first } = await openText();
    const [begin, end] = await freeSpan(first);
    await dragWords(page, first, begin, end - 1);
    expect(await first.locator(".word.chosen").count()).toBe(end - begin);
    await first.getByRole("button", { name: "Require" }).click();
    const [input] = await parser.parseText(TEXT);
    const constrained = { leaves: input?.leaves ?? [], required: [{ begin, end }] };
    const [parse] = await parser.parseSentences([constrained]);
    expect(await phrases(first)).toEqual(spanKeys(parse?.spans ?? []));
    expect(await phrases(first)).toContain(`${begin}-${end}`);
    expect(await first.locator("path.required").count()).toBe(1);
    await first.getByRole("button", { name: /^Forget: must have/ }).click();
    expect(await phrases(first)).toEqual(spanKeys(input?.spans ?? []));
  });

  test("a phrase can be forbidden", async () => {
    const { page, first } = await openText();
    const span = (await phrases(first)).find((each) => each !== "0-12") as string;
    const [begin, end] = span.split("-").map(Number) as [number, number];
    await dragWords(page, first, begin, end - 1);
    await first.getByRole("button", { name: "Forbid" }).click();
    await first.locator("path.forbidden").waitFor();
    const [input] = await parser.parseText(TEXT);
    const constrained = { leaves: input?.leaves ?? [], forbidden: [{ begin, end }] };
    const [parse] = await parser.parseSentences([constrained]);
    expect(await phrases(first)).toEqual(spanKeys(parse?.spans ?? []));
    expect(await phrases(first)).not.toContain(span);
  });

  test("brackets that cannot be together are refused, and the tree stays", async () => {
    const { page, first } = await openText({ must: "0:1-4" });
    const before = await phrases(first);
    await dragWords(page, first, 2, 6);
    await first.getByRole("button", { name: "Require" }).click();
    await first.getByRole("alert").waitFor();
    expect(await first.getByRole("alert").textContent()).toBe(
      "These two brackets cross: “old man sat” and “man sat on the red”. A tree can have one of them, not both.",
    );
    expect(await first.locator("path.clash").count()).toBe(2);
    expect(await phrases(first)).toEqual(before);
    expect(await first.locator(".forced li").count()).toBe(1);
  });

  test("the keyboard does the same: Shift and arrows choose, r requires, f forbids", async () => {
    const { page, first } = await openText();
    const [begin, end] = await freeSpan(first);
    await first.locator(".word").nth(begin).focus();
    for (let word = begin + 1; word < end; word++) await page.keyboard.press("Shift+ArrowRight");
    expect(await first.locator(".word.chosen").count()).toBe(end - begin);
    await page.keyboard.press("r");
    await phrase(first, `${begin}-${end}`).waitFor();
    await phrase(first, `${begin}-${end}`).focus();
    await page.keyboard.press("f");
    await first.locator("path.forbidden").waitFor();
    expect(await phrases(first)).not.toContain(`${begin}-${end}`);
  });

  test("two taps choose the words between", async () => {
    const page = await visit.open(link({ text: TEXT }), { hasTouch: true });
    await parsed(page);
    const first = sentences(page).first();
    await first.locator(".word").nth(1).tap();
    await first.locator(".word").nth(4).tap();
    expect(await first.locator(".word.chosen").count()).toBe(4);
  });
});

describe("the keyboard", () => {
  test("goes through the tree as it looks, by one stop of the Tab key", async () => {
    const { page, first } = await openText();
    await first.getByText("Export").focus();
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("0-12");
    await page.keyboard.press("ArrowDown");
    const child = (await focused(page)) as string;
    expect(child.startsWith("0-")).toBe(true);
    await page.keyboard.press("ArrowRight");
    expect(await focused(page)).toBe(`${child.split("-")[1]}-12`);
    await page.keyboard.press("ArrowLeft");
    expect(await focused(page)).toBe(child);
    await page.keyboard.press("ArrowUp");
    expect(await focused(page)).toBe("0-12");
    await page.keyboard.press("End");
    expect(await focused(page)).toBe("11-12");
    await page.keyboard.press("Home");
    expect(await focused(page)).toBe("0-12");
    expect(await first.locator('.node[tabindex="0"]').count()).toBe(1);
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBeUndefined();
  });

  test("screen readers hear a tree with levels, sizes and probabilities", async () => {
    const { first } = await openText();
    expect(await first.getByRole("tree").getAttribute("aria-label")).toBe(
      "The old man sat on the red bench by the door .",
    );
    const root = first.getByRole("treeitem").first();
    expect(await root.getAttribute("aria-label")).toMatch(
      /^Phrase of 12 words: The old man .*, probability 100 %, score/,
    );
    expect(await root.getAttribute("aria-level")).toBe("1");
    const levels = await first
      .getByRole("treeitem")
      .evaluateAll((all) => all.map((each) => Number(each.getAttribute("aria-level"))));
    for (const [index, level] of levels.entries()) {
      if (index > 0) expect(level - (levels[index - 1] as number)).toBeLessThanOrEqual(1);
    }
  });
});

describe("a long sentence", () => {
  test("is zoomed and dragged", async () => {
    const page = await visit.open(link({ text: `${LONG}.` }), {
      viewport: { width: 600, height: 700 },
    });
    await parsed(page);
    const [first, viewport] = [sentences(page).first(), page.locator(".viewport").first()];
    await unfold(page);
    const width = async () => Number(await first.locator("svg").getAttribute("width"));
    const before = await width();
    await first.getByRole("button", { name: "Larger" }).click();
    expect(await width()).toBeGreaterThan(before * 1.2);
    await first.getByRole("button", { name: "Fit to the page" }).click();
    expect(await width()).toBeLessThan(before);
    await viewport.hover();
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -600);
    await page.keyboard.up("Control");
    await expect.poll(width).toBeGreaterThan(before);
    const scrolled = () => viewport.evaluate((element) => element.scrollLeft);
    await viewport.evaluate((element) => element.scrollTo(0, 0));
    const box = await viewport.boundingBox();
    const [x, y] = [(box?.x ?? 0) + 400, (box?.y ?? 0) + 20];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 200, y, { steps: 4 });
    await page.mouse.up();
    expect(await scrolled()).toBe(200);
  });
});

describe("a link", () => {
  test("restores text, drawing, threshold, colour, forced brackets and folds", async () => {
    const { page, first } = await openText();
    const [begin, end] = await freeSpan(first);
    await dragWords(page, first, begin, end - 1);
    await first.getByRole("button", { name: "Require" }).click();
    await first.locator("path.required").waitFor();
    await page.getByLabel("From flat to all phrases").fill("95");
    await phrase(first, `${begin}-${end}`).click();
    await page.getByLabel("Boxes").check();
    await page.getByLabel("Confidence").uncheck();
    const seen = await snapshot(page);
    await expect.poll(() => page.url()).toMatch(/fold=.*/);
    await expect.poll(() => page.url()).toMatch(/colour=no/);
    const again = await visit.beside(page, new URL(page.url()).hash);
    await parsed(again);
    expect(await snapshot(again)).toEqual(seen);
  });

  test("is copied by its button", async () => {
    const { page } = await openText();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByText("Link copied").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
  });

  test("that was tampered with does no harm", async () => {
    const odd = { drawing: "x", flat: "7", model: "no", must: "0:9-2,0:1-99,5:1-2,a", fold: "0:-" };
    const { first } = await openText(odd);
    expect(await first.getByRole("alert").textContent()).toContain(
      "a bracket around words 2 to 99, but the sentence has 12",
    );
    const [parse] = await parser.parseText(TEXT);
    expect(await phrases(first)).toEqual(spanKeys(parse?.spans ?? []));
  });
});

/** Everything that a link should bring back. */
async function snapshot(page: Page) {
  const first = sentences(page).first();
  return {
    text: await page.getByLabel("Text to parse").first().inputValue(),
    phrases: await phrases(first),
    folded: await first
      .locator(".folded")
      .evaluateAll((all) => all.map((each) => each.getAttribute("data-span"))),
    boxes: await first.locator(".box").count(),
    forced: await first.locator(".forced").textContent(),
    colour: await page.getByLabel("Confidence").isChecked(),
    slider: await page.getByLabel("From flat to all phrases").inputValue(),
  };
}

/** Three or more words in a row that are no phrase of the tree. */
async function freeSpan(sentence: Locator): Promise<[number, number]> {
  const taken = new Set(await phrases(sentence));
  for (let begin = 1; begin < 6; begin++) {
    for (const end of [begin + 3, begin + 4]) {
      if (!taken.has(`${begin}-${end}`)) return [begin, end];
    }
  }
  throw new Error("the tree has every span");
}

function spanLength(span: string): number {
  const [begin, end] = span.split("-").map(Number) as [number, number];
  return end - begin;
}

function isInside(inner: string, outer: string): boolean {
  const [a, b] = inner.split("-").map(Number) as [number, number];
  const [c, d] = outer.split("-").map(Number) as [number, number];
  return a >= c && b <= d;
}
