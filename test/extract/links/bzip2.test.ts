import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { InputError } from "../../../src/errors.js";
import { bunzip2, inflateSegment } from "../../../src/files/bzip2.js";
import { joinSegments, type Segment, scanBlocks } from "../../../src/files/bzip2-scan.js";
import { readBytes, readParts } from "../../../src/files/input.js";
import { temporaryFolder } from "../../temporary.js";

const folder = temporaryFolder();
const fixture = (name: string) =>
  fileURLToPath(new URL(`fixtures/${name}.xml.bz2`, import.meta.url));
const FIXTURES = ["blocks", "multistream", "cut-streams"];

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function unpack(bytes: Uint8Array, size = bytes.length): Promise<Buffer> {
  const found: Uint8Array[] = [];
  for await (const block of bunzip2(pieces(bytes, size), { file: "x" })) found.push(block.bytes);
  return Buffer.concat(found);
}

const sha1 = (bytes: Uint8Array) => createHash("sha1").update(bytes).digest("hex");

describe("bzip2", () => {
  test("blocks, streams and streams that end anywhere hold the same", async () => {
    const sums = FIXTURES.map(async (name) => sha1(await unpack(readFileSync(fixture(name)))));
    const [first, ...others] = await Promise.all(sums);
    expect(others).toEqual([first, first]);
    expect((await unpack(readFileSync(fixture("blocks")))).length).toBe(303_552);
  });

  test.each([1, 7, 100, 4096])("in pieces of %i bytes", async (size) => {
    const bytes = readFileSync(fixture("blocks"));
    expect(sha1(await unpack(bytes, size))).toBe(sha1(await unpack(bytes)));
  });

  test("a long run, and nothing at all", async () => {
    const run = "QlpoOTFBWSZTWb5F7U4AB6iIQMAAAAIACCAAMMwJqmmVJDapSQ8XckU4UJC+Re1O";
    expect(await unpack(Buffer.from(run, "base64"))).toEqual(Buffer.alloc(1_000_000, "0"));
    expect(await unpack(Buffer.from("QlpoORdyRThQkAAAAAA=", "base64"))).toEqual(Buffer.alloc(0));
  });

  test("a block is found again by its place", async () => {
    const file = fixture("cut-streams");
    const all: { position: number; sum: string }[] = [];
    for await (const { bytes, position } of readParts(file))
      all.push({ position, sum: sha1(bytes) });
    expect(all.length).toBeGreaterThan(4);
    for (const { position, sum } of all) {
      const { value } = await readParts(file, {}, position).next();
      expect([value?.position, value && sha1(value.bytes)]).toEqual([position, sum]);
    }
  });

  test("a magic within the data: the pieces are joined", async () => {
    const segments: Segment[] = [];
    for await (const segment of scanBlocks(pieces(readFileSync(fixture("blocks")), 5000)))
      segments.push(segment);
    const [first] = segments as [Segment];
    const middle = first.bytes.length >> 1;
    const left = { ...first, bytes: first.bytes.subarray(0, middle) };
    const right = {
      bytes: first.bytes.subarray(middle),
      bit: 0,
      position: first.position + middle,
    };
    expect(inflateSegment(left)).toBeUndefined();
    expect(inflateSegment(joinSegments(left, right))).toEqual(inflateSegment(first));
  });

  test("cut off at any place: what is before comes first, then an error", async () => {
    const bytes = readFileSync(fixture("blocks"));
    const whole = await unpack(bytes);
    for (let end = 20; end < bytes.length; end += 1777) {
      const file = join(folder, "cut.bz2");
      writeFileSync(file, bytes.subarray(0, end));
      const found: Buffer[] = [];
      const read = async () => {
        for await (const chunk of readBytes(file)) found.push(chunk);
      };
      await expect(read()).rejects.toThrow(/cut\.bz2: damaged or truncated bzip2/);
      const before = Buffer.concat(found);
      expect(before.equals(whole.subarray(0, before.length))).toBe(true);
    }
  });

  test("a changed byte is noticed", async () => {
    const bytes = readFileSync(fixture("blocks"));
    for (let at = 30; at < bytes.length; at += 997) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] as number) ^ 0x10;
      await expect(unpack(changed)).rejects.toThrow(InputError);
    }
  });
});
