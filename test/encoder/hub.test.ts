import { createHash } from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hubCacheFolder } from "../../src/encoder/hub-cache.js";
import { type EncoderFiles, findEncoder } from "../../src/encoder/source.js";
import { temporaryFolder } from "../temporary.js";
import { COMMIT, FakeHub, sendFrom } from "./fake-hub.js";
import { MINILM } from "./minilm.js";

const root = temporaryFolder();
let count = 0;
let hub: FakeHub;
let endpoint: string;
let cache: string;

beforeEach(async () => {
  cache = join(root, String(count++));
  hub = new FakeHub();
  endpoint = (await hub.listen()).url;
});

afterEach(() => hub.close());

function fetchModel(env: Record<string, string> = {}): Promise<EncoderFiles> {
  const whole = { HF_ENDPOINT: endpoint, HF_HUB_CACHE: cache, ...env };
  return findEncoder("owner/model", { env: whole, pause: () => 1 });
}

function expectSame(path: string, name: string): void {
  expect(readFileSync(path).equals(hub.files[name] as Buffer), path).toBe(true);
}

const model = () => join(cache, "models--owner--model");

/** Where the hub's tools keep a file's contents: under its SHA-256 if it is large, else git's SHA-1. */
function blobOf(name: string): string {
  const data = hub.files[name] as Buffer;
  const isLarge = name.endsWith(".safetensors");
  const hash = createHash(isLarge ? "sha256" : "sha1");
  if (!isLarge) hash.update(`blob ${data.length}\0`);
  return join(model(), "blobs", hash.update(data).digest("hex"));
}

describe("the hub's own cache", () => {
  const layout = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();

  test("what is fetched lies where other tools look for it, and nothing else", async () => {
    await fetchModel();
    const names = Object.keys(hub.files);
    const blobs = names.map((name) => basename(blobOf(name)));
    expect(layout(model())).toEqual(
      [
        ...["blobs", "refs", "refs/main", "snapshots", `snapshots/${COMMIT}`],
        ...blobs.map((name) => `blobs/${name}`),
        ...names.map((name) => `snapshots/${COMMIT}/${name}`),
      ].sort(),
    );
    expect(readFileSync(join(model(), "refs/main"), "utf8")).toBe(COMMIT);
    for (const name of names) {
      const link = join(model(), "snapshots", COMMIT, name);
      expect(readlinkSync(link)).toBe(`../../blobs/${basename(blobOf(name))}`);
    }
  });

  test("what other tools fetched is found; what they did not is fetched of the same commit", async () => {
    const other = "f".repeat(40);
    const snapshot = join(model(), "snapshots", other);
    for (const folder of [snapshot, join(model(), "blobs"), join(model(), "refs")]) {
      mkdirSync(folder, { recursive: true });
    }
    writeFileSync(join(model(), "refs/main"), other);
    for (const name of ["config.json", "tokenizer.json", "model.safetensors"]) {
      writeFileSync(join(model(), "blobs", name), `${name} of another tool`);
      symlinkSync(`../../blobs/${name}`, join(snapshot, name));
    }
    const found = await fetchModel();
    expect(hub.requests).toEqual([]);
    expect(readFileSync(found.weights, "utf8")).toBe("model.safetensors of another tool");
    rmSync(join(snapshot, "tokenizer.json"));
    await expect(fetchModel()).rejects.toThrow(`resolve/${other}/tokenizer.json`);
  });

  test("is in HF_HOME, or where the hub's tools have it otherwise", () => {
    const folder = (env: Record<string, string>) => hubCacheFolder(env);
    expect(folder({ HF_HUB_CACHE: "/c", HF_HOME: "/h" })).toBe("/c");
    expect(folder({ HF_HOME: "/h", XDG_CACHE_HOME: "/x" })).toBe("/h/hub");
    expect(folder({ XDG_CACHE_HOME: "/x" })).toBe("/x/huggingface/hub");
    expect(folder({})).toBe(join(homedir(), ".cache/huggingface/hub"));
  });

  test("a link that leads nowhere is made again", async () => {
    const { weights } = await fetchModel();
    rmSync(join(weights, "..", readlinkSync(weights)));
    expectSame((await fetchModel()).weights, "model.safetensors");
  });

  test("two that fetch at once share what arrives", async () => {
    const [first, second] = await Promise.all([fetchModel(), fetchModel()]);
    expect(first).toEqual(second);
    expectSame(first.weights, "model.safetensors");
    expect(layout(model()).some((name) => /partial|lock/.test(name))).toBe(false);
  });
});

