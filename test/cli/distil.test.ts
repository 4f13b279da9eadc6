import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Bracketing } from "../../src/brackets/record.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { WORDS } from "../training/tiny-encoder.js";
import { bracken, runAndKill } from "./run.js";

const folder = temporaryFolder();
let model: string;
let knowing: string;
let naming: string;
let data: string;

const SENTENCES = [
  { tokens: ["the", "old", "man", "sat", "by", "the", "door"], brackets: [[0, 3]] },
  { tokens: ["a", "dog", "ran"], brackets: [] },
  { tokens: ["dog"], brackets: [] },
];

beforeAll(async () => {
  model = await writeTinyModel(folder);
  knowing = await writeTinyModel(join(folder, "knowing"), { decoding: "phrases" });
  naming = await writeTinyModel(join(folder, "naming"), {
    decoding: "phrases",
    labels: { classes: ["-", "NP", "VP"] },
  });
  data = join(folder, "data.jsonl");
  const lines = SENTENCES.map((each, id) => JSON.stringify({ ...each, source: "s", id: `${id}` }));
  writeFileSync(data, `${lines.join("\n")}\n`);
});

async function distil(...options: string[]): Promise<Bracketing[]> {
  return distilFrom(data, [model, model], ...options);
}

async function distilFrom(
  file: string,
  models: string[],
  ...options: string[]
): Promise<Bracketing[]> {
  const output = join(folder, "soft.jsonl");
  const { code, stderr } = await bracken([
    ...["distil", file, ...models.flatMap((each) => ["-m", each])],
    ...["--threads", "1", "-o", output, ...options],
  ]);
  expect([code, stderr]).toEqual([0, ""]);
  const lines = readFileSync(output, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Bracketing);
}

/** The probabilities of all phrases of a binary tree add up to their number. */
function mass({ weights = [] }: Bracketing): number {
  return weights.reduce((sum, weight) => sum + weight, 0);
}

test("soft labels are probabilities of spans, corrected by brackets as much as asked for", async () => {
  const free = await distil("--cost-factor", "0", "--least", "0");
  expect(free.map(({ id }) => id)).toEqual(["0", "1"]);
  expect(free.map(mass).map(Math.round)).toEqual([5, 1]);
  const bound = await distil("--cost-factor", "30", "--least", "0.001");
  const at = bound[0]?.brackets.findIndex(([begin, end]) => begin === 0 && end === 3) ?? -1;
  expect(bound[0]?.weights?.[at]).toBe(1);
  expect(bound[0]?.kinds?.every((kind) => kind === "soft-label")).toBe(true);
});

test("phrase-probability is written by models that have it, and heeds brackets and marks", async () => {
  const marked = { ...SENTENCES[0], source: "s", id: "m" };
  const entries = { brackets: [...(marked.brackets ?? []), [5, 7]], kinds: ["answer", "fragment"] };
  const file = join(folder, "marked.jsonl");
  writeFileSync(file, `${JSON.stringify({ ...marked, ...entries })}\n`);
  const evidence = async (factor: string) => {
    const options = ["--cost-factor", factor, "--least", "0"];
    const [found] = await distilFrom(file, [model, knowing], ...options);
    const { brackets = [], kinds = [], weights = [] } = found ?? {};
    const at = brackets.map((each, index) => `${kinds[index]} ${each}`);
    return ["phrase-probability 0,3", "phrase-probability 5,7", "phrase-probability 0,2"].map(
      (each) => weights[at.indexOf(each)],
    );
  };
  const [bracket = 0, mark = 0, other] = await evidence("0");
  expect(bracket * mark).toBeGreaterThan(0);
  expect(await evidence("30")).toEqual([1, 0.001, other]);
});

test("--english: a prepositional phrase is no likelier than its object", async () => {
  const file = join(folder, "english.jsonl");
  const marked = { brackets: [[5, 7]], kinds: ["fragment"], source: "s", id: "e" };
  writeFileSync(file, `${JSON.stringify({ ...SENTENCES[0], ...marked })}\n`);
  const sure = ["--least", "0", "--cost-factor", "30"];
  const totals = async (...options: string[]) => {
    const [found] = await distilFrom(file, [knowing], ...sure, ...options);
    const { brackets = [], kinds = [], weights = [] } = found ?? {};
    const at = brackets.map((each, index) => `${kinds[index]} ${each}`);
    const weight = (key: string) => weights[at.indexOf(key)] as number;
    return ["4,7", "5,7"].map(
      (span) => weight(`soft-label ${span}`) * weight(`phrase-probability ${span}`),
    );
  };
  const [phrase = 0, object = 0] = await totals();
  expect(phrase).toBeGreaterThan(object + 0.01);
  const [limited = 0, same = 0] = await totals("--english");
  expect(same).toBe(object);
  expect(limited).toBeLessThanOrEqual(object + 0.001);
});

