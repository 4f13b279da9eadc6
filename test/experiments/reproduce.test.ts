/** `bracken reproduce` as a user runs it, on a tiny encoder and data laid out as the real one is. */

import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Bracketing } from "../../src/brackets/record.js";
import { bracken, MAIN, ROOT } from "../cli/run.js";
import { temporaryFolder } from "../temporary.js";
import { writeTinyEncoder } from "../training/tiny-encoder.js";
import { GOLD, GOLD_TOKENS, writeTinyPaper } from "./tiny-paper.js";

const folder = temporaryFolder();
const data = join(folder, "data");
const encoder = join(folder, "tiny");
const SETTINGS = ["qasrl-loose", "qasrl-strict", "wikipedia-loose", "wikipedia-strict"];

beforeAll(async () => {
  await writeTinyEncoder(encoder);
  writeTinyPaper(data);
});

function reproduce(table: string, out: string, ...more: string[]) {
  const common = ["--data", data, "--encoder", encoder, "--threads", "1"];
  return ["reproduce", table, "--run-folder", join(folder, out), ...common, ...more];
}

const runFolder = (out: string, steps: number, setting: string, seed: number) =>
  join(folder, out, `tiny-short-${steps}-steps`, setting, `seed-${seed}`);

/** Starts a run and sends it a signal when the log of a run shows so many records. */
async function interrupt(args: string[], run: string, records: number, signal: NodeJS.Signals) {
  const child = spawn(process.execPath, [MAIN, ...args], { cwd: ROOT });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const log = join(run, "training/log.jsonl");
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
  const timer = setInterval(() => {
    if (!existsSync(log) || readFileSync(log, "utf8").split("\n").length <= records) return;
    child.kill(signal);
    clearInterval(timer);
  }, 5);
  const code = await closed;
  clearInterval(timer);
  return { code, stderr };
}

