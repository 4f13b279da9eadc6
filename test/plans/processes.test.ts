/** Workers as they fail in life: real processes that are killed, stopped, misled about the time, or out of disk. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { bracken } from "../cli/run.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { SmallDisk } from "./disk.js";
import { atWork, doneIn, Fleet, LATE_CLOCK, namesIn as names } from "./fleet.js";
import { freePort } from "./redis.js";

const folder = temporaryFolder();
const PARTS = 6;
let fleet: Fleet;

beforeAll(async () => {
  fleet = await Fleet.prepare(folder);
});

const newPlan = () => fleet.newPlan();
const startWorker = (plan: string, nodeOptions: readonly string[] = []) =>
  fleet.start([plan], nodeOptions);

/** The same bytes as one plain run, and nothing beside the results. */
async function expectWhole(plan: string): Promise<void> {
  await fleet.expectWhole(plan);
  const left = names(plan, "parts").filter(
    (name) => !/^\d{6}\.(json|[0-9a-f]{8}\.out)$/.test(name),
  );
  expect([left, names(plan, "parts").length]).toEqual([[], 2 * PARTS]);
}

describe("workers", { timeout: 240_000 }, () => {
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
    const workers = [startWorker(plan, [LATE_CLOCK]), startWorker(plan)];
    const [first, second] = await Promise.all(workers.map(({ ended }) => ended));
    expect([first?.code, second?.code]).toEqual([0, 0]);
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
      expect.stringContaining("stopped: gave up the current part"),
    ]);
    const claims = names(plan, "claims").map((name) =>
      readFileSync(join(plan, "claims", name), "utf8"),
    );
    expect(claims.some((claim) => claim.includes("released"))).toBe(true);
    expect((await startWorker(plan).ended).code).toBe(0);
    await expectWhole(plan);
  });

  test("a full disk is an error in one line, and space lets it go on", async (context) => {
    const plan = await newPlan();
    const disk = SmallDisk.at(join(plan, "parts"));
    if (!disk) {
      console.warn("SKIPPED: a full disk needs the right to mount one");
      return context.skip();
    }
    try {
      const { code, stderr } = await startWorker(plan).ended;
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^(note.*\n)*error: .*the disk is full\n$/),
      ]);
      expect(names(plan, "parts").filter((name) => name.endsWith(".partial"))).toEqual([]);
      expect(disk.grow()).toBe(true);
      expect((await startWorker(plan).ended).code).toBe(0);
      await expectWhole(plan);
    } finally {
      disk.unmount();
    }
  });
});

describe("the number of a task", { timeout: 240_000 }, () => {
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
      "nothing to do: task 7, but the plan has only 6 parts\n",
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

describe("metrics", () => {
  test("of a worker in a folder count its parts and sentences", async () => {
    const plan = await newPlan();
    // It stays for as long as another has a part.
    const other = startWorker(plan);
    await atWork(other, plan);
    other.child.kill("SIGSTOP");
    const port = await freePort();
    const worker = fleet.start([plan, "--metrics", `${port}`, "--lease", "60"]);
    while (doneIn(plan) < PARTS - 1) await sleep(20);
    const read = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    await expect.poll(read).toContain('bracken_parts_total{result="done"} 5');
    const receipts = names(plan, "parts").filter((name) => name.endsWith(".json"));
    const counts = receipts.map(
      (name) => JSON.parse(readFileSync(join(plan, "parts", name), "utf8")).counts.sentences,
    );
    const sentences = counts.reduce((sum, count) => sum + count);
    expect(await read()).toContain(`bracken_part_sentences_total ${sentences}\n`);
    other.child.kill("SIGKILL");
    expect((await worker.ended).code).toBe(0);
    await other.ended;
    // The killed one has left a file behind.
    await fleet.expectWhole(plan);
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
    await refused(["plan", "parse", "-", "-m", fleet.model, ...out], "cannot be cut into parts");
    await refused(
      ["plan", "parse", "The dog ran.", "-m", fleet.model, ...out],
      "a plan needs files",
    );
    await refused(
      ["plan", "parse", fleet.text, "-m", fleet.model, "--decoding", "phrases", ...out],
      "phrases",
    );
    await refused(
      ["plan", "parse", ...fleet.form(), "--parts", "5", "-o", plan],
      "another plan is in this folder",
    );
    const same = await bracken(["plan", "parse", ...fleet.form(), "--parts", "6", "-o", plan]);
    expect([same.code, same.stdout]).toEqual([
      0,
      expect.stringMatching(/^this plan already exists/),
    ]);
    await refused(["work", join(folder, "none")], "there is no plan");
    await refused(["gather", plan], "6 of 6 parts are missing: 1, 2, 3, 4, 5 and 1 more");
    await refused(["work", plan, "--part", "9"], "there is no part 9");
    const other = await writeTinyModel(join(folder, "other"), { decoding: "phrases" });
    await refused(["work", plan, "-m", other], "not the model that the plan was made with");
    await refused(
      ["work", plan, "-m", fleet.model, "-m", fleet.model],
      "1 models, and --model names 2",
    );
    const file = join(plan, "plan.json");
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace(/"version": "[^"]*"/, '"version": "0.0.1"'),
    );
    await refused(["work", plan], /made by bracken 0\.0\.1/);
  });

  test("an input that has changed since is found before anything is made of it", async () => {
    const plan = await newPlan();
    const before = readFileSync(fleet.text);
    try {
      writeFileSync(fleet.text, before.toString().replace("man", "dog"));
      const { code, stderr } = await bracken(["work", plan, "--part", "1", "--threads", "1"]);
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining("this is not the file that the plan was made for"),
      ]);
      expect(names(plan, "parts")).toEqual([]);
    } finally {
      writeFileSync(fleet.text, before);
    }
    // A model that was moved is found where it is said to be.
    expect((await bracken(["work", plan, "-m", fleet.model, "--threads", "1"])).code).toBe(0);
    await expectWhole(plan);
  });
});
