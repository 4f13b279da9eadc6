/** Workers as they fail in life: real processes that are killed, stopped, misled about the time, or out of disk. */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { bracken, MAIN, ROOT } from "../cli/run.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { WORDS } from "../training/tiny-encoder.js";

const folder = temporaryFolder();
let model: string;
let text: string;
let whole: Buffer;

const PARTS = 6;

beforeAll(async () => {
  model = await writeTinyModel(folder);
  text = join(folder, "text.txt");
  const line = (at: number) =>
    Array.from({ length: at % 23 }, (_, word) => WORDS[(at + word) % 12]).join(" ");
  writeFileSync(text, Array.from({ length: 3000 }, (_, at) => `${line(at)}\n`).join(""));
  const out = join(folder, "whole.json");
  const { code } = await bracken(["parse", ...form(), "-o", out]);
  expect(code).toBe(0);
  whole = readFileSync(out);
});

const form = () => ["--tokens", text, "-m", model, "-f", "json", "--scores"];

async function newPlan(): Promise<string> {
  const plan = join(mkdtempSync(join(folder, "plan-")), "plan");
  const { code, stdout } = await bracken([
    "plan",
    "parse",
    ...form(),
    "--parts",
    `${PARTS}`,
    "-o",
    plan,
  ]);
  expect([code, stdout]).toEqual([0, expect.stringContaining(`${PARTS} parts of about`)]);
  return plan;
}

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; stderr: string }>;
}

function startWorker(plan: string, ...args: string[]): Running {
  const command = [MAIN, "work", plan, "--threads", "1", "--lease", "1", ...args];
  const child = spawn(process.execPath, command, {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<{ code: number | null; stderr: string }>((resolve) =>
    child.once("close", (code) => resolve({ code, stderr })),
  );
  return { child, ended };
}

const names = (plan: string, inside: string) => {
  try {
    return readdirSync(join(plan, inside));
  } catch {
    return [];
  }
};
const doneIn = (plan: string) =>
  names(plan, "parts").filter((name) => name.endsWith(".json")).length;

/** Until the worker has a part at hand, or has ended. */
async function atWork({ child }: Running, plan: string): Promise<void> {
  const partial = () => names(plan, "parts").some((name) => name.includes(`.${child.pid}-`));
  while (child.exitCode === null && !partial()) await sleep(5);
}

async function expectWhole(plan: string): Promise<void> {
  const out = join(plan, "..", "joined.json");
  const { code, stderr } = await bracken(["gather", plan, "-o", out]);
  expect([code, stderr]).toEqual([0, expect.stringContaining(`${PARTS} parts, 3,000 sentences`)]);
  expect(readFileSync(out).equals(whole)).toBe(true);
  const left = names(plan, "parts").filter(
    (name) => !/^\d{6}\.(json|[0-9a-f]{8}\.out)$/.test(name),
  );
  expect([left, names(plan, "parts").length]).toEqual([[], 2 * PARTS]);
}

describe("workers", () => {
  test("killed with -9 again and again, they lose and double nothing", async () => {
    const plan = await newPlan();
    let kills = 0;
    while (kills < 6 && doneIn(plan) < PARTS) {
      const worker = startWorker(plan);
      await atWork(worker, plan);
      await sleep((kills % 3) * 10);
      worker.child.kill("SIGKILL");
      await worker.ended;
      kills += 1;
    }
    const ended = await Promise.all(
      [startWorker(plan), startWorker(plan)].map((each) => each.ended),
    );
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    expect(kills).toBeGreaterThan(2);
    await expectWhole(plan);
  });

  test("one that hangs past its lease comes back to find its part done", async () => {
    const plan = await newPlan();
    const hanging = startWorker(plan);
    await atWork(hanging, plan);
    hanging.child.kill("SIGSTOP");
    const other = await startWorker(plan).ended;
    expect([other.code, doneIn(plan)]).toEqual([0, PARTS]);
    hanging.child.kill("SIGCONT");
    const { code } = await hanging.ended;
    expect(code).toBe(0);
    await expectWhole(plan);
  });

  test("with clocks an hour apart they share a plan all the same", async () => {
    const plan = await newPlan();
    const shift = "const now = Date.now; Date.now = () => now() - 3_600_000;";
    const shim = `--import=data:text/javascript,${encodeURIComponent(shift)}`;
    const early = bracken(["work", plan, "--threads", "1", "--lease", "1"], {
      nodeOptions: [shim],
    });
    const [first, second] = await Promise.all([early, startWorker(plan).ended]);
    expect([first.code, second.code]).toEqual([0, 0]);
    await expectWhole(plan);
  });

  test("told to end, one gives its part back and says so", async () => {
    const plan = await newPlan();
    const worker = startWorker(plan);
    await atWork(worker, plan);
    worker.child.kill("SIGTERM");
    const { code, stderr } = await worker.ended;
    expect([code, stderr]).toEqual([
      143,
      expect.stringContaining("stopped: the part at hand was given up"),
    ]);
    const claims = names(plan, "claims").map((name) =>
      readFileSync(join(plan, "claims", name), "utf8"),
    );
    expect(claims.some((claim) => claim.includes("released"))).toBe(true);
    expect((await startWorker(plan).ended).code).toBe(0);
    await expectWhole(plan);
  });

  const mount = (...args: string[]) => spawnSync("mount", args).status === 0;

  test("a full disk is an error in one line, and space lets it go on", async (context) => {
    const plan = await newPlan();
    const parts = join(plan, "parts");
    spawnSync("mkdir", [parts]);
    const isMounted =
      process.getuid?.() === 0 && mount("-t", "tmpfs", "-o", "size=64k", "tmpfs", parts);
    if (!isMounted) {
      console.warn("SKIPPED: a full disk needs the right to mount one");
      context.skip();
    }
    try {
      const { code, stderr } = await startWorker(plan).ended;
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^(note.*\n)*error: .*the disk is full\n$/),
      ]);
      expect(names(plan, "parts").filter((name) => name.endsWith(".partial"))).toEqual([]);
      expect(mount("-o", "remount,size=64m", parts)).toBe(true);
      expect((await startWorker(plan).ended).code).toBe(0);
      await expectWhole(plan);
    } finally {
      spawnSync("umount", [parts]);
    }
  });
});

