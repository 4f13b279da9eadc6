/** Whole adaptations of a tiny model: what is learnt, what is kept, and that a killed run goes on. */

import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { type AdaptReport, adapt } from "../../src/adapt/index.js";
import type { Bracketing } from "../../src/brackets/record.js";
import { ModelFolder } from "../../src/model/folder.js";
import { readTrainedOn } from "../../src/model/trained-on.js";
import { PRESETS } from "../../src/training/settings.js";
import { train } from "../../src/training/train.js";
import { bracken, MAIN, ROOT } from "../cli/run.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { tinyData } from "../training/tiny-encoder.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
/** Different sentences of older.jsonl. */
const OLDER = new Set(
  tinyData(60, 5)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).tokens.join(" ")),
).size;
const FAST = { warmup: 5, rate: 3e-3, headRate: 3e-3 };

/** The sentences of the tiny grammar as a page whose noun phrases are links. */
function page(sentences: number, seed: number): string {
  const records = tinyData(sentences, seed)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Bracketing);
  const paragraphs = records.map(({ tokens, brackets }) => {
    const [begin = 0, end = 0] = brackets[0] ?? [];
    const linked = `[${tokens.slice(begin, end).join(" ")}](x)`;
    return [...tokens.slice(0, begin), linked, ...tokens.slice(end)].join(" ").replace(" .", ".");
  });
  return `${paragraphs.join("\n\n")}\n`;
}

const common = () => ({ from: at("start/model"), threads: 1, steps: 40, settings: FAST });

beforeAll(async () => {
  await writeTinyModel(at("start"), { decoding: "phrases" });
  writeFileSync(at("page.md"), page(250, 1));
  writeFileSync(at("older.jsonl"), tinyData(60, 5));
});

describe("an adaptation", () => {
  let report: AdaptReport | undefined;
  const out = at("mine");
  const options = () => ({ ...common(), steps: 80, keep: [at("older.jsonl")] });

  beforeAll(async () => {
    report = await adapt([at("page.md")], out, options());
  }, 120_000);

  test("finds more of the held-back brackets, and says so", async () => {
    const { heldBack, kept, trees, keep, counts } = report as AdaptReport;
    expect(kept).toBe("new");
    expect(heldBack.after - heldBack.before).toBe(heldBack.gained - heldBack.lost);
    expect(heldBack.after / heldBack.brackets).toBeGreaterThan(0.85);
    expect(heldBack.before / heldBack.brackets).toBeLessThan(0.7);
    expect(heldBack.p).toBeLessThan(0.05);
    expect(trees.changed).toBeGreaterThan(0);
    expect([counts.documents, counts.keep + (keep?.trees.sentences ?? 0)]).toEqual([1, OLDER]);
    expect(heldBack.sentences + counts.bracketed).toBeLessThanOrEqual(250);
  });

  test("gives a model and a page with trees", async () => {
    await ModelFolder.open(out);
    const html = readFileSync(join(out, "report.html"), "utf8");
    expect(html.match(/<figure>.*?<svg/gs)?.length).toBe(
      2 * (report as AdaptReport).examples.length,
    );
    expect(html).not.toMatch(/https?:\/\/(?!www\.w3\.org)/);
  });

  test("is not repeated when it is done, and not mixed with another", async () => {
    const weights = readFileSync(join(out, "model.safetensors"));
    const again = await adapt([at("page.md")], out, options());
    expect(again).toEqual(JSON.parse(JSON.stringify(report)));
    expect(readFileSync(join(out, "model.safetensors")).equals(weights)).toBe(true);
    const other = adapt([at("page.md")], out, { ...options(), steps: 81 });
    await expect(other).rejects.toThrow("another adaptation is in this folder");
  });
});

