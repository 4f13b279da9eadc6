/** Runs that share an output, and runs that go on: with real processes, stopped at known moments. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dump, page } from "../extract/links/helpers.js";
import { temporaryFolder } from "../temporary.js";
import { bracken, MAIN, ROOT } from "./run.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const input = at("pages.xml");
const output = at("pages.jsonl");
const [part, progress] = [`${output}.partial`, `${output}.progress`];
const command = ["extract", "wikipedia", input, "-o", output, "--threads", "1"];
const pages = (noun: string) =>
  dump(
    ...Array.from({ length: 600 }, (_, id) =>
      page(id, `The [[red ${noun}]] ran over hill ${id}. `.repeat(100)),
    ),
  );
let expected: string;

beforeAll(async () => {
  writeFileSync(input, pages("deer"));
  expect((await bracken(command)).code).toBe(0);
  expected = readFileSync(output, "utf8");
}, 120_000);

beforeEach(() => {
  for (const name of readdirSync(folder)) if (name.startsWith("pages.jsonl")) rmSync(at(name));
});

/** A run that has saved its progress, which it does at every step, and has stopped itself there. */
async function begin(): Promise<ChildProcess> {
  const faults = ["--import", `${ROOT}test/files/faults.js`];
  const child = spawn(process.execPath, [...faults, MAIN, ...command], {
    cwd: ROOT,
    stdio: "ignore",
    env: { ...process.env, STOP_AFTER: ".progress" },
  });
  while (!existsSync(progress)) {
    expect(child.exitCode).toBe(null);
    await sleep(5);
  }
  expect(existsSync(output)).toBe(false);
  return child;
}

async function beginAndKill(): Promise<void> {
  const child = await begin();
  child.kill("SIGKILL");
  await once(child, "close");
}

/** Nothing is left beside the output, and the output is what it would be without any trouble. */
function expectWhole(): void {
  expect(readFileSync(output, "utf8") === expected).toBe(true);
  expect(readdirSync(folder).filter((name) => name.startsWith("pages.jsonl"))).toEqual([
    "pages.jsonl",
  ]);
}

describe("two runs on one output", () => {
  test("a second one names the first and ends; the first is not disturbed", async () => {
    const first = await begin();
    for (const args of [command, [...command, "--all-sentences"]]) {
      const { code, stderr } = await bracken(args);
      expect([code, stderr.split("\n").length]).toEqual([2, 3]);
      expect(stderr).toContain(`process ${first.pid} has been writing this file since 20`);
    }
    first.kill("SIGCONT");
    expect((await once(first, "close"))[0]).toBe(0);
    expectWhole();
  }, 120_000);

  test("started at once: the output is one run's, whole", async () => {
    for (let round = 0; round < 3; round++) {
      rmSync(output, { force: true });
      const outcomes = await Promise.all([bracken(command), bracken(command), bracken(command)]);
      const codes = outcomes.map(({ code }) => code);
      expect(codes).toContain(0);
      for (const { code, stderr } of outcomes) {
        if (code !== 0) expect([code, stderr]).toEqual([2, expect.stringContaining("process ")]);
      }
      expectWhole();
    }
  }, 300_000);

  test("the lock of a process that was killed is taken over; that of another machine is not", async () => {
    await beginAndKill();
    const [lock = ""] = readdirSync(folder).filter((name) => name.endsWith(".lock"));
    const foreign = at(lock.replace(/@[^@]*\.lock$/, "@another-machine.lock"));
    writeFileSync(foreign, "");
    const refused = await bracken(command);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("another-machine")]);
    expect(refused.stderr).toContain(`delete ${foreign}`);
    rmSync(foreign);
    expect((await bracken(command)).code).toBe(0);
    expectWhole();
  }, 120_000);
});

describe("a run goes on only with what it was begun with", () => {
  async function expectRefused(message: string, ...files: string[]): Promise<void> {
    const { code, stderr } = await bracken(command);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr.split("\n")).toHaveLength(3);
    for (const file of files) expect(stderr).toContain(file);
    for (const file of files) rmSync(file);
    expect((await bracken(command)).code).toBe(0);
  }

  test("another input of the same size is refused", async () => {
    await beginAndKill();
    const { atime, mtime } = statSync(input);
    copyFileSync(input, at("kept.xml"));
    writeFileSync(input, pages("hare"));
    utimesSync(input, atime, mtime);
    await expectRefused("(different: contents)", part, progress);
    expect(readFileSync(output, "utf8")).not.toContain("deer");
    copyFileSync(at("kept.xml"), input);
  }, 120_000);

  test("a part that was cut short", async () => {
    await beginAndKill();
    truncateSync(part, 1000);
    await expectRefused("it has 1000 bytes where the progress counts", part, progress);
    expectWhole();
  }, 120_000);

  test("a part that was altered", async () => {
    await beginAndKill();
    const bytes = readFileSync(part);
    bytes[100] = (bytes[100] as number) ^ 1;
    writeFileSync(part, bytes);
    await expectRefused("not what the unfinished run wrote", part, progress);
    expectWhole();
  }, 120_000);

  test.each(["", "{", "null", '{"key":1}'])(
    "a progress that holds %j",
    async (text) => {
      writeFileSync(part, "something");
      writeFileSync(progress, text);
      await expectRefused("the progress of an unfinished run cannot be read", part, progress);
      expectWhole();
    },
    120_000,
  );

  test("a progress without its part is forgotten", async () => {
    await beginAndKill();
    rmSync(part);
    expect((await bracken(command)).code).toBe(0);
    expectWhole();
  }, 120_000);
});

test("standard input cannot be compared: a killed run begins anew, and says so", async () => {
  const piped = ["extract", "wikipedia", "-", "-o", output, "--threads", "1"];
  const child = spawn(process.execPath, [MAIN, ...piped], {
    cwd: ROOT,
    stdio: ["pipe", "ignore", "inherit"],
  });
  child.stdin.on("error", () => {});
  child.stdin.write(pages("hare").slice(0, -1000));
  while (!existsSync(part) || statSync(part).size === 0) await sleep(5);
  child.kill("SIGKILL");
  await once(child, "close");
  expect(existsSync(progress)).toBe(false);
  const { code, stderr } = await bracken(piped, { input: readFileSync(input) });
  expect([code, stderr]).toEqual([0, expect.stringContaining("pipes cannot be read again")]);
  expectWhole();
}, 120_000);
