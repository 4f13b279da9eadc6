/** `bracken/browser` in somebody's own page, bundled as they would do it. */

import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { build, type PreviewServer, preview } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../../scripts/launch-browser.js";
import { loadParser } from "../../src/parser/load-parser.js";
import { toPenn } from "../../src/trees/index.js";
import { ROOT } from "../cli/run.js";
import { TINY_LABELS, writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";

const SENTENCE = "The old man sat on the red bench by the door.";
const folder = temporaryFolder();
const ISOLATED = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};

let browser: Browser | undefined;
let server: PreviewServer;

beforeAll(async () => {
  mkdirSync(join(folder, "node_modules"));
  for (const [name, target] of [
    ["bracken", ROOT],
    ["onnxruntime-web", join(ROOT, "node_modules/onnxruntime-web")],
  ] as const) {
    symlinkSync(target, join(folder, "node_modules", name), "dir");
  }
  writeFileSync(join(folder, "package.json"), '{"name": "app", "type": "module"}');
  const model = await writeTinyModel(folder, { labels: TINY_LABELS });
  cpSync(model, join(folder, "public/models/tiny"), { recursive: true });
  writeFileSync(
    join(folder, "index.html"),
    '<!doctype html><title>app</title><p></p><script type="module" src="./main.js"></script>',
  );
  writeFileSync(
    join(folder, "main.js"),
    `const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
     worker.onmessage = ({ data }) => { document.querySelector("p").textContent = data; };
     worker.postMessage(${JSON.stringify(SENTENCE)});`,
  );
  writeFileSync(
    join(folder, "worker.js"),
    `import { loadParserFromUrl } from "bracken/browser";
     import { toPenn } from "bracken/trees";
     const loading = loadParserFromUrl(new URL("/models/tiny/", self.location.href));
     onmessage = async ({ data }) => {
       const parser = await loading;
       const document = await parser.parseText(data);
       const phrases = document.phrases("NP").map(({ text, head }) => [text, head]);
       for (const { tree } of document) postMessage(JSON.stringify([toPenn(tree), phrases]));
     };`,
  );
  const shared = { root: folder, configFile: false, logLevel: "warn" } as const;
  await build({ ...shared, worker: { format: "es" } });
  server = await preview({ ...shared, preview: { port: 0, headers: ISOLATED } });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

test("parses and names phrases in a worker, from a bundle made with nothing but defaults", async () => {
  const page = await (browser as Browser).newPage();
  await page.goto(server.resolvedUrls?.local[0] ?? "");
  await page.waitForFunction(() => document.querySelector("p")?.textContent !== "", null, {
    timeout: 20_000,
  });
  const parser = await loadParser(join(folder, "model"), { threads: 1, workers: 0 });
  const expected = await parser.parseText(SENTENCE);
  await parser.close();
  const [{ tree } = expect.unreachable()] = expected.sentences;
  const phrases = expected.phrases("NP").map(({ text, head }) => [text, head]);
  expect(phrases.length).toBeGreaterThan(1);
  expect(JSON.parse((await page.textContent("p")) ?? "")).toEqual([toPenn(tree), phrases]);
});