describe("all rows", () => {
  const options = ["--steps", "4", "--seeds", "2"];
  let first: { stdout: string; stderr: string; code: number | null };

  beforeAll(async () => {
    first = await bracken(reproduce("table2", "whole", ...options, "--json"));
  });

  test("are trained and measured, seed by seed", () => {
    expect(first.code, first.stderr).toBe(0);
    const begun = [...first.stderr.matchAll(/^run \d of 8: (.+)$/gm)].map(([, name]) => name);
    expect(begun).toEqual([1, 2].flatMap((seed) => SETTINGS.map((name) => `${name} seed ${seed}`)));
    expect(first.stderr).toMatch(/all runs \d+ s\n/);
  });

  test("mean and maximum are those of the runs; each row says what it is made of", () => {
    const { rows, gold, schedule } = JSON.parse(first.stdout);
    expect(gold).toMatchObject({ name: "wsj-tiny", sentences: 2 });
    expect(schedule).toMatchObject({ name: "short", steps: 4, rate: 1e-4 });
    const learnt = rows.slice(-4) as Record<string, never>[];
    for (const [index, row] of learnt.entries()) {
      const [one, two] = [1, 2].map((seed) => {
        const run = runFolder("whole", 4, SETTINGS[index] as string, seed);
        const [file] = readdirSync(run).filter((name) => name.startsWith("scores-"));
        return JSON.parse(readFileSync(join(run, file as string), "utf8")).value.sentenceF1;
      });
      expect(row).toMatchObject({
        ours: { seeds: 2, max: Math.max(one, two) },
        encoder,
        runs: [
          { seed: 1, sentenceF1: one },
          { seed: 2, sentenceF1: two },
        ],
      });
      expect((row.ours as unknown as { mean: number }).mean).toBeCloseTo((one + two) / 2, 10);
    }
    expect(rows.slice(0, 4).map(({ ours }: { ours: { seeds: number } }) => ours.seeds)).toEqual([
      5, 1, 1, 1,
    ]);
  });

  test("learn from English prose, and from no sentence of the gold treebank", () => {
    const sentences = (name: string) =>
      readFileSync(join(folder, "whole/data", name, "training.jsonl"), "utf8")
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as Bracketing).tokens.join(" "));
    expect(sentences("wikipedia")).toEqual([
      "The red dog ran by the old door .",
      "The old bench by the door sat .",
    ]);
    expect(sentences("qasrl")).not.toContain(GOLD_TOKENS.join(" "));
    expect(first.stderr).toContain("1 left out for standing in the gold treebank");
  });

  test("a second call trains and measures nothing", async () => {
    const files = SETTINGS.map((name) => join(runFolder("whole", 4, name, 1), "model.safetensors"));
    const before = files.map((file) => statSync(file).mtimeMs);
    const again = await bracken(reproduce("table2", "whole", ...options, "--json"));
    expect(again.stdout).toBe(first.stdout);
    expect(again.stderr).not.toMatch(/run \d|sentence F1/);
    expect(files.map((file) => statSync(file).mtimeMs)).toEqual(before);
  });

  test("Table 3 is made of the same runs", async () => {
    const args = reproduce("table3", "whole", ...options);
    const { stdout } = await bracken([...args, "--report", "--format", "markdown"]);
    expect(stdout).toMatch(/^\| NP \| 84\.3 \| 85\.5 \| \d+\.\d \| 85\.2 \| \d+\.\d \|/m);
    expect(stdout).toMatch(/^\| SBAR \| 85\.3 \| 89\.0 \| - \|/m);
    expect(stdout).toMatch(/^\| seeds \|\s+\| 5 \| 2 \| 5 \| 2 \| 5 \| 2 \| 5 \| 2 \|$/m);
  });

  test("a changed model is measured again, and other gold trees beside", async () => {
    const run = runFolder("whole", 4, "qasrl-loose", 1);
    const manifest = join(run, "manifest.json");
    writeFileSync(manifest, `${readFileSync(manifest, "utf8")}\n`);
    const again = await bracken(reproduce("table2", "whole", ...options));
    expect(again.stderr.match(/sentence F1/g)).toHaveLength(1);
    expect(again.stderr).toContain("qasrl-loose seed 1: sentence F1");
    const gold = join(folder, "other.mrg");
    writeFileSync(gold, `${GOLD}(S (NP (DT a) (NN man)) (VP (VBD sat) (ADVP (RB on))))\n`);
    const one = ["--steps", "4", "--seeds", "1", "--only", "qasrl-loose", "--gold", gold];
    const other = await bracken(reproduce("table2", "whole", ...one));
    expect(other.stderr).not.toContain("run 1");
    expect(other.stderr).toContain("qasrl-loose seed 1: sentence F1");
    expect(readdirSync(run).filter((name) => name.startsWith("scores-"))).toHaveLength(2);
  });

  test("runs on other data are refused", async () => {
    const gold = join(folder, "without.mrg");
    writeFileSync(gold, "(S (NP (DT a) (NN man)) (VP (VBD sat) (ADVP (RB on))))\n");
    const one = ["--steps", "4", "--seeds", "1", "--only", "qasrl-loose", "--gold", gold];
    const { code, stderr } = await bracken(reproduce("table2", "whole", ...one));
    expect([code, stderr]).toEqual([2, expect.stringContaining("another run is in this folder")]);
  });

  test("a dry run says what is done", async () => {
    const { stdout } = await bracken([
      ...reproduce("table2", "whole", "--steps", "4", "--seeds", "3"),
      "--only",
      "wikipedia",
      "--dry-run",
    ]);
    expect(stdout).toMatch(/^wikipedia-strict seed 2 +done$/m);
    expect(stdout).toMatch(/^wikipedia-loose seed 3 +to do, 4 steps$/m);
    expect(stdout).toMatch(/^2 of 6 runs to do, about \d+ s$/m);
    expect(stdout).not.toContain("qasrl");
    expect(existsSync(runFolder("whole", 4, "wikipedia-loose", 3))).toBe(false);
  });
});

describe("stopping and going on", () => {
  const options = ["--steps", "150", "--seeds", "1", "--checkpoint-every", "20"];
  const only = ["--only", "qasrl-loose,qasrl-strict"];

  test("killed and resumed ends with the same bits", async () => {
    const strict = runFolder("killed", 150, "qasrl-strict", 1);
    const args = reproduce("table2", "killed", ...options, ...only);
    expect((await interrupt(args, strict, 4, "SIGKILL")).code).toBeNull();
    const plan = await bracken([...args, "--dry-run"]);
    expect(plan.stdout).toMatch(/^qasrl-loose seed 1 +done$/m);
    expect(plan.stdout).toMatch(/^qasrl-strict seed 1 +begun, at step \d+ of 150$/m);

    const partial = await bracken([...args, "--report"]);
    expect(partial.stdout).toMatch(/NOB QA-SRL, loose +\* +64\.5 +65\.2 +\d+\.\d +\d+\.\d +1 /);
    expect(partial.stdout).toMatch(/NOB QA-SRL, strict +\* +68\.9 +70\.0 +- +- +0 /);
    expect(partial.stdout).toMatch(/Left branching +8\.7 +\d+\.\d/);

    const resumed = await bracken(args);
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(resumed.stderr).toMatch(/^run 2 of 2: qasrl-strict seed 1 continues after step \d+$/m);
    const whole = await bracken(
      reproduce("table2", "unbroken", ...options, "--only", "qasrl-strict"),
    );
    expect(whole.code).toBe(0);
    const weights = (run: string) => readFileSync(join(run, "model.safetensors"));
    const other = runFolder("unbroken", 150, "qasrl-strict", 1);
    expect(weights(strict).equals(weights(other))).toBe(true);
  });

  test("Ctrl-C saves, prints no table and says how to go on", async () => {
    const args = reproduce("table3", "stopped", "--steps", "100000", "--only", "qasrl-loose");
    const run = runFolder("stopped", 100_000, "qasrl-loose", 1);
    const { code, stderr } = await interrupt(args, run, 2, "SIGINT");
    expect(code).toBe(1);
    expect(stderr).toMatch(/stopped at step \d+ of qasrl-loose seed 1; the same command continues/);
    expect(readdirSync(join(run, "training")).join()).toMatch(/checkpoint-\d+\.json/);
  });
});

