// Workers on plans, killed with SIGKILL at random moments and replaced, by turns in a shared folder and from a queue if
// there is a Redis. When all parts are done, the joined output must be that of one plain run, to the byte. Every other
// kill waits until the worker has a part at hand: on a busy machine most would come before.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { WORDS, writeTiny } from "./tiny.js";

const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const [PARTS, WORKERS] = [24, 2];
/** So many plans share the kills, if workers can be killed fast enough. */
const PLANS = 8;

function run(...args) {
  const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(`bracken ${args[0]}: ${stderr}`);
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** The address of a Redis of this campaign's own; undefined if there is none to start. */
async function startRedis(folder) {
  if (spawnSync("redis-server", ["--version"]).status !== 0) {
    process.stderr.write("SKIPPED: the queue needs redis-server\n");
    return undefined;
  }
  const port = await freePort();
  const place = ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", folder, "--save", ""];
  const child = spawn("redis-server", [...place, "--appendonly", "yes"], { stdio: "ignore" });
  await sleep(1000);
  return { url: `redis://127.0.0.1:${port}`, stop: () => child.kill("SIGKILL") };
}

function doneIn(plan) {
  try {
    return readdirSync(join(plan, "parts")).filter((name) => name.endsWith(".json")).length;
  } catch {
    return 0;
  }
}

function startWorker(target) {
  const args = ["work", ...target, "--threads", "1", "--lease", "2"];
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  return { child, ended };
}

/** Until the worker has begun the output of a part, or all parts are done. */
async function atWork(plan, { child }) {
  const hasBegun = () =>
    readdirSync(join(plan, "parts")).some((name) => name.includes(`.${child.pid}-`));
  while (doneIn(plan) < PARTS && child.exitCode === null) {
    if (existsSync(join(plan, "parts")) && hasBegun()) return;
    await sleep(20);
  }
}

/** Kills one of the workers after a random while and replaces it, until all parts are done; returns the number of kills. */
async function killWorkers(plan, target, most, random) {
  const workers = Array.from({ length: WORKERS }, () => startWorker(target));
  let kills = 0;
  while (doneIn(plan) < PARTS) {
    if (kills === most) {
      await sleep(100);
      continue;
    }
    const at = random.below(WORKERS);
    if (kills % 2 === 0) await atWork(plan, workers[at]);
    await sleep(random.below(kills % 2 === 0 ? 300 : 2500));
    // One that has ended by itself was not killed.
    if (workers[at].child.exitCode === null) kills += 1;
    workers[at].child.kill("SIGKILL");
    await workers[at].ended;
    workers[at] = startWorker(target);
  }
  for (const { child } of workers) child.kill("SIGKILL");
  await Promise.all(workers.map(({ ended }) => ended));
  return kills;
}

/** @param count how many workers are killed in all. */
export async function fleet(count, random, folder) {
  mkdirSync(folder, { recursive: true });
  const { model } = await writeTiny(folder);
  const text = join(folder, "text.txt");
  const line = (at) =>
    Array.from({ length: 3 + (at % 19) }, (_, word) => WORDS[(at + word) % 12]).join(" ");
  writeFileSync(text, Array.from({ length: 12_000 }, (_, at) => `${line(at)}\n`).join(""));
  const form = ["--tokens", text, "-m", model, "-f", "json", "--scores"];
  const whole = join(folder, "whole");
  run("parse", ...form, "-o", whole);
  const redis = await startRedis(folder);
  const counts = { kills: 0, folders: 0, queues: 0 };
  const failures = [];
  try {
    // Where workers are so fast that none could be killed, it ends all the same.
    for (let round = 0; counts.kills < count && round < count; round++) {
      const most = Math.min(Math.ceil(count / PLANS), count - counts.kills);
      const isQueued = redis !== undefined && round % 2 === 1;
      const [plan, joined] = [join(folder, `plan-${round}`), join(folder, "joined")];
      run("plan", "parse", ...form, "--parts", `${PARTS}`, "-o", plan);
      if (isQueued) run("submit", plan, "--queue", redis.url);
      const target = isQueued ? ["--queue", redis.url] : [plan];
      counts.kills += await killWorkers(plan, target, most, random);
      counts[isQueued ? "queues" : "folders"] += 1;
      run("gather", plan, "-o", joined);
      if (!readFileSync(joined).equals(readFileSync(whole)))
        failures.push({ plan, problem: "other bytes" });
      rmSync(plan, { recursive: true });
    }
  } catch (error) {
    failures.push({ problem: error.message });
  } finally {
    redis?.stop();
  }
  return { counts, failures };
}
