/** A service that goes away while people work, and comes back. */

import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { writeTinyModel } from "../model/tiny-model.js";
import { type Served, serve } from "../service/serving.js";
import { temporaryFolder } from "../temporary.js";
import { visitService } from "./browser.js";
import { parsed, phrases, sentences } from "./trees.js";

const folder = temporaryFolder();
let service: Served;
const visit = visitService(async () => {
  service = await serve(await writeTinyModel(folder));
  return service;
});
beforeEach(() => visit.expectError(/ERR_CONNECTION|ERR_EMPTY|ERR_FAILED/));

async function stop(): Promise<void> {
  service.child.kill("SIGTERM");
  await service.exited;
}

async function comeBack(): Promise<void> {
  service = await serve(join(folder, "model"), "--port", String(service.port));
}

/** Types a text and asks for its trees, whatever comes of it. */
async function ask(page: Page, text: string): Promise<void> {
  await page.getByLabel("Text to parse").first().fill(text);
  await page.getByRole("button", { name: "Parse", exact: true }).click();
}

const told = (page: Page) => page.locator("#view-parse .status").textContent();

test("what is there stays, one line tells it, and trying again works", async () => {
  const page = await visit.open("#/parse?text=The+old+man+sat+down.");
  await parsed(page);
  const before = await phrases(sentences(page).first());
  await stop();
  await ask(page, "A dog ran by the door.");
  const problem = page.locator("#view-parse > .problem");
  await problem.waitFor();
  expect(await problem.textContent()).toBe(
    "The server does not answer. What is shown stays. Try again",
  );
  expect(await page.locator("#view-parse [role=alert]:visible").count()).toBe(1);
  expect(await phrases(sentences(page).first())).toEqual(before);
  await comeBack();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => told(page)).toContain("on the server");
  expect(await problem.isVisible()).toBe(false);
  expect(await sentences(page).first().getAttribute("aria-label")).toContain("A dog ran");
});

test("a model that is in the browser already stands in", async () => {
  const page = await visit.open("#/parse?model=here:model&text=A+dog+ran.");
  await parsed(page);
  await page.evaluate(() => {
    location.hash = "#/parse?model=service:model&text=The+old+man+sat+down.";
  });
  await expect.poll(() => told(page)).toContain("on the server");
  await stop();
  await ask(page, "A dog ran by the door.");
  await expect.poll(() => told(page)).toContain("in this browser");
  expect(await page.locator("#view-parse .away").textContent()).toBe(
    "The server does not answer. model parsed this in your browser. Try again",
  );
  await comeBack();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => told(page)).toContain("on the server");
  expect(await page.locator("#view-parse .away").isVisible()).toBe(false);
});
