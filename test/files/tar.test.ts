/** Archives as the `tar` of the system writes them, and archives that are damaged. */

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Part, readParts } from "../../src/files/input.js";
import { readTar } from "../../src/files/tar.js";
import { temporaryFolder } from "../temporary.js";

const folder = temporaryFolder();
const FILES: Record<string, string> = {
  "a.txt": "one",
  "empty.txt": "",
  "block.txt": "x".repeat(512),
  [`${"long/".repeat(30)}name.txt`]: "y".repeat(5000),
  "ünïcödé.txt": "two",
};

async function readAll(parts: AsyncIterable<Part>) {
  const found: Record<string, string> = {};
  const places: [name: string, position: number][] = [];
  for await (const entry of readTar(parts, "x.tar")) {
    places.push([entry.name.replace(/^\.\//, ""), entry.position]);
    const pieces: Uint8Array[] = [];
    for await (const { bytes } of entry.parts()) pieces.push(bytes);
    found[entry.name.replace(/^\.\//, "")] = Buffer.concat(pieces).toString();
  }
  return { found, places };
}

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Part> {
  for (let at = 0; at < bytes.length; at += size) {
    yield { bytes: bytes.subarray(at, at + size), position: at, exact: true };
  }
}

const hasTar = spawnSync("tar", ["--version"]).status === 0;

describe.runIf(hasTar).each(["ustar", "gnu", "pax"])("the system's tar, %s", (format) => {
  const archive = join(folder, `${format}.tar`);

  test("every file, with its place, however the bytes come", async () => {
    const source = join(folder, format);
    for (const [name, text] of Object.entries(FILES)) {
      mkdirSync(join(source, name, ".."), { recursive: true });
      writeFileSync(join(source, name), text);
    }
    const args = [`--format=${format}`, "-cf", archive, "-C", source, "."];
    expect(spawnSync("tar", args).status).toBe(0);
    const { found, places } = await readAll(readParts(archive));
    expect(found).toEqual(FILES);
    const bytes = readFileSync(archive);
    for (const [, position] of places) {
      expect(bytes.toString("latin1", position + 257, position + 262)).toBe("ustar");
    }
    for (const size of [1, 511, 513, 4096]) {
      expect((await readAll(inChunks(bytes, size))).found).toEqual(FILES);
    }
    // Whatever a tape or a download has behind the end is not of the archive.
    const appended = Buffer.concat([bytes, Buffer.from("something else")]);
    expect((await readAll(inChunks(appended, 4096))).found).toEqual(FILES);
  });

  test("a changed header is found by its checksum, a cut by what is missing", async () => {
    const bytes = readFileSync(archive);
    const { places } = await readAll(inChunks(bytes, 4096));
    const [, place = 0] = places.find(([name]) => name.endsWith("name.txt")) ?? [];
    const changed = Buffer.from(bytes);
    changed[place] = (changed[place] as number) ^ 1;
    await expect(readAll(inChunks(changed, 4096))).rejects.toThrow(`tar archive at byte ${place}`);
    for (const cut of [100, 600, 512 + 5000]) {
      const reading = readAll(inChunks(bytes.subarray(0, place + cut), 4096));
      await expect(reading, `${cut}`).rejects.toMatchObject({ name: "InputError" });
    }
  });
});