test("a new model that is worse is not kept", async () => {
  const good = at("good");
  const settings = { ...PRESETS.small, ...FAST, steps: 60 };
  await train([at("older.jsonl")], good, settings, { from: at("start/model"), threads: 1 });
  const wild = { ...FAST, rate: 0.5, headRate: 0.5 };
  const options = { ...common(), from: good, steps: 8, settings: wild };
  const report = await adapt([at("page.md")], at("worse"), options);
  expect(report?.kept).toBe("old");
  const weights = (model: string) => readFileSync(join(model, "model.safetensors"));
  expect(weights(at("worse")).equals(weights(good))).toBe(true);
  expect(weights(at("worse/adapt/model")).equals(weights(good))).toBe(false);
  await ModelFolder.open(at("worse"));
}, 120_000);

test("gold trees are learnt and remembered, and some are held back", async () => {
  const tree = (noun: string, verb: string) =>
    `(S (NP (DT the) (NN ${noun})) (VP (VBD ${verb}) (PP (IN by) (NP (DT a) (NN door)))) (. .))\n`;
  const nouns = ["man", "dog", "bench", "door"];
  const trees = nouns.flatMap((noun) => ["sat", "ran"].map((verb) => tree(noun, verb)));
  writeFileSync(at("gold.mrg"), trees.join(""));
  const options = { ...common(), trees: [at("gold.mrg")], heldBack: 0.3 };
  const report = await adapt([at("page.md")], at("golden"), options);
  const held = report?.gold?.trees ?? 0;
  expect(held).toBeGreaterThan(0);
  expect(report?.gold?.after).toBeGreaterThan(report?.gold?.before as number);
  const seen = await readTrainedOn(await ModelFolder.open(at("golden")));
  expect(seen.size).toBe(trees.length - held);
}, 120_000);

describe("the command", () => {
  const args = (out: string, ...more: string[]) => [
    ...["adapt", at("page.md"), "--from", at("start/model"), "--out", at(out), "--threads", "1"],
    ...more,
  ];

  test("killed at any time, it goes on and ends with the same model", async () => {
    const steps = ["--steps", "30"];
    const whole = await bracken(args("whole", ...steps));
    expect(whole.code, whole.stderr).toBe(0);
    expect(whole.stdout).toMatch(/held-back brackets found, % of \d+ +[\d.]+ +[\d.]+ +\d+ gained/);
    for (const file of ["bracketed.jsonl", "soft.jsonl", "model/training/log.jsonl"]) {
      const child = spawn(process.execPath, [MAIN, ...args("killed", ...steps)], { cwd: ROOT });
      const closed = new Promise((resolve) => child.on("close", resolve));
      while (!existsSync(at(`killed/adapt/${file}`)) && child.exitCode === null) await sleep(5);
      child.kill("SIGKILL");
      await closed;
    }
    expect((await bracken(args("killed", ...steps))).code).toBe(0);
    const weights = (out: string) => readFileSync(at(`${out}/model.safetensors`));
    expect(weights("killed").equals(weights("whole"))).toBe(true);
  }, 120_000);

  test("plans its steps by time", async () => {
    const { code, stdout } = await bracken(args("timed", "--minutes", "0.02", "--json"));
    expect(code).toBe(0);
    const planned = JSON.parse(readFileSync(at("timed/adapt/steps.json"), "utf8"));
    expect([JSON.parse(stdout).steps, planned >= 20]).toEqual([planned, true]);
    expect(existsSync(at("timed/adapt/trial"))).toBe(false);
  }, 120_000);

  test("refuses what it cannot learn from, and a folder with a model", async () => {
    writeFileSync(at("bare.txt"), "The man sat on a bench. The dog ran by the door.\n");
    const bare = await bracken(["adapt", at("bare.txt"), "--out", at("bare")]);
    expect([bare.code, bare.stderr]).toEqual([2, expect.stringContaining("too few to learn from")]);
    expect(existsSync(at("bare/manifest.json"))).toBe(false);
    const taken = await bracken(args("start/model"));
    expect([taken.code, taken.stderr]).toEqual([
      2,
      expect.stringContaining("this folder already has a model"),
    ]);
    expect(existsSync(at("start/model/adapt"))).toBe(false);
  }, 60_000);
});
