/** Labels without names, from brackets to a parser whose categories a person has named; as processes. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Bracketing } from "../../src/brackets/record.js";
import { ModelFolder } from "../../src/model/folder.js";
import { labelLogits, normaliseLabels } from "../../src/model/label-scorer.js";
import { SpanModel } from "../../src/model/span-model.js";
import { ScoredLabels } from "../../src/parser/sentence-labels.js";
import { PRESETS } from "../../src/training/settings.js";
import { train } from "../../src/training/train.js";
import type { Span } from "../../src/trees/tree.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { tinyData } from "../training/tiny-encoder.js";
import { bracken } from "./run.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const CATEGORIES = ["-", "C1", "C2", "C3"];
let model: string;

beforeAll(async () => {
  // Labels that the model has already do not mix with induced ones.
  model = await writeTinyModel(folder, { labels: { classes: ["-", "NP"] }, decoding: "phrases" });
  writeFileSync(at("data.jsonl"), tinyData(80));
  const { code, stderr } = await bracken([
    ...["train", at("data.jsonl"), "--from", model, "--labels", "induced:3", "--threads", "1"],
    ...["--steps", "60", "--warmup", "5", "--rate", "3e-3", "--head-rate", "3e-3"],
    ...["--out", at("induced")],
  ]);
  expect(stderr).toContain("clustering brackets into 3 categories");
  expect(code).toBe(0);
}, 120_000);

const records = (file: string) =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Bracketing);

describe("bracken induce", () => {
  const induce = (...args: string[]) =>
    bracken(["induce", ...args, "-m", model, "--categories", "3", "--threads", "1"]);

  test("writes votes in place of those that there were, and prints the categories", async () => {
    const voted = {
      tokens: ["the", "old", "man", "sat", "."],
      brackets: [
        [0, 3],
        [3, 4],
        [1, 3],
        [4, 5],
      ],
      kinds: ["answer", "answer", "fragment", "label"],
      labels: [{ NP: 1 }, {}, {}, { "-": 1 }],
      questions: [[{ wh: "who" }], [], [], []],
      source: "s",
      id: "voted",
    };
    writeFileSync(at("voted.jsonl"), `${tinyData(30)}${JSON.stringify(voted)}\n`);
    const { code, stdout, stderr } = await induce(at("voted.jsonl"), "-o", at("out.jsonl"));
    expect([code, stderr]).toEqual([0, ""]);
    const rows = stdout.split("\n").filter((line) => /^C\d/.test(line));
    expect(rows.map((row) => row.split(" ")[0])).toEqual(["C1", "C2", "C3"]);
    for (const row of rows) expect(row).toMatch(/# +\d+\.\d % {2}\w/);
    const found = records(at("out.jsonl"));
    expect(found).toHaveLength(31);
    const last = found.at(-1);
    const vote = expect.objectContaining({});
    expect(last?.kinds).toEqual([...voted.kinds.slice(0, 3), ...Array(5).fill("label")]);
    expect(last?.labels).toEqual([vote, vote, {}, vote, ...Array(4).fill({ "-": 0.5 })]);
    expect(Object.keys(last?.labels?.[0] ?? {})[0]).toMatch(/^C[123]$/);
    expect(last?.brackets.slice(3)).toEqual([
      [0, 5],
      [0, 1],
      [1, 2],
      [2, 3],
      [4, 5],
    ]);
    expect(last?.questions?.[0]).toEqual([{ wh: "who" }]);
  });

  test("is refused with too few brackets, and what can be read only once", async () => {
    const line = tinyData(1).trimEnd();
    const few = `${JSON.stringify({ ...JSON.parse(line), brackets: [[0, 2]] })}\n`;
    writeFileSync(at("few.jsonl"), few);
    const cases = [
      [at("few.jsonl"), "1 bracket is too few for 3 categories"],
      ["-", "has to be read twice"],
    ] as const;
    for (const [file, message] of cases) {
      const { code, stderr } = await induce(file, "-o", at("refused.jsonl"));
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
      expect(existsSync(at("refused.jsonl"))).toBe(false);
    }
  });
});

describe("train --labels induced:3", () => {
  test("gives a model whose labels are the categories, and lists them", async () => {
    const { config } = await ModelFolder.open(at("induced"));
    expect(config.labels?.classes).toEqual(CATEGORIES);
    const listed = readFileSync(at("induced/categories.txt"), "utf8");
    expect(listed.match(/^C\d/gm)).toEqual(["C1", "C2", "C3"]);
    expect(readFileSync(at("induced/README.md"), "utf8")).toContain("3 categories of brackets");
    const log = readFileSync(at("induced/training/log.jsonl"), "utf8").trimEnd().split("\n");
    expect(JSON.parse(log.at(-1) ?? "").labelAgreement).toBeGreaterThan(0.7);
  });

  test("stopped and resumed ends with the same bits, also from an encoder", async () => {
    const settings = { ...PRESETS.small, steps: 6, warmup: 1, inducedLabels: 3 };
    const run = (out: string, isStopped?: () => boolean) =>
      train([at("data.jsonl")], at(out), settings, {
        encoder: at("encoder"),
        threads: 1,
        isStopped,
      });
    let steps = 0;
    expect((await run("stopped", () => steps++ >= 3)).finished).toBe(false);
    await run("stopped");
    await run("whole");
    const weights = (out: string) => readFileSync(at(`${out}/model.safetensors`));
    expect(weights("stopped").equals(weights("whole"))).toBe(true);
    const { config } = await ModelFolder.open(at("whole"));
    expect(config.labels?.classes).toEqual(CATEGORIES);
  });

  test.each([
    [["--labels", "induced:2000"], "--labels"],
    [["--labels", "clusters"], "It must be named, or for example induced:20"],
    [["--labels", "induced:999"], "brackets are too few for 999 categories"],
    [["--labels", "induced:3", "--label-weight", "0"], "no labels are learnt"],
  ])("refused, and nothing is made: %j", async (flags, message) => {
    const args = ["train", at("data.jsonl"), "--from", model, "--out", at("refused"), ...flags];
    const { code, stderr } = await bracken(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(existsSync(at("refused"))).toBe(false);
  });
});

describe("a person names the categories", () => {
  const sentence = ["the", "old", "man", "sat", "on", "a", "bench", "."];
  const gold = at("gold.mrg");
  const TREE =
    "(S (NP (DT the) (JJ old) (NN man)) (VP (VBD sat) (PP (IN on) (NP (DT a) (NN bench)))) (. .))";
  const evaluate = (...flags: string[]) =>
    bracken(["evaluate", gold, "--model", at("induced"), "--gold-spans", ...flags]);

  /** The probability of each category of a span, and the label that the model gives it. */
  async function labelsOf(span: Span) {
    const spans = await SpanModel.load(await ModelFolder.open(at("induced")), { threads: 1 });
    const config = spans.config.labels ?? expect.unreachable();
    for await (const { labels: factors = expect.unreachable() } of spans.scores([sentence])) {
      await spans.close();
      const logits = new Float32Array(config.classes.length);
      labelLogits(factors, config.rank, span.begin, span.end, logits);
      const [, ...categories] = normaliseLabels(logits, false);
      return { categories, label: new ScoredLabels(config, [factors]).labelOf(span) };
    }
    return expect.unreachable();
  }

  test("until then, gold spans are compared by categories", async () => {
    writeFileSync(gold, TREE);
    const { stdout, code } = await evaluate();
    expect(code).toBe(0);
    for (const measure of ["many-to-one", "one-to-one", "V-measure"]) {
      expect(stdout).toMatch(new RegExp(`^${measure} +\\d+\\.\\d\\d$`, "m"));
    }
    const { induced } = JSON.parse((await evaluate("--json")).stdout);
    expect(induced.spans).toBe(4);
  });

  test("trees, phrases and scores have the names; categories with one name are one", async () => {
    const before = readFileSync(at("induced/config.json"), "utf8");
    writeFileSync(at("names.txt"), "C1 NP # what the model is sure of\nC2 NP\nC3 S+VP\n");
    const named = await bracken(["model", "name", at("induced"), at("names.txt")]);
    expect(named).toEqual({ code: 0, stdout: "NP (C1, C2), S+VP (C3)\n", stderr: "" });
    expect(readFileSync(at("induced/config.json"), "utf8")).toBe(before);
    expect((await bracken(["model", "verify", at("induced")])).code).toBe(0);
    const info = JSON.parse((await bracken(["model", "info", at("induced"), "--json"])).stdout);
    expect(info.labels).toEqual(["NP", "S+VP"]);
    expect(info.names).toEqual({ C1: "NP", C2: "NP", C3: "S+VP" });
    for (const span of [
      { begin: 0, end: 3 },
      { begin: 4, end: 7 },
      { begin: 3, end: 7 },
    ]) {
      const { categories, label } = await labelsOf(span);
      const [one = 0, two = 0, three = 0] = categories;
      expect(label.labels).toEqual(one + two >= three ? ["NP"] : ["S", "VP"]);
      expect(label.probability).toBeCloseTo(Math.max(one + two, three), 5);
    }
    const parsed = await bracken(["parse", sentence.join(" "), "--model", at("induced")]);
    expect(parsed.stdout).toMatch(/^\((NP|S)/);
    expect(parsed.stdout).not.toMatch(/C\d/);
    writeFileSync(at("text.txt"), "the old man sat on a bench .\n");
    const phrases = await bracken([
      "phrases",
      at("text.txt"),
      "--model",
      at("induced"),
      "--label",
      "NP",
    ]);
    expect([phrases.code, phrases.stderr]).toEqual([0, ""]);
    const missing = await bracken([
      "phrases",
      at("text.txt"),
      "--model",
      at("induced"),
      "--label",
      "C1",
    ]);
    expect([missing.code, missing.stderr]).toEqual([
      2,
      expect.stringContaining("its labels are NP, S, VP"),
    ]);
    const report = JSON.parse((await evaluate("--json")).stdout);
    expect([report.induced, report.goldSpans.spans]).toEqual([undefined, 4]);
  });

  test("further training keeps the names, and soft labels have them", async () => {
    const flags = ["--steps", "1", "--rate", "1e-9", "--head-rate", "1e-9", "--threads", "1"];
    const args = ["train", at("data.jsonl"), "--from", at("induced"), "--out", at("further")];
    expect((await bracken([...args, ...flags])).code).toBe(0);
    const { config } = await ModelFolder.open(at("further"));
    expect(config.labels?.names).toEqual({ C1: "NP", C2: "NP", C3: "S+VP" });
    await bracken(["distil", at("data.jsonl"), "-m", at("further"), "-o", at("soft.jsonl")]);
    const labels = records(at("soft.jsonl")).flatMap((record) => record.labels ?? []);
    const names = new Set(labels.flatMap((votes) => Object.keys(votes)));
    expect([...names].every((name) => ["-", "NP", "S+VP"].includes(name))).toBe(true);
    expect(names.has("NP")).toBe(true);
  });

  test("a bad file changes nothing", async () => {
    const before = readFileSync(at("induced/manifest.json"), "utf8");
    writeFileSync(at("bad.txt"), "C1 NP\nC1 VP\n");
    const { code, stderr } = await bracken(["model", "name", at("induced"), at("bad.txt")]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${at("bad.txt")}:2`)]);
    expect(readFileSync(at("induced/manifest.json"), "utf8")).toBe(before);
    const unnamed = await writeTinyModel(at("unnamed"));
    const refused = await bracken(["model", "name", unnamed, at("names.txt")]);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("the model does not name phrases"),
    ]);
  });

  test("a manifest with names that are none is refused", async () => {
    const file = join(at("further"), "manifest.json");
    const manifest = JSON.parse(readFileSync(file, "utf8"));
    writeFileSync(file, JSON.stringify({ ...manifest, names: { C9: "NP" } }));
    const { code, stderr } = await bracken(["model", "info", at("further")]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('"names"')]);
  });
});