test("label probabilities are written by models that have labels, and heed votes", async () => {
  const file = join(folder, "voted.jsonl");
  const voted = { brackets: [[0, 3]], labels: [{ VP: 1 }], kinds: ["answer"] };
  writeFileSync(file, `${JSON.stringify({ ...SENTENCES[0], ...voted, source: "s", id: "v" })}\n`);
  const namesBy = async (factor: string) => {
    const options = ["--cost-factor", factor, "--least", "0.001"];
    const [found] = await distilFrom(file, [model, naming], ...options);
    const { brackets = [], kinds = [], labels = [], weights = [] } = found ?? {};
    expect(labels).toHaveLength(brackets.length);
    for (const [at, votes] of labels.entries()) {
      const isNamed =
        kinds[at] === "label" || (kinds[at] === "soft-label" && (weights[at] ?? 0) >= 0.1);
      const sum = Object.values(votes).reduce((total, vote) => total + vote, 0);
      if (isNamed) expect(sum).toBeCloseTo(1, 1);
      else expect(votes).toEqual({});
    }
    expect(kinds.filter((kind) => kind === "label")).toHaveLength(7 + 1);
    return labels[brackets.findIndex(([begin, end]) => begin === 0 && end === 3)];
  };
  expect(Object.keys((await namesBy("0")) ?? {}).sort()).toEqual(["NP", "VP"]);
  expect(await namesBy("30")).toEqual({ VP: 1 });
});

test.each([
  ["--no-labels", () => ["--no-labels"], () => naming],
  ["a model without labels", () => [], () => model],
])("%s: sentences keep their own votes", async (_, options, teacher) => {
  const file = join(folder, "kept.jsonl");
  const voted = { brackets: [[0, 3]], labels: [{ VP: 0.9 }], kinds: ["answer"] };
  const lines = [{ ...SENTENCES[0], ...voted }, SENTENCES[1]].map((sentence, at) =>
    JSON.stringify({ ...sentence, source: "s", id: `${at}` }),
  );
  writeFileSync(file, `${lines.join("\n")}\n`);
  const [kept, none] = await distilFrom(file, [teacher()], ...options());
  const { brackets = [], kinds = [], labels = [] } = kept ?? {};
  const entries = brackets.map((span, at) => ({ span, kind: kinds[at], votes: labels[at] }));
  const named = entries.filter(({ votes }) => Object.keys(votes ?? {}).length > 0);
  expect(named).toEqual([{ span: [0, 3], kind: "label", votes: { VP: 0.9 } }]);
  expect([none?.labels, none?.kinds?.includes("label")]).toEqual([undefined, false]);
});

test("a student of models with labels has them", async () => {
  await distilFrom(data, [naming]);
  const student = join(folder, "student-labels");
  const { code } = await bracken([
    ...["train", join(folder, "soft.jsonl"), "--encoder", join(folder, "encoder")],
    ...["--steps", "3", "--out", student, "--validation-share", "0", "--threads", "1"],
  ]);
  expect(code).toBe(0);
  const config = JSON.parse(readFileSync(join(student, "config.json"), "utf8"));
  expect(config.bracken.labels.classes).toEqual(["-", "NP", "VP"]);
});

test.each([
  ["binary trees", "risk"],
  ["phrases where the soft labels have phrase probabilities", "phrases"],
])("a student learns from soft labels: %s", async (_, decoding) => {
  await distilFrom(data, [decoding === "phrases" ? knowing : model], "--cost-factor", "30");
  const student = join(folder, `student-${decoding}`);
  const { code, stderr } = await bracken([
    ...["train", join(folder, "soft.jsonl"), "--encoder", join(folder, "encoder")],
    ...["--steps", "3", "--out", student, "--validation-share", "0", "--threads", "1"],
  ]);
  expect([code, stderr.includes("step 3/3")]).toEqual([0, true]);
  const config = JSON.parse(readFileSync(join(student, "config.json"), "utf8"));
  expect(config.bracken.decoding).toBe(decoding);
});

test("a killed run goes on without loss or duplicate", async () => {
  const output = join(folder, "long.jsonl");
  const long = join(folder, "sentences.jsonl");
  const command = ["distil", long, "-m", model, "--threads", "1", "-o", output];
  // As many sentences as this machine needs some time for.
  for (let count = 4000; !existsSync(`${output}.partial`); count *= 3) {
    rmSync(output, { force: true });
    const lines = Array.from({ length: count }, (_, id) => {
      const tokens = Array.from({ length: 3 + (id % 9) }, (_, at) => WORDS[(id + at) % 12]);
      return `${JSON.stringify({ tokens, brackets: [[0, 2]], source: "s", id: `${id}` })}\n`;
    });
    writeFileSync(long, lines.join(""));
    await runAndKill(command, output);
  }
  const other = await bracken([...command, "--cost-factor", "1"]);
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("other options")]);
  expect((await bracken(command)).code).toBe(0);
  const resumed = readFileSync(output, "utf8");
  rmSync(output);
  await bracken(command);
  expect(resumed === readFileSync(output, "utf8")).toBe(true);
});

test("teachers of different languages are refused before anything is written", async () => {
  const german = await writeTinyModel(join(folder, "german"), { language: "de" });
  const output = join(folder, "mixed.jsonl");
  const { code, stderr } = await bracken(["distil", data, "-m", model, "-m", german, "-o", output]);
  expect([code, stderr.trim().split("\n").length]).toEqual([2, 2]);
  expect(stderr).toContain("one model is for English, another for German");
  expect(existsSync(output)).toBe(false);
  expect((await distilFrom(data, [german, german])).length).toBe(2);
});
