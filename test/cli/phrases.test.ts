/** `bracken phrases` as a process, with a tiny model of random weights that names phrases. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { bracken } from "./run.js";

const folder = temporaryFolder();
const file = join(folder, "text.txt");
const text = "the old man sat by the door . a dog ran .\n\nthe red dog sat on a bench .\n";
let model: string;

beforeAll(async () => {
  const labels = { classes: ["-", "NP", "VP", "PP"] };
  model = await writeTinyModel(folder, { labels, decoding: "phrases" });
  writeFileSync(file, text);
});

const phrases = (...args: string[]) =>
  bracken(["phrases", file, "--model", model, "--threads", "1", ...args]);

describe("bracken phrases", () => {
  test("gives each phrase with its place in the file", async () => {
    const { code, stdout, stderr } = await phrases("--label", "NP,VP,PP", "--format", "jsonl");
    expect([code, stderr]).toEqual([0, ""]);
    const found = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(found.length).toBeGreaterThan(5);
    for (const phrase of found) {
      expect(text.slice(phrase.begin, phrase.end)).toBe(phrase.text);
      expect(["NP", "VP", "PP"]).toContain(phrase.label);
      expect(phrase.probability).toBeGreaterThan(0);
      expect(phrase.file).toBe(file);
    }
  });

  test("tsv has the same phrases; --count counts them", async () => {
    const labels = ["--label", "NP,VP,PP"];
    const tsv = (await phrases(...labels)).stdout.trim().split("\n");
    const keys = tsv.map((line) => line.split("\t").slice(0, 2).join("\t"));
    expect(tsv[0]?.split("\t")).toHaveLength(8);
    const counts = (await phrases(...labels, "--count")).stdout.trim().split("\n");
    const expected = new Map<string, number>();
    for (const key of keys) expected.set(key, (expected.get(key) ?? 0) + 1);
    expect(counts).toHaveLength(expected.size);
    for (const line of counts) {
      const [count, ...key] = line.split("\t");
      expect(expected.get(key.join("\t"))).toBe(Number(count));
    }
    const numbers = counts.map((line) => Number(line.split("\t")[0]));
    expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
  });

  test("to a file, and shards one after the other are the whole", async () => {
    const all = ["--label", "NP,VP,PP"];
    const whole = (await phrases(...all)).stdout;
    const parts = [1, 2].map((part) => join(folder, `part-${part}`));
    for (const [index, out] of parts.entries()) {
      await phrases(...all, "--shard", `${index + 1}/2`, "-o", out);
    }
    expect(parts.map((part) => readFileSync(part, "utf8")).join("")).toBe(whole);
  });

  test("a label that the model lacks, or a model without names, is an error of the user's", async () => {
    const wrong = await phrases("--label", "XP");
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("its labels are NP, VP, PP");
    const unnamed = await writeTinyModel(join(folder, "unnamed"));
    const { code, stderr } = await bracken(["phrases", file, "--model", unnamed]);
    expect(code).toBe(2);
    expect(stderr).toContain("the model does not name phrases");
  });
});
