/** Treebanks with places that have no tree, and with trees larger than a command can handle. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { bracken } from "./run.js";

const folder = temporaryFolder();

function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const tree = (...words: string[]) =>
  `(S (NP (DT the) ${words.map((word) => `(NN ${word})`).join(" ")}) (VP (VBD ran)))`;
const [A, B, C, D] = [tree("dog"), tree("old", "man"), tree("cat"), tree("red", "deer")];
const good = file("good.mrg", [A, B, C, D].join("\n"));
const bad = file("bad.mrg", [A, "(S (NN cut)", C, "(())", D, "stray"].join("\n"));
const failed = file("failed.txt", [A, "(())", C, D].join("\n"));

describe("without --skip-bad", () => {
  test.each([
    [["convert", bad]],
    [["evaluate", bad, good]],
    [["evaluate", good, bad]],
    [["evaluate", good, good, "--against", bad]],
    [["evaluate", good, failed]],
    [["baseline", "right", bad]],
    [["baseline", "all", failed, "--evaluate"]],
    [["stats", file("data.jsonl", '{"tokens": ["a"], "brackets": []}\n'), "--gold", bad]],
  ])("%j names the place and the flag", async (args) => {
    const { code, stderr } = await bracken([...args, "-o", join(folder, "none")]);
    const [first, second, ...more] = stderr.trim().split("\n");
    expect([code, more]).toEqual([2, []]);
    expect(first).toMatch(/(?:bad\.mrg|failed\.txt):2:1: /);
    expect(second).toContain("--skip-bad");
  });

  test("a bad treebank to exclude is an error that says how to make it readable", async () => {
    const data = file("answers.jsonl", '{"tokens": ["a", "b"], "brackets": [[0, 2]]}\n');
    const { code, stderr } = await bracken(["extract", "jsonl", data, "--exclude", bad]);
    expect(code).toBe(2);
    expect(stderr).toContain(`bracken convert ${bad} --skip-bad -o readable.mrg`);
  });
});

describe("with --skip-bad", () => {
  test("convert leaves out what is no tree, and counts it", async () => {
    const { code, stdout, stderr } = await bracken(["convert", bad, "--skip-bad"]);
    expect([code, stdout]).toEqual([0, `${[A, C, D].join("\n")}\n`]);
    expect(stderr.split("\n")).toEqual([
      `left out: ${bad}:2:1: this bracket is never closed`,
      `left out: ${bad}:4:1: these brackets hold nothing`,
      `left out: ${bad}:6:1: expected '(' but found 'stray'`,
      "left out in all: 1 malformed, 1 failed, 1 stray",
      "",
    ]);
  });

  test("many are counted, not listed", async () => {
    const input = "(())\n".repeat(500) + A;
    const { code, stderr } = await bracken(["convert", "-", "--skip-bad"], { input });
    expect([code, stderr.split("\n").length]).toEqual([0, 13]);
    expect(stderr).toContain("left out in all: 500 failed\n");
  });

  test("evaluate leaves the sentence out for gold and all predictions", async () => {
    const predicted = file("predicted.txt", [A, B, C, "(S (NN cut)", D].join("\n"));
    const gold = file("gold.mrg", ["% comment", A, B, "(())", C, D].join("\n"));
    const right = file("right.txt", [A, "(())", A, C, D].join("\n"));
    const args = ["evaluate", gold, predicted, "--against", right, "--skip-bad"];
    const { code, stdout, stderr } = await bracken([...args, "--json"]);
    expect(code).toBe(0);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ sentences: 2, missing: 3, sentenceF1: 100 });
    expect(report.against).toMatchObject({ sentences: 2, missing: 3 });
    expect(stderr).toContain("left out in all: 2 failed, 1 malformed\n");
    expect((await bracken(args)).stdout).toContain("2 scored, 0 skipped (fewer than two words), 3");
  });

  test("evaluate says so where nothing is left", async () => {
    const none = file("none.txt", "(())\n".repeat(4));
    const { code, stderr } = await bracken(["evaluate", good, none, "--skip-bad"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("4 of 4 sentences have no tree")]);
  });

  test("baseline and stats", async () => {
    const trees = await bracken(["baseline", "left", bad, "--skip-bad"]);
    expect([trees.code, trees.stdout.trim().split("\n").length]).toEqual([0, 3]);
    const scores = await bracken(["baseline", "all", bad, "--evaluate", "--json", "--skip-bad"]);
    expect(JSON.parse(scores.stdout)).toMatchObject({ sentences: 3 });
    const tokens = ["the", "red", "deer", "ran"];
    const data = file("deer.jsonl", JSON.stringify({ tokens, brackets: [[0, 3]] }));
    const stats = await bracken(["stats", data, "--gold", bad, "--skip-bad", "--json"]);
    expect(JSON.parse(stats.stdout).gold).toMatchObject({ sentences: 1 });
    for (const { stderr } of [trees, scores, stats]) expect(stderr).toContain("left out in all: ");
  });
});

describe("what parse writes where it has no tree", () => {
  let model: string;

  beforeAll(async () => {
    model = await writeTinyModel(folder);
  });

  test.each(["penn", "json", "conllu-misc"])("%s: convert keeps its place", async (format) => {
    const input = "the dog ran\n[the dog\nthe man ran\n";
    const args = ["-", "--lines", "--constrain", "--model", model, "--threads", "1"];
    const parsed = await bracken(["parse", ...args, "-f", format], { input });
    expect(parsed.code).toBe(0);
    const path = file(`parsed.${format}`, parsed.stdout);
    const penn = await bracken(["convert", path]);
    expect([penn.code, penn.stderr]).toEqual([0, ""]);
    expect(penn.stdout.split("\n")[1]).toBe("(())");
    const json = await bracken(["convert", path, "-f", "json"]);
    const records = json.stdout.trim().split("\n");
    expect(JSON.parse(records[1] as string)).toEqual({ error: expect.any(String) });
    expect(records).toHaveLength(3);
    const trees = await bracken(["convert", path, "--skip-bad"]);
    expect(trees.stdout.trim().split("\n")).toHaveLength(2);
  });

  test("evaluate --model passes over gold places without a tree", async () => {
    const gold = file("holes.mrg", ["(())", A, C, "(S (NN cut)", D].join("\n"));
    const rival = file("rival.txt", [A, A, C, A, D].join("\n"));
    const args = ["evaluate", gold, "--model", model, "--against", rival, "--skip-bad", "--json"];
    const { code, stdout } = await bracken(args);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ sentences: 3, missing: 2 });
  });
});

describe("huge trees: a result or an error, at once", () => {
  const N = 100_000;
  const flat = `(S ${"(NN w) ".repeat(N)})`;
  const right = `${"(X (NN w) ".repeat(N)}(NN z)${")".repeat(N)}`;
  const chain = `${"(X ".repeat(N)}(NN a)${")".repeat(N)}`;
  const endless = `(S (NN ${"x".repeat(4_000_000)}) (NN b))`;
  const commas = `(X (NN a) ${"(X (, ,) ".repeat(N)}(NN b)${")".repeat(N)})`;

  test.each(["text", "pretty", "svg", "latex", "qtree"])("convert -f %s", async (format) => {
    const path = file("huge.mrg", `${[A, flat, right, chain, endless].join("\n")}\n`);
    const told = [
      `huge.mrg:2: 100000 words are too many for the format ${format}`,
      `huge.mrg:3: 100001 words are too many for the format ${format}`,
      `huge.mrg:4: 100000 phrases are too many for the format ${format}`,
      `huge.mrg:5: 4000006 characters are too many for the format ${format}`,
    ];
    const { code, stderr } = await bracken(["convert", path, "-f", format]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(told[0] as string)]);
    const rest = await bracken(["convert", path, "-f", format, "--skip-bad"]);
    expect([rest.code, rest.stdout]).toEqual([0, expect.stringContaining("dog")]);
    for (const line of told) expect(rest.stderr).toContain(line);
    expect(rest.stderr).toContain("left out in all: 4 too large");
  });

  test.each(["penn", "json", "spans", "conllu-misc"])("convert -f %s holds any", async (format) => {
    const path = file("right.mrg", right);
    const { code } = await bracken(["convert", path, "-f", format, "-o", join(folder, format)]);
    expect(code).toBe(0);
    expect(readFileSync(join(folder, format)).length).toBeGreaterThan(N);
  });

  test.each(["random", "left", "right", "punctuation"])("baseline %s", async (kind) => {
    const path = file(`${kind}.mrg`, [flat, right, commas].join("\n"));
    const built = await bracken(["baseline", kind, path, "--with-punctuation"]);
    // A binary tree over n tokens has n - 1 phrases.
    const phrases = built.stdout.split("\n").map((line) => line.split("(X ").length - 1);
    expect([built.code, phrases]).toEqual([0, [N - 1, N, N + 1, 0]]);
    const args = ["baseline", kind, path, "--evaluate", "--seeds", "1", "-p", "nob", "--json"];
    expect(JSON.parse((await bracken(args)).stdout).sentences).toBe(3);
  });

  test("baseline upper-bound refuses long sentences, or leaves them out", async () => {
    const path = file("long.mrg", `${A}\n${flat}\n`);
    const { code, stderr } = await bracken(["baseline", "all", path, "--evaluate"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("long.mrg:2: the upper bound of")]);
    expect(stderr).toContain("--skip-bad");
    const rest = await bracken(["baseline", "all", path, "--evaluate", "--json", "--skip-bad"]);
    expect(JSON.parse(rest.stdout)).toMatchObject({ sentences: 1 });
  });
});
