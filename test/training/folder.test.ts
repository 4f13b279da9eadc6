/** The output folder of a training: one run at a time, and a folder that can be written to. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { bracken, MAIN, ROOT } from "../cli/run.js";
import { temporaryFolder } from "../temporary.js";
import { tinyData, writeTinyEncoder } from "./tiny-encoder.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const out = at("model");
const command = (target: string) => [
  ...["train", at("data.jsonl"), "--encoder", at("encoder"), "--steps", "400"],
  ...["--threads", "1", "--checkpoint-every", "20", "--out", target],
];

beforeAll(async () => {
  await writeTinyEncoder(at("encoder"));
  writeFileSync(at("data.jsonl"), tinyData(40));
});

test("a second run is told of the first, also after it was killed and its lock taken over", async () => {
  const locks = () => readdirSync(out).filter((name) => name.endsWith(".lock"));
  const faults = ["--import", `${ROOT}test/files/faults.js`];
  const first = spawn(process.execPath, [...faults, MAIN, ...command(out)], {
    cwd: ROOT,
    stdio: "ignore",
    env: { ...process.env, STOP_AFTER: ".lock" },
  });
  while (!existsSync(out) || locks().length === 0) await sleep(10);
  const second = await bracken(command(out));
  expect([second.code, second.stderr]).toEqual([2, expect.stringContaining(`${first.pid}`)]);
  first.kill("SIGKILL");
  await once(first, "close");
  expect(locks()).toHaveLength(1);
  expect((await bracken(command(out))).code).toBe(0);
  expect(locks()).toEqual([]);
  expect(readdirSync(join(out, "training")).filter((name) => name.includes("@"))).toEqual([]);
}, 120_000);

test.each([
  ["a file on the way", "data.jsonl/model", "this is a file, or a part of its path is a file"],
  ["an empty name", "", "the path of the folder is empty"],
])("refused before any work: %s", async (_, name, message) => {
  const { code, stderr } = await bracken(command(name && at(name)));
  expect([code, stderr.split("\n").length]).toEqual([2, 3]);
  expect(stderr).toContain(message);
});

test.runIf(existsSync("/proc/self"))("where nothing can be made: an end, and no loop", async () => {
  const { code, stderr } = await bracken(command("/proc/bracken-model"));
  expect([code, stderr.split("\n").length]).toEqual([2, 3]);
});
