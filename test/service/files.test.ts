/** The page and the models' files over HTTP, and nothing else. */

import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { get, type Served, serve } from "./serving.js";

const folder = temporaryFolder();
const page = join(folder, "page");
let service: Served;

beforeAll(async () => {
  const files = {
    "index.html": "<!doctype html><title>bracken</title>",
    "assets/index-B4dF00d1.js": "export {};",
    "assets/style-a_c-efgh.css": "a{}",
    "runtime/ort-wasm-simd-threaded.wasm": "\0asm",
    "runtime/ort-wasm-simd-threaded.mjs": "export {};",
    "parser.js": "",
    "icon.svg": "<svg/>",
    "v1/models": "not this one",
    "with blank.txt": "hello",
  };
  for (const [name, contents] of Object.entries(files)) {
    mkdirSync(join(page, name, ".."), { recursive: true });
    writeFileSync(join(page, name), contents);
  }
  writeFileSync(join(folder, "secret.txt"), "secret");
  symlinkSync(join(folder, "secret.txt"), join(page, "link.txt"));
  symlinkSync(folder, join(page, "up"));
  const model = await writeTinyModel(folder);
  writeFileSync(join(model, "notes.txt"), "secret");
  service = await serve(model, "--page", page);
});

describe("the page", () => {
  test.each([
    ["", "text/html; charset=utf-8", "no-cache"],
    ["index.html", "text/html; charset=utf-8", "no-cache"],
    ["assets/index-B4dF00d1.js", "text/javascript; charset=utf-8", "immutable"],
    ["assets/style-a_c-efgh.css", "text/css; charset=utf-8", "immutable"],
    ["runtime/ort-wasm-simd-threaded.wasm", "application/wasm", "no-cache"],
    ["runtime/ort-wasm-simd-threaded.mjs", "text/javascript; charset=utf-8", "no-cache"],
    ["parser.js", "text/javascript; charset=utf-8", "no-cache"],
    ["icon.svg?v=1", "image/svg+xml", "no-cache"],
    ["with%20blank.txt", "text/plain; charset=utf-8", "no-cache"],
  ])("/%s", async (path, type, cache) => {
    const { status, headers } = await get(`${service.url}${path}`);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe(type);
    expect(headers.get("cache-control")).toContain(cache);
  });

  test("is isolated and may load nothing but its own", async () => {
    const { headers } = await get(service.url);
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("cross-origin-embedder-policy")).toBe("require-corp");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    const policy = new Map(
      headers
        .get("content-security-policy")
        ?.split("; ")
        .map((rule) => [rule.split(" ")[0], rule.split(" ").slice(1)]),
    );
    expect(policy.get("default-src")).toEqual(["'none'"]);
    expect(policy.get("script-src")).toEqual(["'self'", "'wasm-unsafe-eval'"]);
    for (const rule of ["worker-src", "connect-src"]) expect(policy.get(rule)).toContain("'self'");
  });

  test("is not sent again to those who have it", async () => {
    const first = await fetch(`${service.url}index.html`);
    const tag = first.headers.get("etag") ?? "";
    const again = await get(`${service.url}index.html`, { headers: { "if-none-match": tag } });
    expect([again.status, again.body]).toEqual([304, ""]);
    const other = await get(`${service.url}index.html`, { headers: { "if-none-match": '"x"' } });
    expect(other.status).toBe(200);
    const head = await get(`${service.url}index.html`, { method: "HEAD" });
    expect(head.headers.get("content-length")).toBe(String((await first.text()).length));
    expect(head.body).toBe("");
  });

  test("does not hide the service", async () => {
    expect((await get(`${service.url}v1/models`)).body.default).toBe("model");
  });
});

test.each([
  "link.txt",
  "up/secret.txt",
  "up/model/config.json",
  "assets",
  "assets/",
  "models",
  "models/model",
  "models/model/",
  "models/model/notes.txt",
  "models/model/training/log.jsonl",
  "models/other/config.json",
  "models/model/..%2fsecret.txt",
  "..%2fsecret.txt",
  "%2e%2e/secret.txt",
  "package.json",
])("/%s is not there", async (path) => {
  const { status, body } = await get(`${service.url}${path}`);
  expect([status, body.error?.code]).toEqual([404, "not_found"]);
});

test("without a page there is none, and the models' files are still there", async () => {
  const bare = await serve(join(folder, "model"), "--page", join(folder, "encoder"));
  expect((await get(bare.url)).status).toBe(404);
  for (const name of ["manifest.json", "config.json", "tokenizer.json", "model.safetensors"]) {
    const { status, headers } = await get(`${bare.url}models/model/${name}`);
    expect([status, headers.get("cache-control")]).toEqual([200, "no-cache"]);
  }
});
