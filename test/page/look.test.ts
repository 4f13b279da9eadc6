/** What holds for every view: readable by everyone, on a phone, in light and in dark. */

import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { TINY_LABELS, writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { tinyData } from "../training/tiny-encoder.js";
import { violationsOf } from "./axe.js";
import { visitPage } from "./browser.js";
import { dragWords, parsed, sentences } from "./trees.js";

const folder = temporaryFolder();
const visit = visitPage(async () => {
  renameSync(await writeTinyModel(folder, { labels: TINY_LABELS }), join(folder, "named"));
  await writeTinyModel(folder);
  writeFileSync(join(folder, "set.jsonl"), tinyData(30));
  const steps = Array.from({ length: 9 }, (_, step) => ({ step, loss: 9 - step, violations: 0.5 }));
  const log = steps.map((each) => JSON.stringify({ ...each, gradientNorm: 3, rate: 1e-4 }));
  writeFileSync(join(folder, "log.jsonl"), log.join("\n"));
  return folder;
});

async function compared(page: Page): Promise<void> {
  await page.locator("#view-compare .sentences:not(.before) [role=tree]").first().waitFor();
}

/** Each view with something to see in it. */
const VIEWS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  "parse?drawing=tree&must=0:1-3&fold=0:0-2": async (page) => {
    await parsed(page);
    await dragWords(page, sentences(page).first(), 0, 1);
    await page.getByText("Export").first().click();
  },
  "parse?drawing=boxes": parsed,
  "parse?drawing=brackets": parsed,
  "parse?model=here:named&text=The+old+man+sat+by+the+door.&fold=0:0-2": async (page) => {
    await parsed(page);
    await dragWords(page, sentences(page).first(), 2, 4);
    await page.locator(".phrases tbody tr").nth(1).click();
  },
  "parse?model=here:named&text=A+dog+ran+by+the+door.&drawing=boxes&only=NP,VP": parsed,
  "parse?model=here:named&text=A+dog+ran+by.&drawing=brackets&colour=confidence": parsed,
  "parse?text=She+saw+it.&tour": async (page) => {
    await parsed(page);
    await page.getByRole("button", { name: "Take the tour" }).click();
  },
  compare: compared,
  "compare?mode=two": compared,
  "compare?mode=three": compared,
  data: async (page) => {
    await page.setInputFiles("#view-data input[type=file]", join(folder, "set.jsonl"));
    await page.locator(".bracketing").first().waitFor();
  },
  training: async (page) => {
    await page.setInputFiles("#view-training input[type=file]", join(folder, "log.jsonl"));
    await page.locator("#view-training .plot").first().waitFor();
  },
};

describe.each(["light", "dark"] as const)("in %s", (colorScheme) => {
  test("no view has a problem of accessibility", { timeout: 180_000 }, async () => {
    const page = await visit.open("#/parse", { colorScheme });
    for (const [view, prepare] of Object.entries(VIEWS)) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, `#/${view}`);
      await prepare(page);
      expect(await violationsOf(page), view).toEqual([]);
    }
  });
});

test("on a phone nothing is wider than the screen", { timeout: 180_000 }, async () => {
  const page = await visit.open("#/parse", {
    viewport: { width: 320, height: 640 },
    hasTouch: true,
  });
  for (const [view, prepare] of Object.entries(VIEWS)) {
    await page.evaluate((hash) => {
      location.hash = hash;
    }, `#/${view}`);
    await (view.startsWith("parse") ? parsed : prepare)(page);
    const [content, screen] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      innerWidth,
    ]);
    expect([view, content]).toEqual([view, screen]);
  }
});

test("colours follow the system until they are chosen, and the choice is kept", async () => {
  const page = await visit.open("#/data", { colorScheme: "dark" });
  const lightness = (of: Page) =>
    of.evaluate(() => {
      const [red = 0, green = 0, blue = 0] = (
        getComputedStyle(document.documentElement).backgroundColor.match(/\d+/g) ?? []
      ).map(Number);
      return (red + green + blue) / 3 > 128 ? "light" : "dark";
    });
  expect(await lightness(page)).toBe("dark");
  await page.emulateMedia({ colorScheme: "light" });
  expect(await lightness(page)).toBe("light");
  await page.getByRole("button", { name: "Switch to dark colours" }).click();
  expect(await lightness(page)).toBe("dark");
  const again = await visit.beside(page, "#/training");
  expect(await lightness(again)).toBe("dark");
  await again.getByRole("button", { name: "Switch to light colours" }).click();
  expect(await lightness(again)).toBe("light");
});

test("tabs go by arrow keys and come back as they were left", async () => {
  const page = await visit.open("#/parse?text=A+dog+ran.&drawing=boxes");
  await parsed(page);
  await page.getByRole("tab", { name: "Parse" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.locator("#view-compare").waitFor();
  expect(await page.title()).toBe("Compare · bracken");
  await page.keyboard.press("ArrowLeft");
  await page.locator("#view-parse").waitFor();
  expect(await page.getByLabel("Text to parse").first().inputValue()).toBe("A dog ran.");
  expect(await page.locator(".box").count()).toBeGreaterThan(0);
  expect(page.url()).toContain("drawing=boxes");
  await page.goBack();
  await page.locator("#view-compare").waitFor();
});

test("a link is followed even if a view puts its state into the address meanwhile", async () => {
  const page = await visit.open("#/parse?text=A+dog+ran.");
  await parsed(page);
  await page.evaluate(() => {
    location.hash = "#/parse?text=A+dog+ran.&drawing=boxes";
    history.replaceState(null, "", "#/parse?text=A+dog+ran.&drawing=brackets");
  });
  await page.locator(".box").first().waitFor();
});