describe("the number of a task", () => {
  test("is taken from Slurm or Kubernetes", async () => {
    const plan = await newPlan();
    const work = (env: Record<string, string>) =>
      bracken(["work", plan, "--threads", "1"], { env });
    const second = await work({ SLURM_ARRAY_TASK_ID: "2" });
    expect([second.code, second.stderr]).toEqual([0, expect.stringContaining("part 2 of 6: ")]);
    const first = await work({ JOB_COMPLETION_INDEX: "0" });
    expect([first.code, first.stderr]).toEqual([0, expect.stringContaining("part 1 of 6: ")]);
    expect(doneIn(plan)).toBe(2);
    const again = await work({ JOB_COMPLETION_INDEX: "1" });
    expect([again.code, again.stderr]).toEqual([0, ""]);
    const beyond = await work({ SLURM_ARRAY_TASK_ID: "7" });
    expect([beyond.code, beyond.stderr]).toEqual([
      0,
      "nothing to do: task 7, and the plan has 6 parts\n",
    ]);
    const zero = await work({ SLURM_ARRAY_TASK_ID: "0" });
    expect([zero.code, zero.stderr]).toEqual([
      2,
      expect.stringContaining("number the tasks from 1 to 6"),
    ]);
    expect((await bracken(["work", plan, "--part", "3-6,6"])).code).toBe(0);
    await expectWhole(plan);
  });
});

describe("status", () => {
  test("for people and for programs", async () => {
    const plan = await newPlan();
    expect((await bracken(["status", plan])).stdout).toMatch(
      /^done +0 of 6 parts, 0% of the work\n/,
    );
    await bracken(["work", plan, "--part", "1,2", "--threads", "1"]);
    const { stdout } = await bracken(["status", plan, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      parts: 6,
      done: 2,
      running: [],
      failed: [],
      lost: [],
    });
    expect((await bracken(["status", plan])).stdout).toMatch(/speed +[\d,]+\/s per worker/);
  });
});

describe("what is refused", () => {
  test("inputs that are no files, plans of another kind, other files, other models, other versions", async () => {
    const plan = await newPlan();
    const refused = async (args: string[], message: string | RegExp) => {
      const { code, stderr } = await bracken(args);
      expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
    };
    const out = ["--parts", "3", "-o", join(folder, "none")];
    await refused(["plan", "parse", "-", "-m", model, ...out], "cannot be cut into parts");
    await refused(["plan", "parse", "The dog ran.", "-m", model, ...out], "a plan needs files");
    await refused(["plan", "parse", text, "-m", model, "--decoding", "phrases", ...out], "phrases");
    await refused(
      ["plan", "parse", ...form(), "--parts", "5", "-o", plan],
      "another plan is in this folder",
    );
    const same = await bracken(["plan", "parse", ...form(), "--parts", "6", "-o", plan]);
    expect([same.code, same.stdout]).toEqual([
      0,
      expect.stringMatching(/^the same plan is there already/),
    ]);
    await refused(["work", join(folder, "none")], "there is no plan");
    await refused(["gather", plan], "6 of 6 parts are not done: 1, 2, 3, 4, 5 and 1 more");
    await refused(["work", plan, "--part", "9"], "there is no part 9");
    const other = await writeTinyModel(join(folder, "other"), { decoding: "phrases" });
    await refused(["work", plan, "-m", other], "not the model that the plan was made with");
    await refused(["work", plan, "-m", model, "-m", model], "1 models, and --model names 2");
    const file = join(plan, "plan.json");
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace(/"version": "[^"]*"/, '"version": "0.0.1"'),
    );
    await refused(["work", plan], /made by bracken 0\.0\.1/);
  });

  test("an input that has changed since is found before anything is made of it", async () => {
    const plan = await newPlan();
    const before = readFileSync(text);
    try {
      writeFileSync(text, before.toString().replace("man", "dog"));
      const { code, stderr } = await bracken(["work", plan, "--part", "1", "--threads", "1"]);
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining("this is not the file that the plan was made for"),
      ]);
      expect(names(plan, "parts")).toEqual([]);
    } finally {
      writeFileSync(text, before);
    }
    // A model that was moved is found where it is said to be.
    expect((await bracken(["work", plan, "-m", model, "--threads", "1"])).code).toBe(0);
    await expectWhole(plan);
  });
});
