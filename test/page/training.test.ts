/** Training runs of a real service, watched on the page while their logs grow. */

import { appendFileSync, mkdirSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { writeTinyModel } from "../model/tiny-model.js";
import { type Served, serve } from "../service/serving.js";
import { temporaryFolder } from "../temporary.js";
import { visitService } from "./browser.js";

const folder = temporaryFolder();
const runs = join(folder, "runs");
let service: Served;

const logOf = (name: string) => join(runs, name, "training", "log.jsonl");
const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => {
    const step = from + index;
    const rest = { violations: 0.5, gradientNorm: 1, rate: 1e-4, tokensPerSecond: 9 };
    return `${JSON.stringify({ step, loss: 10 / step, ...rest, seconds: step })}\n`;
  }).join("");

function writeRun(name: string, steps: number): void {
  mkdirSync(join(runs, name, "training"), { recursive: true });
  writeFileSync(logOf(name), lines(1, steps));
}

const startService = (...options: string[]) =>
  serve(join(folder, "model"), "--watch", runs, ...options);

const visit = visitService(async () => {
  await writeTinyModel(folder);
  writeRun("paper/seed-1", 3);
  writeRun("old", 4);
  utimesSync(logOf("old"), 1e9, 1e9);
  service = await startService();
  return service;
});

/** The steps of a run's curve, as the number of its points. */
const points = async (page: Page, run = 0) => {
  const curves = page.locator(".plot").first().locator(".curve");
  if ((await curves.count()) <= run) return 0;
  return (await curves.nth(run).getAttribute("points"))?.split(" ").length ?? 0;
};
const row = (page: Page, name: string) => page.locator("tbody tr", { hasText: name });
const rowText = (page: Page, name: string) => row(page, name).textContent();

test("a growing run is shown at once, grows, starts again and finishes", async () => {
  const page = await visit.open("#/training");
  await expect.poll(() => rowText(page, "paper/seed-1")).toContain("paper/seed-1 live3");
  expect(await points(page)).toBe(3);
  expect(await page.locator("tbody tr").count()).toBe(1);
  await expect.poll(() => page.url()).toContain("run=paper%252Fseed-1");

  appendFileSync(logOf("paper/seed-1"), lines(4, 5));
  await expect.poll(() => points(page)).toBe(5);

  // As a run does that goes on from a checkpoint.
  writeFileSync(`${logOf("paper/seed-1")}.partial`, lines(1, 2));
  renameSync(`${logOf("paper/seed-1")}.partial`, logOf("paper/seed-1"));
  await expect.poll(() => points(page)).toBe(2);
  appendFileSync(logOf("paper/seed-1"), lines(3, 3));
  await expect.poll(() => points(page)).toBe(3);

  writeRun("finishes", 2);
  const other = await visit.open("#/training?run=finishes");
  await expect.poll(() => rowText(other, "finishes")).toContain("finishes live2");
  appendFileSync(logOf("finishes"), lines(3, 4));
  writeFileSync(join(runs, "finishes", "manifest.json"), "{}");
  await expect.poll(() => rowText(other, "finishes")).toContain("finishes finished4");
  expect(await points(other)).toBe(4);
});

test("stopped and finished runs do not say that they are live", async () => {
  writeRun("done", 6);
  writeFileSync(join(runs, "done", "manifest.json"), "{}");
  const page = await visit.open("#/training");
  await page.getByRole("checkbox", { name: "old" }).check();
  await page.getByRole("checkbox", { name: "done" }).check();
  await expect.poll(() => rowText(page, "done")).toContain("done finished6");
  await expect.poll(() => rowText(page, "old")).toContain("old stopped4");
  await page.getByRole("checkbox", { name: "done" }).uncheck();
  expect(await row(page, "done").count()).toBe(0);
});

test("a connection that is made again goes on where it was, and a finished run makes none", async () => {
  visit.expectError(/ERR_CONNECTION|ERR_EMPTY|ERR_INCOMPLETE/);
  writeRun("broken", 3);
  writeRun("over", 2);
  writeFileSync(join(runs, "over", "manifest.json"), "{}");
  const page = await visit.open("#/training?run=broken,over");
  await expect.poll(() => rowText(page, "broken")).toContain("broken live3");
  await expect.poll(() => rowText(page, "over")).toContain("over finished2");
  service.child.kill("SIGTERM");
  await service.exited;
  await expect.poll(() => rowText(page, "broken")).toContain("connecting");
  appendFileSync(logOf("broken"), lines(4, 5));
  service = await startService("--port", String(service.port));
  await expect.poll(() => rowText(page, "broken"), { timeout: 20_000 }).toContain("broken live5");
  expect(await points(page)).toBe(5);
  // Written anew while nobody was connected.
  service.child.kill("SIGTERM");
  await service.exited;
  writeRun("broken", 2);
  service = await startService("--port", String(service.port));
  await expect.poll(() => rowText(page, "broken"), { timeout: 20_000 }).toContain("broken live2");
  expect(await points(page)).toBe(2);
  const asked = service.log().map(({ path }) => path);
  expect(asked).not.toContain("/v1/runs/over/log");
});

describe("runs that are over", () => {
  const past = join(folder, "past");
  const watching = visitService(async () => {
    for (const [name, time] of [
      ["earlier", 1e9],
      ["later", 1.1e9],
    ] as const) {
      const log = join(past, name, "training", "log.jsonl");
      mkdirSync(join(past, name, "training"), { recursive: true });
      writeFileSync(log, lines(1, 1));
      writeFileSync(join(past, name, "manifest.json"), "{}");
      utimesSync(log, time, time);
    }
    return serve(join(folder, "model"), "--watch", past);
  });

  test("the last one is opened by itself, is not live, and its one point is to be seen", async () => {
    const page = await watching.open("#/training");
    await expect.poll(() => rowText(page, "later")).toContain("later finished1");
    expect(await page.locator("tbody tr").count()).toBe(1);
    expect(await page.locator(".plot").first().locator("circle[fill]").count()).toBe(1);
    expect(await page.locator("#view-training").textContent()).not.toContain("live");
  });
});
