/** Simulated annotation of a tiny corpus: curves rise, runs go on, and nothing is measured on what was learnt. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { curveOf, drawCurve } from "../../src/annotate/learning-curve.js";
import { type SimulateOptions, simulate } from "../../src/annotate/simulate.js";
import { Random } from "../../src/random.js";
import { bracken } from "../cli/run.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);

/** Trees of one grammar, of which the tiny encoder knows the words. */
function trees(count: number, seed: number): string {
  const random = new Random(seed);
  const pick = (words: readonly string[]) => words[random.below(words.length)] as string;
  const nounPhrase = () => {
    const adjective = random.coin() ? ` (JJ ${pick(["old", "red"])})` : "";
    const noun = pick(["man", "dog", "bench", "door"]);
    return `(NP (DT ${pick(["the", "a"])})${adjective} (NN ${noun}))`;
  };
  const line = () =>
    `(S ${nounPhrase()} (VP (VBD ${pick(["sat", "ran"])}) (PP (IN ${pick(["on", "by"])}) ${nounPhrase()})) (. .))\n`;
  return Array.from({ length: count }, line).join("");
}

const options = (): SimulateOptions => ({
  gold: [at("gold.mrg")],
  test: [at("test.mrg")],
  strategies: ["active", "random", "trees"],
  points: [10, 30],
  draws: 1,
  from: at("start/model"),
  pool: 40,
  guard: 20,
  protocol: "nob",
  threads: 1,
  settings: { rate: 3e-3, headRate: 3e-3, steps: 40 },
});

beforeAll(async () => {
  await writeTinyModel(at("start"), { decoding: "phrases" });
  writeFileSync(at("gold.mrg"), trees(60, 1));
  writeFileSync(at("test.mrg"), trees(40, 2));
});

test("more answers and more trees give better parsers", async () => {
  const results = await simulate(at("curves"), options());
  const curve = curveOf(results ?? []);
  expect(curve.map(({ strategy, count }) => [strategy, count])).toEqual(
    ["active", "random", "trees"].flatMap((strategy) =>
      [0, 10, 30].map((count) => [strategy, count]),
    ),
  );
  const f1 = (strategy: string, count: number) =>
    curve.find((point) => point.strategy === strategy && point.count === count)?.f1 as number;
  for (const strategy of ["active", "random", "trees"]) {
    expect(f1(strategy, 30)).toBeGreaterThan(f1(strategy, 0));
  }
  expect(f1("trees", 30)).toBeGreaterThan(f1("trees", 0) + 10);
  expect(drawCurve(curve).match(/<polyline/g)).toHaveLength(3);
  expect(existsSync(at("curves/runs/active-1-10"))).toBe(false);
}, 120_000);

test("a stopped simulation goes on, and ends with the same results", async () => {
  let steps = 0;
  const stopped = await simulate(at("again"), {
    ...options(),
    strategies: ["active"],
    isStopped: () => steps++ > 60,
  });
  expect(stopped).toBeUndefined();
  const results = await simulate(at("again"), { ...options(), strategies: ["active"] });
  const whole = readFileSync(at("curves/results.jsonl"), "utf8").trim().split("\n");
  const active = whole.map((line) => JSON.parse(line)).filter((each) => each.strategy === "active");
  expect(results).toEqual(active);
  const other = simulate(at("again"), { ...options(), guard: 0 });
  await expect(other).rejects.toThrow("another simulation is in this folder");
}, 120_000);

test("the command prints the curve; an encoder can only learn from trees", async () => {
  const args = ["simulate", "--gold", at("gold.mrg"), "--test", at("test.mrg"), "-p", "nob"];
  const common = [...args, "--draws", "1", "--threads", "1", "--steps", "5", "--points", "4,8"];
  const out = at("command");
  const from = ["--from", at("start/model"), "--strategy", "random", "-o", out];
  const { code, stdout, stderr } = await bracken([...common, ...from]);
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/random +8 +1 +[\d.]+/);
  expect(existsSync(join(out, "curves.svg"))).toBe(true);
  const encoder = ["--encoder", at("start/encoder")];
  const refused = await bracken([...common, ...encoder, "--strategy", "active", "-o", at("no")]);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("needs a model")]);
  const trees = await bracken([...common, ...encoder, "--strategy", "trees", "-o", at("raw")]);
  expect(trees.code, trees.stderr).toBe(0);
  expect(trees.stdout).not.toMatch(/trees +0 /);
}, 120_000);
