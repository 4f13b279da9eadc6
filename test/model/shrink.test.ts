/** Smaller copies of models: weights in 8 bits, fewer layers, narrower ones, fewer pieces. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { WordPieces } from "../../src/encoder/wordpiece.js";
import { ModelFolder } from "../../src/model/folder.js";
import { modelTape } from "../../src/model/graph.js";
import { SpanModel } from "../../src/model/span-model.js";
import { bracken } from "../cli/run.js";
import { temporaryFolder } from "../temporary.js";
import { WORDS } from "../training/tiny-encoder.js";
import { TINY_LABELS, writeTinyModel } from "./tiny-model.js";

const folder = temporaryFolder();
const SENTENCE = WORDS.slice(0, 6);
let model: string;

beforeAll(async () => {
  model = await writeTinyModel(folder, { labels: TINY_LABELS });
});

async function shrink(from: string, name: string, ...options: string[]): Promise<string> {
  const out = join(folder, name);
  const { code, stderr } = await bracken(["model", "shrink", from, "--out", out, ...options]);
  expect([code, stderr]).toEqual([0, expect.not.stringContaining("error")]);
  return out;
}

async function scoresOf(path: string, words = SENTENCE): Promise<number[]> {
  const loaded = await SpanModel.load(await ModelFolder.open(path), { threads: 1 });
  const all: number[] = [];
  for await (const { scores } of loaded.scores([words])) all.push(...scores);
  await loaded.close();
  return all;
}

const weightsIn = (path: string) => readFileSync(join(path, "model.safetensors"));

async function readAll(path: string): Promise<Map<string, Float32Array>> {
  const opened = await ModelFolder.open(path);
  const { parameters } = modelTape(opened.config, { training: false });
  const size = (shape: readonly number[]) => shape.reduce((product, dim) => product * dim, 1);
  const read = new Map(parameters.map(({ name, shape }) => [name, new Float32Array(size(shape))]));
  await opened.readWeights(parameters, (name) => read.get(name) as Float32Array);
  return read;
}

test("a smaller copy knows the same languages", async () => {
  const languages = ["en", "de", "ja"];
  const many = await writeTinyModel(join(folder, "many"), { language: languages });
  const { config } = await ModelFolder.open(await shrink(many, "many-8", "--bits", "8"));
  expect(config.languages).toEqual(languages);
});

describe("8 bits", () => {
  test("weights are near, and rounding them again changes no byte", async () => {
    const once = await shrink(model, "once", "--bits", "8");
    const twice = await shrink(once, "twice", "--bits", "8");
    expect(weightsIn(twice).equals(weightsIn(once))).toBe(true);
    expect(weightsIn(once).length).toBeLessThan(weightsIn(model).length);
    const [before, after] = [await readAll(model), await readAll(once)];
    for (const [name, numbers] of before) {
      const largest = numbers.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
      const rounded = after.get(name) as Float32Array;
      for (const [at, number] of numbers.entries()) {
        expect(Math.abs(number - (rounded[at] as number))).toBeLessThanOrEqual(largest / 125);
      }
    }
    expect(await scoresOf(twice)).toEqual(await scoresOf(once));
  });

  test("the card and the labels stay; info tells the bits", async () => {
    const rounded = await shrink(model, "told", "--bits", "8");
    expect(readFileSync(join(rounded, "README.md"), "utf8")).toBe("# Card\n");
    const { stdout } = await bracken(["model", "info", rounded]);
    expect(stdout).toMatch(/\d+ tensors in 8 bits \(I8\)/);
    expect(stdout).toMatch(/^labels +NP, VP/m);
  });
});

describe("fewer weights", () => {
  test("as many as there are: nothing changes", async () => {
    const same = await shrink(model, "same", "--layers", "2", "--inner-width", "32");
    expect(await scoresOf(same)).toEqual(await scoresOf(model));
  });

  test("layers at equal distances, and the strongest of the inner numbers", async () => {
    const narrow = await shrink(model, "narrow", "--layers", "1", "--inner-width", "8");
    const { config } = await ModelFolder.open(narrow);
    expect([config.layers, config.bert.layers, config.bert.intermediateSize]).toEqual([1, 1, 8]);
    const [before, after] = [await readAll(model), await readAll(narrow)];
    const name = "encoder.layer.0.attention.self.query.weight";
    expect(after.get(name)).toEqual(before.get(name));
    const [all, some] = [before, after].map((each) => {
      const bias = each.get("encoder.layer.0.output.dense.weight") as Float32Array;
      return new Set(bias);
    });
    for (const number of some as Set<number>) expect(all).toContain(number);
    expect((await scoresOf(narrow)).every(Number.isFinite)).toBe(true);
  });

  test.each([
    [["--layers", "3"], /the model has 2 layers, not 3/],
    [["--inner-width", "64"], /the model has 32 numbers inside/],
    [["--pieces", "20"], /--pieces and --text go together/],
    [["--bits", "4"], /Allowed choices are 8, 16/],
  ])("%j is refused", async (options, message) => {
    const out = join(folder, "refused");
    const { code, stderr } = await bracken(["model", "shrink", model, "--out", out, ...options]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

describe("fewer pieces", () => {
  const [word = ""] = WORDS;

  test("words whose pieces are kept have the same scores, others are still cut", async () => {
    const text = join(folder, "text.jsonl");
    const tokens = [...SENTENCE, ...SENTENCE, word];
    writeFileSync(text, `${JSON.stringify({ tokens, brackets: [], source: "t", id: "1" })}\n`);
    const json = readFileSync(join(model, "tokenizer.json"), "utf8");
    const before = Object.keys(JSON.parse(json).model.vocab).length;
    const most = before - 2;
    const pruned = await shrink(model, "pruned", "--pieces", `${most}`, "--text", text);
    const after = readFileSync(join(pruned, "tokenizer.json"), "utf8");
    const { vocab } = JSON.parse(after).model;
    expect(Object.values(vocab)).toEqual([...Object.keys(vocab).keys()]);
    expect(Object.keys(vocab).length).toBeLessThanOrEqual(most);
    expect((await ModelFolder.open(pruned)).config.bert.vocabularySize).toBe(
      Object.keys(vocab).length,
    );
    expect(await scoresOf(pruned)).toEqual(await scoresOf(model));
    const pieces = await WordPieces.parse(after);
    for (const each of WORDS) expect(pieces.pieces(each).length).toBeGreaterThan(0);
  });

  test("fewer than single characters and special tokens are refused", async () => {
    const text = join(folder, "one.jsonl");
    const line = { tokens: [word], brackets: [], source: "t", id: "1" };
    writeFileSync(text, `${JSON.stringify(line)}\n`);
    const options = ["--pieces", "3", "--text", text, "--out", join(folder, "few")];
    const { code, stderr } = await bracken(["model", "shrink", model, ...options]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/keep at least \d+/)]);
  });
});
