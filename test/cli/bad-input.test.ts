/** Wrong use of the commands, each with a message that says what to do, and exit code 2. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { bracken } from "./run.js";

const folder = temporaryFolder();
let model: string;

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

beforeAll(async () => {
  model = await writeTinyModel(folder);
});

const parse = (...args: string[]) =>
  bracken(["parse", "--model", model, "--threads", "1", ...args]);

describe("files that are no text", () => {
  const FILES: [name: string, content: string | Uint8Array, told: string][] = [
    ["a.pdf", "%PDF-1.7\n1 0 obj\n<< >>\nendobj\n", "this is a PDF"],
    ["a.docx", Buffer.from([0x50, 0x4b, 3, 4, 20, 0, 6, 0]), "ZIP archive or an office document"],
    ["a.json", '{"sentences": ["The dog ran."]}\n', "this looks like JSON"],
    ["list.json", '[{"text": "The dog ran."}]', "this looks like JSON"],
    ["a.html", "<!DOCTYPE html>\n<p>The dog ran.</p>", "this looks like HTML"],
    ["a.bin", Buffer.from([1, 2, 0, 4, 5]), "it holds NUL bytes"],
  ];

  test.each(FILES)("%s is refused, with what to do", async (name, content, told) => {
    const { code, stdout, stderr } = await parse(file(name, content));
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(told);
    expect(stderr).toContain(name);
    expect(stderr.trim().split("\n")).toHaveLength(2);
    const forced = await parse(join(folder, name), "--input", "text");
    expect(forced.code).toBe(0);
  });

  test("brackets and braces in prose are text", async () => {
    const { code, stderr } = await parse(file("prose.txt", "[He] left. {She} stayed."));
    expect([code, stderr]).toEqual([0, ""]);
  });
});

test("a word that is no file may have been meant as a text: both readings are told", async () => {
  for (const args of [["Hello"], ["He", "left."]]) {
    const { code, stderr } = await parse(...args);
    expect(code).toBe(2);
    expect(stderr).toContain("no such file, folder or pattern");
    expect(stderr).toContain("put all of it in quotes");
  }
});

test("brackets that do not close in a text on the command line", async () => {
  for (const text of ["[the old man left.", "the old man] left."]) {
    const { code, stdout, stderr } = await parse("--constrain", text);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/a '\[' is never closed|a '\]' closes nothing/);
  }
});

test("options without effect are told", async () => {
  const { code, stderr } = await parse("--kbest", "3", "--marginals", "the old man sat.");
  expect(code).toBe(0);
  expect(stderr).toContain("--kbest has no effect without --format json");
  expect(stderr).toContain("--marginals has no effect without --format json");
  const json = await parse("--kbest", "3", "-f", "json", "the old man sat.");
  expect(json.stderr).toBe("");
});

test.each([
  ["--kbest", "1000000000"],
  ["--threads", "100000"],
  ["--threshold", "7"],
  ["--threshold", "NaN"],
])("%s %s is out of range", async (...args) => {
  const { code, stderr } = await parse(...args, "the dog.");
  expect([code, stderr]).toEqual([2, expect.stringContaining("It must be")]);
});

describe("evaluate", () => {
  const gold = "(S (NP (DT the) (NN dog)) (VP (VBD saw) (NP (DT a) (NN man))))\n";

  test("a model in place of predicted trees, and a model as the second system", async () => {
    const treebank = file("gold.mrg", gold);
    const wrong = await bracken(["evaluate", treebank, model]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("--model")]);
    const args = ["evaluate", treebank, "-m", model, "--against", model, "--json"];
    const { code, stdout } = await bracken(args);
    const report = JSON.parse(stdout);
    expect([code, report.against.sentenceF1]).toEqual([0, report.sentenceF1]);
  });

  test("unary roots are told beside the number that they change", async () => {
    const wrapped = file(
      "wrapped.mrg",
      `(S1 ${gold.trim()})\n`.repeat(3).replaceAll("(S1", "(CAP"),
    );
    const args = ["evaluate", wrapped, wrapped];
    expect((await bracken(args)).stdout).toContain("caution: 100.00 % of the gold trees");
    expect((await bracken([...args, "-p", "nob"])).stdout).not.toContain("caution");
    const plain = file("plain.mrg", gold.repeat(3));
    expect((await bracken(["evaluate", plain, plain])).stdout).not.toContain("caution");
  });
});

test("training that was stopped is a model, and may get more steps", async () => {
  const { writeTinyEncoder } = await import("../training/tiny-encoder.js");
  const encoder = await writeTinyEncoder(join(folder, "small-encoder"));
  const tokens = ["the", "old", "man", "sat", "."];
  const line = `${JSON.stringify({ tokens, brackets: [[0, 3]], source: "s", id: "1" })}\n`;
  const data = file("data.jsonl", line.repeat(40));
  const out = join(folder, "trained");
  mkdirSync(out);
  const train = (steps: string, ...more: string[]) =>
    bracken(["train", data, "-o", out, "--encoder", encoder, "--steps", steps, ...more]);
  const common = ["--threads", "1", "--validation-share", "0", "--checkpoint-every", "4"];
  expect((await train("8", ...common, "--keep-checkpoint")).code).toBe(0);
  const fewer = await train("4", ...common);
  expect([fewer.code, fewer.stderr]).toEqual([2, expect.stringContaining("another run")]);
  const more = await train("12", ...common);
  expect([more.code, more.stderr]).toEqual([0, expect.stringContaining("after 12 steps")]);
  const gone = await train("16", ...common);
  expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining("--keep-checkpoint")]);
  expect((await bracken(["parse", "-m", out, "--threads", "1", "the old man."])).code).toBe(0);
});
