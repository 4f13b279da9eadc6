/** Real runs of the trainer, on a tiny encoder and as processes that are killed. */

import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { ModelFolder } from "../../src/model/folder.js";
import { loadParser } from "../../src/parser/load-parser.js";
import { isRunFinished } from "../../src/training/run-folder.js";
import { toPenn } from "../../src/trees/penn-writer.js";
import { bracken, MAIN, ROOT } from "../cli/run.js";
import { temporaryFolder } from "../temporary.js";
import { tinyData, writeTinyEncoder } from "./tiny-encoder.js";

const folder = temporaryFolder();
const data = join(folder, "data.jsonl");
const encoder = join(folder, "encoder");
const common = [
  "--encoder",
  encoder,
  "--rate",
  "0.003",
  "--head-rate",
  "0.003",
  "--threads",
  "1",
  "--warmup",
  "10",
];

beforeAll(async () => {
  await writeTinyEncoder(encoder);
  writeFileSync(data, tinyData(200));
});

function trainArguments(out: string, ...more: string[]): string[] {
  return ["train", data, "--out", join(folder, out), ...common, ...more];
}

/** Starts a run and sends it a signal when its log shows the step. */
async function interrupt(args: string[], out: string, step: number, signal: "SIGKILL" | "SIGINT") {
  const child = spawn(process.execPath, [MAIN, ...args], { cwd: ROOT });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const log = join(folder, out, "training/log.jsonl");
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
  const timer = setInterval(() => {
    const lines = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
    if (lines.length * 10 < step) return;
    child.kill(signal);
    clearInterval(timer);
  }, 5);
  const code = await closed;
  clearInterval(timer);
  return { code, stderr };
}

