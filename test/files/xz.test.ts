/**
 * xz data. The fixtures were made by `xz` from the two contents below, as their names say: `--block-size`,
 * `--lzma2=lc=0,lp=2,pb=0`, `--check=sha256`, `--check=none --lzma2=mode=fast`, and so on.
 */

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InputError } from "../../src/errors.js";
import { inputSize, readBytes, readParts } from "../../src/files/input.js";
import { unxz } from "../../src/files/xz.js";
import { temporaryFolder } from "../temporary.js";

const folder = temporaryFolder();
const WORDS = "the old man saw a boat on sea and left house of king".split(" ");

/** A generator that anyone can write again, since fixtures depend on it. */
let seed = 1;
const next = () => {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return seed >>> 16;
};
const TEXT = Buffer.from(Array.from({ length: 1500 }, () => WORDS[next() % 13]).join(" "));
const BYTES = Buffer.from(Uint8Array.from({ length: 300 }, () => next() >> 4));

const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}.xz`, import.meta.url));

async function unpack(file: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of readBytes(file)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** What is in the bytes, or what is wrong with them. */
async function unpackBytes(bytes: Uint8Array): Promise<Buffer | InputError> {
  const source = async function* () {
    yield bytes;
  };
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of unxz(source(), "memory")) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
}

function write(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

describe("xz", () => {
  test.each([
    ["blocks", TEXT],
    ["properties", TEXT],
    ["sha256", TEXT],
    ["none", TEXT],
    ["stored", BYTES],
    ["streams", Buffer.concat([BYTES, BYTES])],
  ])("%s", async (name, content) => {
    expect((await unpack(fixture(name))).equals(content)).toBe(true);
  });

  test("read from any place on, and its size, in places after decompression", async () => {
    const file = fixture("blocks");
    expect(await inputSize(file)).toBe(TEXT.length);
    const rest: Uint8Array[] = [];
    for await (const { bytes } of readParts(file, {}, 4000)) rest.push(bytes);
    expect(Buffer.concat(rest).equals(TEXT.subarray(4000))).toBe(true);
  });

  test("two files side by side", async () => {
    const [one, two] = [readBytes(fixture("blocks")), readBytes(fixture("sha256"))];
    const first = await one.next();
    expect((await two.next()).value?.equals(TEXT)).toBe(true);
    expect(first.value?.equals(TEXT.subarray(0, first.value.length))).toBe(true);
    await Promise.all([one.return(undefined), two.return(undefined)]);
  });

  test("a filter for programs is refused, with the way to read it", async () => {
    const failing = unpack(fixture("filter"));
    await expect(failing).rejects.toThrow("a filter other than LZMA2 is not read");
    await expect(failing).rejects.toMatchObject({ remedy: expect.stringContaining("xz -dk") });
  });

  test("cut off anywhere: an error, unless a whole stream is before it", async () => {
    const whole = readFileSync(fixture("streams"));
    const ends = new Set<number>();
    for (let size = 0; size < whole.length; size++) {
      const found = await unpackBytes(whole.subarray(0, size));
      if (Buffer.isBuffer(found)) {
        expect(found.equals(BYTES)).toBe(true);
        ends.add(size);
      } else expect(found.message).toContain("memory: damaged or truncated xz data");
    }
    // After the first stream, and after each four of the zeros that follow it.
    expect(ends.size).toBe(3);
  });

  test.each([
    ["stored", 1],
    ["properties", 9],
  ])("a changed byte is noticed: %s", async (name, step) => {
    const whole = readFileSync(fixture(name));
    for (let at = 0; at < whole.length; at += step) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] as number) ^ (1 << (at % 8));
      expect(await unpackBytes(changed)).toBeInstanceOf(InputError);
    }
  });

  const hasXz = spawnSync("xz", ["--version"]).status === 0;
  if (!hasXz) console.warn('SKIPPED: "whatever xz writes" needs the program xz');
  test.skipIf(!hasXz)("whatever xz writes", async () => {
    const content = fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 40 }),
        fc
          .tuple(fc.uint8Array({ minLength: 1, maxLength: 5 }), fc.nat(3000))
          .map(([bytes, times]) => Buffer.concat(Array.from({ length: times }, () => bytes))),
      ),
      { maxLength: 30 },
    );
    const settings = fc.record({
      lc: fc.nat(2),
      lp: fc.nat(2),
      pb: fc.nat(4),
      dict: fc.constantFrom("4KiB", "64KiB", "1MiB"),
      mode: fc.constantFrom("fast", "normal"),
    });
    await fc.assert(
      fc.asyncProperty(content, settings, async (parts, options) => {
        const whole = Buffer.concat(parts);
        const lzma2 = Object.entries(options).map((pair) => pair.join("="));
        const packed = spawnSync("xz", ["-c", `--lzma2=${lzma2.join(",")}`], { input: whole });
        const file = write("any.xz", packed.stdout);
        expect((await unpack(file)).equals(whole)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});
