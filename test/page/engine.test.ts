/** How the page finds and loads models: threads or none, a GPU, a service, errors. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ModelFolder } from "../../src/model/folder.js";
import { SpanModel } from "../../src/model/span-model.js";
import { LocalDecoder } from "../../src/parser/decoder.js";
import { Parser } from "../../src/parser/parser.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { visitPage } from "./browser.js";
import { parsed, parseText, phrases, sentences, spanKeys } from "./trees.js";

const TEXT = "The old man sat on the red bench by the door. A dog ran by.";
const SOFTWARE_GPU = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"];

const folder = temporaryFolder();
let spanParser: SpanModel;
let parser: Parser;
const visit = visitPage(async () => {
  await writeTinyModel(folder);
  return folder;
}, SOFTWARE_GPU);
beforeAll(async () => {
  spanParser = await SpanModel.load(await ModelFolder.open(join(folder, "model")), { threads: 1 });
  parser = new Parser(new LocalDecoder(spanParser));
});
afterAll(() => parser.close());

const status = (page: Page) => page.locator("#view-parse .status").textContent();

async function expectTrees(page: Page): Promise<void> {
  for (const [index, { spans }] of (await parser.parseText(TEXT)).sentences.entries()) {
    expect(await phrases(sentences(page).nth(index))).toEqual(spanKeys(spans));
  }
}

test("an isolated page computes with threads", async () => {
  const page = await visit.open(`#/parse?${new URLSearchParams({ text: TEXT })}`);
  await parsed(page);
  const [isolated, processors] = await page.evaluate(() => [
    crossOriginIsolated,
    navigator.hardwareConcurrency,
  ]);
  expect(isolated).toBe(true);
  const threads = Math.min(4, processors as number);
  expect(await status(page)).toContain(threads === 1 ? "(one thread)" : `(${threads} threads)`);
  await expectTrees(page);
});

test("any server of files will do: without its headers there is one thread", async () => {
  const page = await visit.open();
  const plain = await page.context().newPage();
  await page.context().route("**/*", async (route) => {
    const response = await route.fetch();
    const {
      "cross-origin-opener-policy": _,
      "cross-origin-embedder-policy": __,
      ...headers
    } = response.headers();
    await route.fulfill({ response, headers });
  });
  await plain.goto(`${page.url().split("#")[0]}#/parse?${new URLSearchParams({ text: TEXT })}`);
  await parsed(plain);
  expect(await plain.evaluate(() => crossOriginIsolated)).toBe(false);
  expect(await status(plain)).toContain("(one thread)");
  await expectTrees(plain);
});

test("a GPU gives the same scores, and without one the processor does the work", async () => {
  const page = await visit.open();
  const words = TEXT.replaceAll(".", " .").trim().split(/ +/);
  const found = await page.evaluate(async (sentence) => {
    const worker = new Worker("parser-gpu.js", { type: "module" });
    const ask = (request: object) =>
      new Promise<{ kind: string; device: string; scores: Float32Array[] }>((resolve) => {
        worker.onmessage = ({ data }) => data.kind !== "progress" && resolve(data);
        worker.postMessage(request);
      });
    const { gpu } = navigator as unknown as { gpu?: { requestAdapter(): Promise<unknown> } };
    const model = new URL("models/model/", location.href).href;
    const runtime = new URL("runtime/", location.href).href;
    const { device } = await ask({ kind: "load", id: 0, model, runtime });
    const { scores } = await ask({ kind: "score", id: 1, model, sentences: [sentence] });
    return { hasGpu: !!(await gpu?.requestAdapter()), device, scores: [...(scores[0] ?? [])] };
  }, words);
  expect(found.device).toBe(found.hasGpu ? "webgpu" : "cpu");
  const { spans } = await parser.parseWords(words);
  for (const { begin, end, score } of spans) {
    expect(found.scores[begin * words.length + end - 1]).toBeCloseTo(score ?? Number.NaN, 3);
  }
});

test("a model that is damaged is told, and the page lives on", async () => {
  const page = await visit.open("#/parse?text=A+dog+ran.");
  await parsed(page);
  const other = await page.context().newPage();
  await page
    .context()
    .route("**/model.safetensors", (route) => route.fulfill({ body: "no tensors" }));
  await page.context().route("**/manifest.json", async (route) => {
    const manifest = await (await route.fetch()).json();
    manifest.files["model.safetensors"].sha256 = "0".repeat(64);
    await route.fulfill({ json: manifest });
  });
  await other.goto(`${page.url().split("#")[0]}#/parse?text=A+dog+sat.`);
  await other.locator("#view-parse > .problem").waitFor();
  expect(await other.locator("#view-parse > .problem").textContent()).toMatch(
    /model\.safetensors: it has 10 bytes where the manifest says \d+/,
  );
  await page.context().unrouteAll();
  await parseText(other, "A dog sat.");
  expect(await sentences(other).count()).toBe(1);
});

test("the list of models offers those of the server and of the browser", async () => {
  writeFileSync(join(folder, "stray.txt"), "not a model");
  const page = await visit.open();
  const names = await page
    .getByLabel("Model", { exact: true })
    .locator("option")
    .evaluateAll((all) => all.map((each) => (each as HTMLOptionElement).value));
  expect(names).toEqual(["here:model"]);
});