describe.each([
  ["soft loss", ["--steps", "150", "--checkpoint-every", "20"]],
  [
    "ramp loss with averages",
    [
      "--steps",
      "150",
      "--checkpoint-every",
      "20",
      "--loss",
      "ramp",
      "--cost",
      "strict",
      "--average",
      "0.99",
    ],
  ],
])("a run with %s", (name, options) => {
  const [whole, killed] = [`whole ${name}`, `killed ${name}`];

  test("learns the brackets, and its model parses", async () => {
    const { code, stderr } = await bracken(
      trainArguments(whole, ...options, "--validation-share", "0.2"),
    );
    expect(code, stderr).toBe(0);
    expect(Number(/, ([\d.]+) % of validation/.exec(stderr)?.[1])).toBeGreaterThan(95);
    await ModelFolder.open(join(folder, whole), { thorough: true });
    const parser = await loadParser(join(folder, whole), { threads: 1, workers: 0 });
    const { tree } = await parser.parseWords("the old man sat on a bench .".split(" "));
    await parser.close();
    expect(toPenn(tree)).toMatch(/\(X a bench\)/);
    expect(readdirSync(join(folder, whole, "training")).sort()).toEqual([
      "log.jsonl",
      "settings.json",
    ]);
  });

  test("killed and resumed ends with the same bits", async () => {
    const args = trainArguments(killed, ...options, "--validation-share", "0.2");
    const { code } = await interrupt(args, killed, 60, "SIGKILL");
    expect(code).toBeNull();
    expect(await isRunFinished(join(folder, killed))).toBe(false);
    expect((await bracken(args)).code).toBe(0);
    expect(await isRunFinished(join(folder, killed))).toBe(true);
    const weights = (out: string) => readFileSync(join(folder, out, "model.safetensors"));
    expect(weights(killed).equals(weights(whole))).toBe(true);
    const steps = readFileSync(join(folder, killed, "training/log.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).step);
    expect(steps).toEqual(Array.from({ length: 15 }, (_, index) => (index + 1) * 10));
  });
});

test("killed after the last checkpoint and before the last model: the model is saved again", async () => {
  const args = (out: string, steps: string) =>
    trainArguments(out, "--steps", steps, "--keep-checkpoint");
  const model = (out: string) => join(folder, out, "model.safetensors");
  for (const [out, steps] of [
    ["early", "10"],
    ["late", "20"],
  ] as const) {
    expect((await bracken(args(out, steps))).code).toBe(0);
  }
  const expected = readFileSync(model("late"));
  for (const file of ["model.safetensors", "manifest.json"]) {
    writeFileSync(join(folder, "late", file), readFileSync(join(folder, "early", file)));
  }
  expect((await bracken(args("late", "20"))).code).toBe(0);
  expect(readFileSync(model("late")).equals(expected)).toBe(true);
}, 60_000);

describe("stopping and failing", () => {
  test("Ctrl-C saves and says how to go on", async () => {
    const args = trainArguments("stopped", "--steps", "100000");
    const { code, stderr } = await interrupt(args, "stopped", 20, "SIGINT");
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /stopped at step \d+, with the model so far in .*; the same command continues/,
    );
    expect(
      readdirSync(join(folder, "stopped/training")).some((file) =>
        /^checkpoint-\d+\.json$/.test(file),
      ),
    ).toBe(true);
    const model = join(folder, "stopped");
    const parsed = await bracken(["parse", "-m", model, "--threads", "1", "the old man sat ."]);
    expect([parsed.code, parsed.stderr]).toEqual([0, ""]);
  });

  test("other options in the same folder are refused", async () => {
    const { code, stderr } = await bracken(trainArguments("stopped", "--steps", "99"));
    expect(code).toBe(2);
    expect(stderr).toContain("another run is in this folder");
    expect(stderr).toContain('"steps": 100000, where this one has "steps": 99,');
  });

  test("a finished run is not trained again", async () => {
    const args = trainArguments("short", "--steps", "10");
    await bracken(args);
    const before = readFileSync(join(folder, "short/model.safetensors"));
    expect((await bracken(args)).code).toBe(0);
    expect(readFileSync(join(folder, "short/model.safetensors")).equals(before)).toBe(true);
  });

  test("a loss that is no number stops the run", async () => {
    const wild = ["--rate", "1e30", "--head-rate", "1e30", "--warmup", "0", "--steps", "20"];
    const { code, stderr } = await bracken(trainArguments("diverged", ...wild));
    expect(code).toBe(1);
    expect(stderr).toMatch(/diverged at step \d/);
    expect(stderr).not.toContain("    at ");
    expect(existsSync(join(folder, "diverged/manifest.json"))).toBe(false);
  });

  test("an encoder whose weights are no numbers is refused", async () => {
    const broken = await writeTinyEncoder(join(folder, "broken"), (weights) =>
      weights.fill(Number.NaN),
    );
    const args = ["train", data, "--out", join(folder, "refused"), "--encoder", broken];
    const { code, stderr } = await bracken([...args, "--steps", "20"]);
    expect([code, stderr.trim().split("\n").length]).toEqual([2, 2]);
    expect(stderr).toContain("model.safetensors");
  });

  test("--runs trains one seed after another and reports mean and max", async () => {
    const { code, stdout } = await bracken(
      trainArguments(
        "seeds",
        "--steps",
        "20",
        "--runs",
        "2",
        "--seed",
        "5",
        "--validation-share",
        "0.2",
      ),
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /seed 5 +\d+\.\d\d\nseed 6 +\d+\.\d\d\nmean +\d+\.\d\d\nmax +\d+\.\d\d\n/,
    );
    const weights = (seed: number) =>
      readFileSync(join(folder, `seeds/seed-${seed}/model.safetensors`));
    expect(weights(5).equals(weights(6))).toBe(false);
  });

  test("--language is recorded; what is no code is refused before anything is made", async () => {
    const languages = async (out: string) =>
      (await ModelFolder.open(join(folder, out))).config.languages;
    const trained = (out: string, ...more: string[]) =>
      bracken(trainArguments(out, "--steps", "1", ...more));
    expect((await trained("dutch", "--language", "nl")).code).toBe(0);
    expect(await languages("dutch")).toEqual(["nl"]);
    expect((await trained("three", "--language", "nl,pt-br,ja")).code).toBe(0);
    expect(await languages("three")).toEqual(["nl", "pt-BR", "ja"]);
    expect((await trained("plain")).code).toBe(0);
    expect(await languages("plain")).toEqual(["en"]);
    const { code, stderr } = await trained("none", "--language", "dutch");
    expect([code, stderr]).toEqual([2, expect.stringContaining("nl (Dutch)")]);
    expect(existsSync(join(folder, "none"))).toBe(false);
  });

  test("several data sets are mixed", async () => {
    const other = join(folder, "other.jsonl");
    writeFileSync(other, tinyData(20, 9));
    const args = [
      "train",
      `${data}@3`,
      other,
      "--out",
      join(folder, "mixed"),
      ...common,
      "--steps",
      "10",
    ];
    expect((await bracken(args)).code).toBe(0);
    const settings = JSON.parse(readFileSync(join(folder, "mixed/training/settings.json"), "utf8"));
    expect(settings.data.map(({ weight }: { weight: number }) => weight)).toEqual([3, 1]);
  });

  test("plot draws the log; evaluate scores the model", async () => {
    const svg = join(folder, "curves.svg");
    expect(
      (await bracken(["plot", join(folder, "short"), join(folder, "mixed"), "-o", svg])).code,
    ).toBe(0);
    expect(readFileSync(svg, "utf8").match(/<polyline/g)?.length).toBe(8);
    const gold = join(folder, "gold.mrg");
    writeFileSync(
      gold,
      "(S (NP (DT the) (JJ old) (NN man)) (VP (VBD sat) (PP (IN on) (NP (DT a) (NN bench)))) (. .))\n".repeat(
        3,
      ),
    );
    const { code, stdout } = await bracken([
      "evaluate",
      gold,
      "--model",
      join(folder, "short"),
      "-p",
      "nob",
      "--json",
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ protocol: "nob", sentences: 3 });
    expect((await bracken(["evaluate", gold])).code).toBe(2);
    expect((await bracken(["evaluate", gold, "--model", folder])).stderr).toContain(
      "manifest.json",
    );
  });
});
