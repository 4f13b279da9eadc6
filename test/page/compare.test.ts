/** Comparing two parsers and gold trees: three at once, zoomed, folded, taken along, the largest disagreement first. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { leaves, parsePenn } from "../../src/trees/index.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { visitPage } from "./browser.js";
import { attributes } from "./trees.js";

const GOLD = [
  "(S (NP (DT The) (NN man)) (VP (VBD sat) (PP (IN by) (NP (DT the) (NN door)))))",
  "(S (S (NP (DT The) (NN man)) (VBD sat)) (PP (IN by) (NP (DT the) (NN door))))",
  "(S (NP (DT A) (NN dog)) (VP (VBD ran) (PP (IN by) (NP (DT the) (NN door)))))",
];
/** Right-branching trees are better than left-branching ones for all but the second. */
const PLACE = `#/compare?${new URLSearchParams({
  mode: "three",
  first: "baseline:right",
  second: "baseline:left",
  gold: GOLD.join("\n"),
})}`;

const folder = temporaryFolder();
const visit = visitPage(async () => {
  await writeTinyModel(folder);
  return folder;
});

async function open(place = PLACE) {
  const page = await visit.open(place);
  await page.locator(".compared [role=tree]").first().waitFor();
  return { page, first: page.locator(".compared").first() };
}

test("three parses are side by side, each parser with its scores", async () => {
  const { page, first } = await open();
  expect(await attributes(first.locator("g[role=tree]"), "aria-label")).toEqual([
    "Right-branching",
    "Left-branching",
    "gold",
  ]);
  const boxes = await Promise.all(
    (await first.locator("g[role=tree]").all()).map((tree) => tree.boundingBox()),
  );
  const [one, two, three] = boxes.map((box) => ({
    left: box?.x ?? 0,
    right: (box?.x ?? 0) + (box?.width ?? 0),
  }));
  expect(one?.right).toBeLessThan(two?.left ?? 0);
  expect(two?.right).toBeLessThan(three?.left ?? 0);
  expect(await page.locator(".score span").allTextContents()).toEqual([
    expect.stringContaining("F1 of Right-branching against gold"),
    expect.stringContaining("F1 of Left-branching against gold"),
  ]);
});

test("on a narrow screen they are one under the other", async () => {
  const page = await visit.open(PLACE, { viewport: { width: 600, height: 900 } });
  const trees = page.locator(".compared").first().locator("g[role=tree]");
  await trees.first().waitFor();
  const tops = await Promise.all(
    (await trees.all()).map(async (tree) => (await tree.boundingBox())?.y ?? 0),
  );
  expect(tops[1]).toBeGreaterThan((tops[0] ?? 0) + 50);
  expect(tops[2]).toBeGreaterThan((tops[1] ?? 0) + 50);
});

test("sentences are listed with the largest disagreement first, and lead to their trees", async () => {
  const { page } = await open();
  const rows = page.locator(".ranking tbody tr");
  const worst = (await rows.allTextContents()).map((text) =>
    Math.min(...[...text.matchAll(/(\d+\.\d) %/g)].map(([, score]) => Number(score))),
  );
  expect(worst).toHaveLength(3);
  expect(worst).toEqual(worst.toSorted((a, b) => a - b));
  await rows.last().getByRole("button").click();
  const number = await rows.last().locator("td").first().textContent();
  const focused = await page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  expect(focused).toMatch(new RegExp(`^Sentence ${number}: `));
});

test("trees are zoomed, folded and taken along as in Parse", async () => {
  const { page, first } = await open();
  const svg = first.locator("svg");
  const width = async () => Number(await svg.getAttribute("width"));
  const before = await width();
  await first.getByRole("button", { name: "Larger" }).click();
  expect(await width()).toBeGreaterThan(before);
  const gold = first.locator("g[role=tree]").nth(2);
  const all = await gold.locator(".phrase").count();
  await gold.locator('.phrase[data-span="2-6"]').focus();
  await page.keyboard.press("Enter");
  expect(await gold.locator('.phrase[data-span="2-6"]').getAttribute("aria-expanded")).toBe(
    "false",
  );
  expect(await gold.locator(".phrase").count()).toBe(all - 2);
  await first.getByText("Export").click();
  const coming = page.waitForEvent("download");
  await first.getByRole("button", { name: "Save Penn" }).click();
  const saved = readFileSync(await (await coming).path(), "utf8");
  const trees = parsePenn(saved);
  expect(trees.map((tree) => leaves(tree).length)).toEqual([6, 6, 6]);
});

test("two trees that share their words fold what both have", async () => {
  const { page, first } = await open(
    `#/compare?${new URLSearchParams({ first: "baseline:right", gold: GOLD[0] as string })}`,
  );
  const shared = first.locator('.phrase.shared[data-span="3-6"]');
  expect(await shared.count()).toBe(2);
  await shared.first().locator(".dot").click();
  expect(await first.locator('.phrase.folded[data-span="3-6"]').count()).toBe(2);
  await first
    .locator('.phrase.other[data-span="1-6"], .phrase.crossing[data-span="1-6"]')
    .first()
    .locator(".dot")
    .click();
  expect(
    await first.getByText("Only a phrase that both trees have can be folded.").isVisible(),
  ).toBe(true);
  await page.getByLabel("Two parsers", { exact: true }).click();
  await page.getByText(/F1 of Right-branching against/).waitFor();
});
