import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Bracketing } from "../../src/brackets/record.js";
import { writeTinyModel } from "../parser/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { bracken } from "./run.js";

const folder = temporaryFolder();
let model: string;
let data: string;

const SENTENCES = [
  { tokens: ["the", "old", "man", "sat", "by", "the", "door"], brackets: [[0, 3]] },
  { tokens: ["a", "dog", "ran"], brackets: [] },
  { tokens: ["dog"], brackets: [] },
];

beforeAll(async () => {
  model = await writeTinyModel(folder);
  data = join(folder, "data.jsonl");
  const lines = SENTENCES.map((each, id) => JSON.stringify({ ...each, source: "s", id: `${id}` }));
  writeFileSync(data, `${lines.join("\n")}\n`);
});

async function distil(...options: string[]): Promise<Bracketing[]> {
  const output = join(folder, "beliefs.jsonl");
  const { code, stderr } = await bracken([
    ...["distil", data, "-m", model, "-m", model, "--threads", "1", "-o", output],
    ...options,
  ]);
  expect([code, stderr]).toEqual([0, ""]);
  const lines = readFileSync(output, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Bracketing);
}

/** The probabilities of all phrases of a binary tree add up to their number. */
function mass({ weights = [] }: Bracketing): number {
  return weights.reduce((sum, weight) => sum + weight, 0);
}

test("beliefs are probabilities of spans, and heed brackets as much as is asked for", async () => {
  const free = await distil("--cost-factor", "0", "--least", "0");
  expect(free.map(({ id }) => id)).toEqual(["0", "1"]);
  expect(free.map(mass).map(Math.round)).toEqual([5, 1]);
  const bound = await distil("--cost-factor", "30", "--least", "0.001");
  const at = bound[0]?.brackets.findIndex(([begin, end]) => begin === 0 && end === 3) ?? -1;
  expect(bound[0]?.weights?.[at]).toBe(1);
  expect(bound[0]?.kinds?.every((kind) => kind === "belief")).toBe(true);
});

test("a model learns from beliefs", async () => {
  await distil("--cost-factor", "30");
  const { code, stderr } = await bracken([
    ...["train", join(folder, "beliefs.jsonl"), "--encoder", join(folder, "encoder")],
    ...["--steps", "3", "--out", join(folder, "student"), "--hold-back", "0", "--threads", "1"],
  ]);
  expect([code, stderr.includes("step 3/3")]).toEqual([0, true]);
});