describe("Table 1", () => {
  test("counts all sentences, and compares those that have a tree", async () => {
    const reference = join(folder, "reference.mrg");
    writeFileSync(
      reference,
      "(S (NP (DT The) (NP (JJ old) (NN man))) (VP (VBD sat) (PP (IN on) (NP (NP (DT a) (JJ red)) (NN bench)))) (. .))",
    );
    const args = ["reproduce", "table1", "--data", data, "--run-folder", join(folder, "counts")];
    const { code, stdout, stderr } = await bracken([...args, "--reference", reference, "--json"]);
    expect(code, stderr).toBe(0);
    const rows = new Map<string, { data: string; paper: number; ours?: number }[]>(
      JSON.parse(stdout).rows.map(({ name, cells }: never) => [name, cells]),
    );
    const ours = (name: string) => rows.get(name)?.map((cell) => cell.ours);
    // With links or without: three of the dump, one of the article.
    expect(ours("Number of sentences")?.[1]).toBe(4);
    expect(ours("Brackets/sentence")?.[1]).toBe(5 / 4);
    expect(ours("Sentences with a reference tree")).toEqual([1, 1]);
    expect(ours("Constituent in reference")).toEqual([100, 50]);
    expect(ours("Conflicting with reference")).toEqual([0, 50]);
    expect(ours("NP")).toEqual([100, 25]);
    expect(ours("Sentences to learn from")?.[1]).toBe(2);
    expect(rows.get("NP")?.[0]).toMatchObject({ data: "qasrl", paper: 36.8 });
  });
});

describe("what can not be done", () => {
  test.each([
    ["links", /links\/wikipedia-en-\*.*: no pages of the English Wikipedia\n.*--wikipedia/],
    ["answers", /newswire-propbank\.\*: no newswire sentences of QA-SRL 1\.0\n.*--qasrl/],
    ["treebanks", /treebanks\/wsj-\*.*: no gold trees of the Wall Street Journal\n.*--gold/],
  ])("without %s it says what is missing", async (name, message) => {
    const lacking = join(folder, `without-${name}`);
    for (const other of ["links", "answers", "treebanks"]) {
      if (other === name) continue;
      cpSync(join(data, other), join(lacking, other), { recursive: true });
    }
    const args = ["reproduce", "table2", "--data", lacking, "--run-folder", join(folder, "never")];
    const { code, stderr } = await bracken(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(existsSync(join(folder, "never"))).toBe(false);
    rmSync(lacking, { recursive: true });
  });

  test.each([
    [["table4"], "table4"],
    [["table2", "--data", "nowhere"], "nowhere: there is no such folder"],
    [["table2"], "--gold"],
    [["table2", "--data", data, "--only", "qasrl-lose"], "qasrl-strict"],
    [["table2", "--data", data, "--report", "--dry-run"], "exclude each other"],
    [["table2", "--data", data, "--rate", "0"], "above 0"],
  ])("%j", async (args, message) => {
    const { code, stderr } = await bracken(["reproduce", ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test("data without a bracket to learn from", async () => {
    const bare = join(folder, "bare.jsonl");
    writeFileSync(bare, '{"tokens": ["a", "dog", "ran"], "brackets": [[0, 1]], "source": "x"}\n');
    const args = reproduce("table2", "bare", "--only", "wikipedia", "--wikipedia", bare);
    const { code, stderr } = await bracken(args);
    expect(code).toBe(2);
    expect(stderr).toContain("bare.jsonl: no sentence in it has a bracket of two or more tokens");
  });
});
