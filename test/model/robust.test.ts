/** Models that are well sealed and make no sense: refused with an InputError, in bounded memory. */

import { createHash } from "node:crypto";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { RemoteModel } from "../../src/model/remote.js";
import { loadParser } from "../../src/parser/load-parser.js";
import { temporaryFolder } from "../temporary.js";
import { writeTinyModel } from "./tiny-model.js";

const folder = temporaryFolder();
let good: string;
const model = join(folder, "altered");

beforeAll(async () => {
  good = await writeTinyModel(folder);
});

beforeEach(() => {
  rmSync(model, { recursive: true, force: true });
  cpSync(good, model, { recursive: true });
});

/** Puts other contents into a file of the model, and makes the manifest true again. */
function seal(file: string, bytes: Buffer): void {
  writeFileSync(join(model, file), bytes);
  const path = join(model, "manifest.json");
  const manifest = JSON.parse(readFileSync(path, "utf8"));
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  manifest.files[file] = { bytes: bytes.length, sha256 };
  writeFileSync(path, JSON.stringify(manifest));
}

async function expectRefused(message: RegExp): Promise<void> {
  const loading = loadParser(model, { threads: 1, workers: 0 });
  await expect(loading).rejects.toMatchObject({ name: "InputError" });
  await expect(loading).rejects.toThrow(message);
}

interface Entry {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
}

function alterWeights(change: (header: Record<string, Entry>, data: Buffer) => Buffer): void {
  const bytes = readFileSync(join(model, "model.safetensors"));
  const length = Number(bytes.readBigUInt64LE(0));
  const header = JSON.parse(bytes.toString("utf8", 8, 8 + length));
  const { __metadata__: _, ...tensors } = header;
  const data = change(tensors, Buffer.from(bytes.subarray(8 + length)));
  const json = Buffer.from(JSON.stringify(tensors));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(json.length));
  seal("model.safetensors", Buffer.concat([size, json, data]));
}

const first = (header: Record<string, Entry>) => Object.values(header)[0] as Entry;
const second = (header: Record<string, Entry>) => Object.values(header)[1] as Entry;

describe("weights", () => {
  test("written again as they are, they load", async () => {
    alterWeights((_, data) => data);
    await (await loadParser(model, { threads: 1, workers: 0 })).close();
  });

  test("that overlap", async () => {
    alterWeights((header, data) => {
      second(header).data_offsets = second(header).data_offsets.map((at) => at - 2) as never;
      return data;
    });
    await expectRefused(/overlaps another one/);
  });

  test("with a gap, or bytes at the end", async () => {
    alterWeights((_, data) => Buffer.concat([data, Buffer.alloc(8)]));
    await expectRefused(/8 bytes at its end belong to no tensor/);
    alterWeights((header, data) => {
      for (const entry of Object.values(header)) {
        entry.data_offsets = entry.data_offsets.map((at) => at + 4) as never;
      }
      return data.subarray(0, data.length - 4);
    });
    await expectRefused(/does not begin where/);
  });

  test("of another shape with as many numbers", async () => {
    alterWeights((header, data) => {
      const matrix = Object.values(header).find(({ shape: [a, b] }) => b !== undefined && a !== b);
      matrix?.shape.reverse();
      return data;
    });
    await expectRefused(/has shape \[.*\] where the model needs \[/);
  });

  test("whose shape does not fit their bytes", async () => {
    alterWeights((header, data) => {
      first(header).shape = [1e6, 1e6];
      return data;
    });
    await expectRefused(/takes \d+ bytes where its shape needs/);
  });

  test.each([0x7e00, 0x7c00, 0xfc00])("that are not finite: %i", async (bits) => {
    alterWeights((header, data) => {
      data.writeUInt16LE(bits, second(header).data_offsets[0]);
      return data;
    });
    await expectRefused(/has infinite numbers or NaN/);
  });
});

describe("a configuration with huge numbers", () => {
  test.each([
    ["num_hidden_layers", 1e9],
    ["hidden_size", 2 ** 40],
    ["intermediate_size", 1e15],
    ["vocab_size", 1e12],
    ["max_position_embeddings", 9e15],
  ])("%s", async (name, value) => {
    const path = join(model, "config.json");
    const config = { ...JSON.parse(readFileSync(path, "utf8")), [name]: value };
    seal("config.json", Buffer.from(JSON.stringify(config)));
    await expectRefused(/parameters; at most|multiple of/);
  });

  test("of the scorer", async () => {
    const path = join(model, "config.json");
    const config = JSON.parse(readFileSync(path, "utf8"));
    config.bracken.scorer = { width: 1e9 };
    seal("config.json", Buffer.from(JSON.stringify(config)));
    await expectRefused(/"scorer.width" of "bracken" must be at most 65536/);
  });

  test("of a few more layers than there are weights for takes no memory for them", async () => {
    const path = join(model, "config.json");
    const config = { ...JSON.parse(readFileSync(path, "utf8")), vocab_size: 200_000_000 };
    seal("config.json", Buffer.from(JSON.stringify(config)));
    await expectRefused(/has shape \[.*\] where the model needs \[200000000, /);
  });
});

test("files that the manifest does not list are ignored", async () => {
  writeFileSync(join(model, "data.sha256"), "whatever");
  await (await loadParser(model, { threads: 1, workers: 0 })).close();
});

describe("by an address", () => {
  async function fetchWith(manifest: (end: () => boolean) => Iterable<string>): Promise<unknown> {
    let isOver = false;
    let sent = 0;
    const server = createServer(async (_, response) => {
      response.on("close", () => {
        isOver = true;
      });
      for (const part of manifest(() => isOver)) {
        sent += part.length;
        if (!response.write(part)) await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    try {
      return await RemoteModel.fetch(`http://127.0.0.1:${port}/`).catch((error) => error);
    } finally {
      server.closeAllConnections();
      server.close();
      expect(sent).toBeLessThan(200 << 20);
    }
  }

  test("a manifest without an end is given up", async () => {
    const error = await fetchWith(function* (isOver) {
      yield '{"files": "';
      while (!isOver()) yield "a".repeat(1 << 16);
    });
    expect(error).toMatchObject({ name: "InputError", problem: "it has more than 1048576 bytes" });
  });

  test.each([-1, 1e15, "4", null])("a manifest with the size %j", async (bytes) => {
    const files = { "config.json": { bytes, sha256: "0".repeat(64) } };
    const error = await fetchWith(() => [JSON.stringify({ files })]);
    expect(error).toMatchObject({ name: "InputError" });
    expect((error as Error).message).toContain("does not give its size and SHA-256");
  });
});