describe("a model from the hub", () => {
  test("is fetched once, whole, and with the token", async () => {
    const found = await fetchModel({ HF_TOKEN: "secret" });
    expect(found.weights).toBe(join(model(), "snapshots", COMMIT, "model.safetensors"));
    for (const path of Object.values(found)) expectSame(path, basename(path));
    expect(hub.requests.every(({ token }) => token === "Bearer secret")).toBe(true);
    const before = hub.requests.length;
    expect(await fetchModel({ HF_HUB_OFFLINE: "1" })).toEqual(found);
    expect(hub.requests.length).toBe(before);
  });

  test("is resumed where the connection was dropped", async () => {
    const drops = [500_000, 1_200_000];
    hub.misbehave = (file, request, response) => {
      const isBody = file === "model.safetensors" && request.url?.includes("direct");
      const until = isBody ? drops.shift() : undefined;
      if (until === undefined) return false;
      sendFrom(hub.files[file] as Buffer, request.headers.range, response, until);
      return true;
    };
    const { weights } = await fetchModel();
    expectSame(weights, "model.safetensors");
    const ranges = hub.requests.flatMap(({ range }) => range ?? []);
    expect(ranges.length).toBeGreaterThan(0);
    expect(ranges.every((range) => /^bytes=[1-9]\d*-$/.test(range))).toBe(true);
  });

  test("is fetched anew when an old part does not fit", async () => {
    mkdirSync(join(model(), "blobs"), { recursive: true });
    writeFileSync(`${blobOf("model.safetensors")}.partial`, Buffer.alloc(1000, 7));
    writeFileSync(`${blobOf("tokenizer.json")}.partial`, "longer than the file ever was");
    const { weights, tokenizer } = await fetchModel();
    expectSame(weights, "model.safetensors");
    expectSame(tokenizer, "tokenizer.json");
  });

  test("is taken from a server that ignores ranges", async () => {
    const ends = [5];
    hub.misbehave = (file, _, response) => {
      if (file !== "tokenizer.json") return false;
      sendFrom(hub.files[file] as Buffer, undefined, response, ends.shift());
      return true;
    };
    const { tokenizer } = await fetchModel();
    expectSame(tokenizer, "tokenizer.json");
  });

  test("is asked for again after errors of the server", async () => {
    const errors = [503, 500, 429];
    hub.misbehave = (_, __, response) => {
      const status = errors.shift();
      if (status !== undefined) response.writeHead(status).end();
      return status !== undefined;
    };
    await fetchModel();
    expect(errors).toEqual([]);
  });

  test("is given up when errors do not end", async () => {
    answerAlways(503);
    await expect(fetchModel()).rejects.toThrow(/config\.json: the download failed .*503/);
  });

  test("may come in several files", async () => {
    const weights = hub.files["model.safetensors"] as Buffer;
    const map = { weight_map: { a: "model-1.safetensors", b: "model-2.safetensors" } };
    delete hub.files["model.safetensors"];
    hub.files["model-1.safetensors"] = weights.subarray(0, 100);
    hub.files["model-2.safetensors"] = weights.subarray(100);
    hub.files["model.safetensors.index.json"] = Buffer.from(JSON.stringify(map));
    const found = await fetchModel();
    expect(found.weights).toMatch(/index\.json$/);
    expectSame(join(found.weights, "../model-2.safetensors"), "model-2.safetensors");
    expect(await fetchModel({ HF_HUB_OFFLINE: "1" })).toEqual(found);
  });

  test("is refused when its hash is wrong, and leaves nothing behind", async () => {
    hub.misbehave = (file, request, response) => {
      if (file !== "model.safetensors" || !request.url?.includes("direct")) return false;
      sendFrom(Buffer.alloc(2_000_000, 1), request.headers.range, response);
      return true;
    };
    await expect(fetchModel()).rejects.toThrow(/has the hash [0-9a-f]{64}, not [0-9a-f]{64}/);
    expect(readdirSync(join(model(), "blobs"))).toHaveLength(2);
  });

  test("needs a folder that can be written to", async () => {
    writeFileSync(cache, "not a folder");
    await expect(fetchModel()).rejects.toMatchObject({
      name: "InputError",
      remedy: expect.stringMatching(/HF_HUB_CACHE/),
    });
  });

  test("is not fetched offline", async () => {
    await expect(fetchModel({ HF_HUB_OFFLINE: "1" })).rejects.toThrow(/HF_HUB_OFFLINE/);
    expect(hub.requests).toEqual([]);
  });

  test("does not tell the token to another host", async () => {
    const tokens: (string | undefined)[] = [];
    const other = await hub.listen((request, response) => {
      tokens.push(request.headers.authorization);
      sendFrom(hub.files["config.json"] as Buffer, undefined, response);
    });
    hub.misbehave = (file, _, response) => {
      if (file !== "config.json") return false;
      response.writeHead(307, { location: `${other.url}/elsewhere` }).end();
      return true;
    };
    await fetchModel({ HF_TOKEN: "secret" });
    expect(tokens).toEqual([undefined]);
  });

  test("that does not exist or lacks a file is told with the file", async () => {
    delete hub.files["tokenizer.json"];
    await expect(fetchModel()).rejects.toThrow(/tokenizer\.json: no such file .*404/);
  });

  test("without safetensors is told", async () => {
    delete hub.files["model.safetensors"];
    await expect(fetchModel()).rejects.toThrow(/"owner\/model" has no weights in safetensors/);
  });

  test("that is private is told with the remedy", async () => {
    answerAlways(401);
    await expect(fetchModel()).rejects.toMatchObject({
      message: expect.stringMatching(/refuses access \(401\)/),
      remedy: expect.stringMatching(/HF_TOKEN/),
    });
  });
});

function answerAlways(status: number): void {
  hub.misbehave = (_, __, response) => {
    response.writeHead(status).end();
    return true;
  };
}

test("the installed encoder and a folder are found", async () => {
  const files = {
    config: join(MINILM, "config.json"),
    tokenizer: join(MINILM, "tokenizer.json"),
    weights: join(MINILM, "model.fp16.safetensors"),
  };
  expect(await findEncoder()).toEqual(files);
  expect(await findEncoder(MINILM)).toEqual(files);
});

test("a name that is neither a folder nor a model's is refused", async () => {
  for (const name of ["./nowhere", "../x", "a b", "a/b/c"]) {
    await expect(findEncoder(name)).rejects.toThrow(/neither a folder/);
  }
  await expect(findEncoder(root)).rejects.toThrow(/no model\.safetensors/);
});
