/** `bracken parse` over long inputs: shards, and a process that is killed. */

import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { WORDS } from "../training/tiny-encoder.js";
import { bracken, runAndKill } from "./run.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
let model: string;
const parse = (...args: string[]) =>
  bracken(["parse", "--model", model, "--threads", "1", ...args]);

beforeAll(async () => {
  model = await writeTinyModel(folder);
});

const lines = (count: number, air = "") =>
  Array.from({ length: count }, (_, index) => {
    const words = Array.from({ length: (index * 5) % 14 }, (_, word) => WORDS[(index + word) % 12]);
    return `${words.join(" ")}${air}\n`;
  }).join("");

describe("shards", () => {
  beforeAll(() => {
    writeFileSync(at("a.txt"), lines(500, " ".repeat(6000)));
    writeFileSync(at("b.txt.gz"), gzipSync(lines(500, " ".repeat(6000))));
  });

  test.each(["penn", "json", "conllu-misc", "text"])(
    "one after the other they are the whole: %s",
    async (format) => {
      const common = [at("a.txt"), at("b.txt.gz"), "--lines", "--format", format, "--marginals"];
      const [whole, ...shards] = await Promise.all([
        parse(...common),
        parse(...common, "--shard", "1/2"),
        parse(...common, "--shard", "2/2"),
      ]);
      expect(shards.map(({ code }) => code)).toEqual([0, 0]);
      expect(shards.map(({ stdout }) => stdout).join("") === whole?.stdout).toBe(true);
      expect(shards.every(({ stdout }) => stdout.length > 1000)).toBe(true);
    },
  );

  test("standard input has none, and a shard must be one", async () => {
    const piped = await parse("-", "--lines", "--shard", "1/2");
    expect([piped.code, piped.stderr]).toEqual([2, expect.stringContaining("to a file first")]);
    expect((await parse(at("a.txt"), "--shard", "3/2")).code).toBe(2);
  });
});

describe("a killed run", () => {
  test("goes on without loss or duplicate, and only as it was begun", async () => {
    const output = at("trees.jsonl");
    const common = [at("long.txt"), "--lines", "--format", "json", "--scores", "--kbest", "8"];
    const command = ["parse", "--model", model, "--threads", "1", ...common, "-o", output];
    // As many lines as this machine needs some time for.
    for (let count = 6000; !existsSync(`${output}.partial`); count *= 3) {
      rmSync(output, { force: true });
      writeFileSync(at("long.txt"), lines(count));
      await runAndKill(command, output);
    }
    expect(existsSync(output)).toBe(false);
    const { state } = JSON.parse(readFileSync(`${output}.progress`, "utf8"));
    expect(state.done.count).toBeGreaterThan(0);
    const other = await bracken([...command, "--decoding", "best"]);
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("other options")]);
    const last = await bracken(command);
    expect([last.code, existsSync(`${output}.progress`)]).toEqual([0, false]);
    const resumed = readFileSync(output, "utf8");
    rmSync(output);
    await bracken(command);
    expect(resumed === readFileSync(output, "utf8")).toBe(true);
  });

  test("malformed trees stop it; what was before them is kept", async () => {
    writeFileSync(at("bad.mrg"), "(S the dog)\n(S a man\n(S ran");
    const output = at("bad.txt");
    const { code, stderr } = await parse(at("bad.mrg"), "-o", output);
    expect([code, existsSync(output)]).toEqual([2, false]);
    expect(stderr).toContain("bad.mrg:3:1: this bracket is never closed");
    expect(stderr).toContain("bad.txt.partial");
    expect(readFileSync(`${output}.partial`, "utf8")).toBe("(X the dog)\n");
    expect((await parse(at("bad.mrg"))).stdout).toBe("(X the dog)\n");
  });
});
