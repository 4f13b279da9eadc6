import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type FetchProgress, loadParserFromUrl } from "../../src/browser.js";
import { loadParser } from "../../src/parser/load-parser.js";
import { temporaryFolder } from "../temporary.js";
import { writeTinyModel } from "./tiny-model.js";

const folder = temporaryFolder();
const SENTENCE = ["the", "old", "man", "sat", "on", "a", "red", "bench", "."];

let server: Server;
let base: string;
let model: string;
/** The files asked for, in order; what stands in place of a file on disk. */
let asked: string[] = [];
const replaced = new Map<string, string | Buffer>();

beforeAll(async () => {
  model = await writeTinyModel(folder);
  server = createServer((request, response) => {
    const name = (request.url ?? "").replace(/^\/tiny\//, "");
    asked.push(name);
    try {
      response.end(replaced.get(name) ?? readFileSync(join(model, name)));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tiny`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  asked = [];
  replaced.clear();
});

describe("a model at an address", () => {
  test("parses as the same model on disk", async () => {
    const [there, here] = [await loadParserFromUrl(base), await loadParser(model, { workers: 0 })];
    const options = { marginals: true };
    expect(await there.parseWords(SENTENCE, options)).toEqual(
      await here.parseWords(SENTENCE, options),
    );
    await Promise.all([there.close(), here.close()]);
  });

  test("tells how much has come", async () => {
    const told: FetchProgress[] = [];
    const parser = await loadParserFromUrl(`${base}/`, { onProgress: (each) => told.push(each) });
    await parser.close();
    const { files } = JSON.parse(readFileSync(join(model, "manifest.json"), "utf8"));
    const total = ["config.json", "tokenizer.json", "model.safetensors"]
      .map((name) => files[name].bytes)
      .reduce((a, b) => a + b);
    expect(told[0]).toEqual({ loaded: 0, total });
    expect(told.at(-1)).toEqual({ loaded: total, total });
    expect(told.map(({ loaded }) => loaded)).toEqual(
      told.map(({ loaded }) => loaded).sort((a, b) => a - b),
    );
  });

  test.each([
    ["a changed file", "its contents are not those that the manifest describes", 0],
    ["a file cut short", /it has \d+ bytes where the manifest says \d+/, -1],
    ["a file with more", /it has more than \d+ bytes/, 1],
  ])("%s is refused", async (_name, message, more) => {
    const text = readFileSync(join(model, "tokenizer.json"), "utf8");
    const changed = more > 0 ? `${text} ` : more < 0 ? text.slice(0, more) : `[${text.slice(1)}`;
    replaced.set("tokenizer.json", changed);
    const loading = loadParserFromUrl(base);
    await expect(loading).rejects.toThrow(message);
    await expect(loading).rejects.toMatchObject({
      name: "InputError",
      place: { file: `${base}/tokenizer.json` },
    });
  });

  test("no model is an error that says what one is", async () => {
    await expect(loadParserFromUrl(`${base}-none`)).rejects.toMatchObject({
      name: "InputError",
      problem: "the server answers 404",
    });
    replaced.set("manifest.json", "{");
    await expect(loadParserFromUrl(base)).rejects.toThrow("manifest.json: not valid JSON");
    replaced.set("manifest.json", '{"files":{}}');
    await expect(loadParserFromUrl(base)).rejects.toThrow("the manifest does not list it");
  });

  test("loading can be called off", async () => {
    const stop = new AbortController();
    stop.abort();
    await expect(loadParserFromUrl(base, { signal: stop.signal })).rejects.toThrow(/abort/i);
  });
});

/** A browser's cache, which Node has none of. */
class FakeCache {
  readonly entries = new Map<string, Uint8Array<ArrayBuffer>>();
  match = async (key: string) => {
    const found = this.entries.get(key);
    return found && new Response(found);
  };
  put = async (key: string, response: Response) => {
    this.entries.set(key, new Uint8Array(await response.arrayBuffer()));
  };
  keys = async () => [...this.entries.keys()].map((url) => ({ url }));
  delete = async (key: string) => this.entries.delete(key);
}

describe("with a browser's cache", () => {
  let cache: FakeCache;
  const load = async () => {
    asked = [];
    await (await loadParserFromUrl(base)).close();
    return asked;
  };
  beforeEach(() => {
    cache = new FakeCache();
    vi.stubGlobal("caches", { open: async () => cache });
  });
  afterEach(() => vi.unstubAllGlobals());

  test("a model is fetched once", async () => {
    expect((await load()).sort()).toEqual([
      "config.json",
      "manifest.json",
      "model.safetensors",
      "tokenizer.json",
    ]);
    expect(await load()).toEqual(["manifest.json"]);
  });

  test("what was damaged in the cache is fetched again", async () => {
    await load();
    const key = [...cache.entries.keys()].find((url) => url.includes("safetensors")) as string;
    const bytes = cache.entries.get(key) as Uint8Array;
    bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 1;
    expect(await load()).toEqual(["manifest.json", "model.safetensors"]);
    expect(await load()).toEqual(["manifest.json"]);
  });

  test("another version takes the place of the older one", async () => {
    await load();
    const stale = `${base}/config.json?sha256=${"0".repeat(64)}`;
    const current = [...cache.entries.keys()].find((url) => url.includes("config.json")) as string;
    cache.entries.set(stale, cache.entries.get(current) as Uint8Array<ArrayBuffer>);
    cache.entries.delete(current);
    expect(await load()).toEqual(["manifest.json", "config.json"]);
    expect(cache.entries.has(current)).toBe(true);
    expect(cache.entries.has(stale)).toBe(false);
  });

  test("without a network the kept model is used", async () => {
    await load();
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
    const parser = await loadParserFromUrl(base);
    expect((await parser.parseWords(SENTENCE)).spans).not.toEqual([]);
    await parser.close();
    cache.entries.clear();
    await expect(loadParserFromUrl(base)).rejects.toThrow("Failed to fetch");
  });

  test("a cache that refuses is done without", async () => {
    cache.put = () => Promise.reject(new Error("the disk is full"));
    expect(await load()).toHaveLength(4);
    expect(await load()).toHaveLength(4);
    vi.stubGlobal("caches", { open: () => Promise.reject(new Error("not here")) });
    expect(await load()).toHaveLength(4);
  });
});
