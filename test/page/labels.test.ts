/** Names for phrases on the page: in every drawing, coloured, filtered, compared, taken along. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Scorer } from "../../src/evaluation/scorer.js";
import type { ParsedDocument } from "../../src/parser/document.js";
import { loadParser } from "../../src/parser/load-parser.js";
import { toParseRecord } from "../../src/parser/parse-record.js";
import type { Parser } from "../../src/parser/parser.js";
import {
  constituents,
  drawText,
  leaves,
  parsePenn,
  toForest,
  toPenn,
} from "../../src/trees/index.js";
import { TINY_LABELS, writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { visitPage } from "./browser.js";
import {
  attributes,
  dragWords,
  labels,
  parsed,
  phrases,
  rows,
  rowsOf,
  sentences,
  spanKeys,
} from "./trees.js";

const TEXT = "The old man sat on the red bench by the door. A dog ran by.";

const folder = temporaryFolder();
let parser: Parser;
let document: ParsedDocument;
const visit = visitPage(async () => {
  await writeTinyModel(folder, { labels: TINY_LABELS, decoding: "phrases" });
  return folder;
});
beforeAll(async () => {
  parser = await loadParser(join(folder, "model"), { threads: 1, workers: 0 });
  document = await parser.parseText(TEXT, { marginals: true });
});
afterAll(() => parser.close());

async function openText(fields: Record<string, string> = {}): Promise<[Page, Locator]> {
  const page = await visit.revisit(`#/parse?${new URLSearchParams({ text: TEXT, ...fields })}`);
  await parsed(page);
  return [page, sentences(page).first()];
}

const chip = (page: Page, label: string) =>
  page.locator(".chips").getByRole("button", { name: label, exact: true });

describe("drawings", () => {
  test("have the labels, one-word phrases and chains that the library gives", async () => {
    const [page, first] = await openText();
    const spans = document.sentences[0]?.spans ?? [];
    const names = spans.map(({ label }) => label);
    expect(new Set(names).size).toBeGreaterThan(2);
    const texts: Record<string, string> = { Tree: ".name", Boxes: ".corner", Brackets: "sub" };
    const written = (each: Element) =>
      each.textContent || getComputedStyle(each, "::before").content.replaceAll('"', "");
    for (const [drawing, text] of Object.entries(texts)) {
      await page.getByLabel(drawing, { exact: true }).check();
      expect(await phrases(first)).toEqual(spanKeys(spans));
      expect(await labels(first)).toEqual(names);
      const found = await first.locator(`.phrase > ${text}`).all();
      expect(await Promise.all(found.map((each) => each.evaluate(written)))).toEqual(names);
    }
  });

  test("no label lies over another", async () => {
    const [page, first] = await openText();
    for (const [drawing, text] of [
      ["Tree", ".pill"],
      ["Boxes", ".corner"],
    ] as const) {
      await page.getByLabel(drawing, { exact: true }).check();
      const boxes = await first.locator(text).evaluateAll((all) =>
        all.map((each) => {
          const { left, right, top, bottom } = each.getBoundingClientRect();
          return { left, right, top, bottom };
        }),
      );
      for (const [index, a] of boxes.entries()) {
        for (const b of boxes.slice(index + 1)) {
          const isApart =
            a.right <= b.left ||
            b.right <= a.left ||
            a.bottom <= b.top + 3 ||
            b.bottom <= a.top + 3;
          expect(isApart).toBe(true);
        }
      }
    }
  });

  test("are coloured by label with lines by probability, by confidence, or not", async () => {
    const [page, first] = await openText();
    const colours = () => attributes(first.locator(".phrase"), "color");
    const widths = async () =>
      new Set(await attributes(first.locator(".edge:not(.stem)"), "stroke-width"));
    const byLabel = new Map<string | null, Set<string | null>>();
    const names = await labels(first);
    for (const [index, colour] of (await colours()).entries()) {
      const found = byLabel.get(names[index] ?? "") ?? new Set();
      byLabel.set(names[index] ?? "", found.add(colour));
    }
    expect([...byLabel.values()].every((found) => found.size === 1)).toBe(true);
    expect(new Set([...byLabel.values()].flatMap((found) => [...found])).size).toBe(byLabel.size);
    expect((await widths()).size).toBeGreaterThan(2);
    const inLabels = await colours();
    await page.getByLabel("Confidence").check();
    expect(await colours()).not.toEqual(inLabels);
    expect((await widths()).size).toBe(1);
    await page.getByLabel("No colours").check();
    expect(new Set(await colours())).toEqual(new Set([null]));
    expect(await labels(first)).toEqual(names);
  });

  test("tell label, head and probabilities to those who point and to those who listen", async () => {
    const [page, first] = await openText();
    const [parse] = document.sentences;
    const at = parse?.spans.findIndex(({ begin, end }) => end - begin > 3) ?? 0;
    const { label, head = 0, begin, end, marginal = 0 } = parse?.spans[at] ?? expect.unreachable();
    const word = parse?.leaves[head]?.word;
    const node = first.locator(".phrase").nth(at);
    await node.locator(".name").hover();
    const told = (await page.locator(".tooltip").textContent()) ?? "";
    expect(told).toContain(`head ${word}`);
    expect(told).toMatch(new RegExp(`${label} (>|\\d)`));
    expect(await attributes(first.locator(".word.head"), "data-span")).toEqual([
      `${head}-${head + 1}`,
    ]);
    const name = (await node.getAttribute("aria-label")) ?? "";
    const percent = Math.round(marginal * 100);
    expect(name).toContain(`${label} of ${end - begin} words: `);
    expect(name).toContain(`head ${word}, probability ${percent} %, label `);
    const single = first.locator('.phrase[aria-label*=" of 1 word: "]').first();
    expect(await single.getAttribute("aria-label")).not.toContain("head");
  });

  test("words that are chosen show what they would be called", async () => {
    const [page, first] = await openText();
    await dragWords(page, first, 1, 4);
    const [parse] = await parser.parseSentences([
      { leaves: document.sentences[0]?.leaves ?? [], required: [{ begin: 1, end: 5 }] },
    ]);
    const chain = parse?.spans.filter(({ begin, end }) => begin === 1 && end === 5);
    const name = chain?.map(({ label }) => label).join("+");
    expect(await first.locator(".choice small").textContent()).toContain(`${name} · probability`);
  });

  test("keep the focus on the same phrase of a chain when they are drawn anew", async () => {
    const [page, first] = await openText();
    const spans = document.sentences[0]?.spans ?? [];
    const inner = spans.findIndex((span, at) => {
      const outer = spans[at - 1];
      return outer?.begin === span.begin && outer.end === span.end && span.end - span.begin > 1;
    });
    await first.locator(".phrase").nth(inner).focus();
    await page.keyboard.press("r");
    await first.locator("path.required").waitFor();
    const focus = await attributes(first.locator(".phrase:focus"), "data-label");
    expect([inner > 0, focus]).toEqual([true, [spans[inner]?.label]]);
  });
});

describe("the filter", () => {
  test("shows the phrases of one label or of several, in the tree and in the list", async () => {
    const [page, first] = await openText();
    const all = await labels(first);
    await chip(page, "NP").click();
    expect(await chip(page, "NP").getAttribute("aria-pressed")).toBe("true");
    const noun = document.phrases("NP").filter(({ sentence }) => sentence === 0);
    const named = (await labels(first)).filter((label) => label !== null);
    expect(named).toEqual(noun.map(({ label }) => label));
    expect((await rows(first)).map(([, text]) => text)).toEqual(noun.map(({ text }) => text));
    await chip(page, "S").click();
    const both = document.phrases(["NP", "S"]).filter(({ sentence }) => sentence === 0);
    expect((await rows(first)).map(([label]) => label)).toEqual(both.map(({ label }) => label));
    await chip(page, "NP").click();
    await chip(page, "S").click();
    expect(await labels(first)).toEqual(all);
  });

  test("hides phrases of one word", async () => {
    const [page, first] = await openText();
    await page.getByLabel("One-word phrases").uncheck();
    const [parse] = await parser.parseText(TEXT, { oneWord: false });
    expect(await phrases(first)).toEqual(spanKeys(parse?.spans ?? []));
    expect(await rows(first)).toHaveLength(parse?.spans.length ?? 0);
  });

  test("goes with the slider, as the library's threshold does", async () => {
    const [page, first] = await openText();
    await page.getByLabel("From flat to all phrases").fill("40");
    const flat = await parser.parseText(TEXT, { threshold: 0.6, marginals: true });
    // Heads are those of the whole tree, whatever is shown of it.
    const facts = (all: readonly string[][]) =>
      all.map(([label, text, , probability, place]) => {
        return { label, text, probability, place };
      });
    expect(facts(await rows(first))).toEqual(facts(rowsOf(flat)));
    expect(await labels(first)).toEqual(flat.sentences[0]?.spans.map(({ label }) => label));
  });

  test("is in the link, and a label that the model does not have filters nothing", async () => {
    const [page, first] = await openText();
    await chip(page, "VP").click();
    await page.getByLabel("One-word phrases").uncheck();
    await page.getByLabel("Confidence").check();
    await expect.poll(() => page.url()).toMatch(/colour=confidence&only=VP&words=no/);
    const seen = await labels(first);
    const again = await visit.beside(page, new URL(page.url()).hash);
    await parsed(again);
    expect(await labels(sentences(again).first())).toEqual(seen);
    expect(await again.getByLabel("Confidence").isChecked()).toBe(true);
    const [, odd] = await openText({ only: "XP,,", words: "perhaps", colour: "7" });
    expect(await labels(odd)).toHaveLength(document.sentences[0]?.spans.length ?? 0);
  });
});

describe("exports", () => {
  async function save(page: Page, format: string): Promise<string> {
    const first = sentences(page).first();
    await first.getByText("Export").click();
    const coming = page.waitForEvent("download");
    await first.getByRole("button", { name: `Save ${format}` }).click();
    const path = await (await coming).path();
    await first.getByText("Export").click();
    return readFileSync(path, "utf8");
  }

  test("have labels: Penn, LaTeX and JSON as the library writes them", async () => {
    const [page] = await openText();
    const [parse] = document.sentences;
    const tree = parse?.tree ?? expect.unreachable();
    expect(await save(page, "Penn")).toBe(`${toPenn(tree)}\n`);
    expect(await save(page, "LaTeX")).toBe(`${toForest(tree)}\n`);
    const record = JSON.parse(await save(page, "JSON"));
    const expected = toParseRecord(parse as never, { scores: true, marginals: true });
    const facts = ({ begin, end, label, head }: (typeof expected.spans)[number]) => {
      return { begin, end, label, head };
    };
    expect(record.spans.map(facts)).toEqual(expected.spans.map(facts));
    for (const [index, { labelProbability }] of expected.spans.entries()) {
      expect(record.spans[index].labelProbability).toBeCloseTo(labelProbability ?? 0, 3);
    }
    expect((await save(page, "Phrases")).trimEnd().split("\n")).toHaveLength(
      1 + (parse?.spans.length ?? 0),
    );
  });

  test("are of the phrases that are shown", async () => {
    const [page] = await openText({ only: "NP", words: "no" });
    const [tree] = parsePenn(await save(page, "Penn"));
    const labelled = drawText(tree ?? expect.unreachable()).match(/\b(NP|VP|S|PP)\b/g);
    expect(new Set(labelled)).toEqual(new Set(["NP"]));
  });

  test.each([
    ["tree", ".name"],
    ["boxes", ".corner"],
    ["brackets", ".name"],
  ])("the picture of the %s has labels in their colours", async (drawing, text) => {
    const [page] = await openText({ drawing });
    const svg = await save(page, "SVG");
    const blank = await page.context().newPage();
    const read = await blank.evaluate(
      ([source = "", selector = ""]) => {
        const tree = new DOMParser().parseFromString(source, "image/svg+xml");
        return {
          names: [...tree.querySelectorAll(selector)].map((each) => each.textContent),
          colours: [...tree.querySelectorAll(".phrase")].map((each) => each.getAttribute("color")),
        };
      },
      [svg, text],
    );
    await blank.close();
    const names = document.sentences[0]?.spans.map(({ label }) => label);
    expect(read.names).toEqual(names);
    expect(read.colours.every((colour) => /^#[0-9a-f]{6}$/.test(colour ?? ""))).toBe(true);
  });
});

test("compared with gold trees: the labelled F1, and brackets that both have under other labels", async () => {
  const gold =
    "(S (NP (DT The) (JJ old) (NN man)) (VP (VBD sat) (PP (IN by) (NP (DT the) (NN door)))) (. .))";
  const page = await visit.revisit(`#/compare?${new URLSearchParams({ gold })}`);
  await page.locator("#view-compare .sentences:not(.before) [role=tree]").first().waitFor();
  const [tree = expect.unreachable()] = parsePenn(gold);
  const [parse = expect.unreachable()] = await parser.parseSentences([{ leaves: leaves(tree) }]);
  const place = { file: "", line: 1 };
  const scorer = new Scorer("nob", { labelled: true });
  const [score] = scorer.score({ tree, ...place }, [{ tree: parse.tree, ...place }]) ?? [];
  const f1 = `${(100 * (score?.labelled?.f1 ?? Number.NaN)).toFixed(1)} %`;
  expect(await page.locator("dl div", { hasText: "Labelled F1" }).locator("dd").textContent()).toBe(
    f1,
  );
  const above = page.locator(".compared g[role=tree]").first();
  const marked = await attributes(above.locator(".renamed.phrase"), "aria-label");
  expect(marked.length).toBeGreaterThan(0);
  // Under the protocol, the full stop at the end does not count.
  const goldLabels = new Map<string, Set<string>>();
  const key = (begin: number, end: number) => `${begin}-${Math.min(end, 7)}`;
  for (const { begin, end, label } of constituents(tree)) {
    goldLabels.set(key(begin, end), (goldLabels.get(key(begin, end)) ?? new Set()).add(label));
  }
  const expected = parse.spans.filter(({ begin, end, label }) => {
    const others = goldLabels.get(key(begin, end));
    return end - begin > 1 && others && !others.has(label);
  });
  expect(await attributes(above.locator(".renamed.phrase"), "data-span")).toEqual(
    spanKeys(expected),
  );
  expect(marked[0]).toMatch(/in both trees, there (S|NP|VP|PP)/);
  expect(await page.locator(".legend .renamed").isVisible()).toBe(true);
  await page.getByLabel("First parser").selectOption("baseline:left");
  await page.locator(".legend .renamed").waitFor({ state: "hidden" });
  expect(await page.locator("dl").textContent()).not.toContain("Labelled");
});
