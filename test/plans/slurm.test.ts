/** Plans under Slurm's own daemons, two of them nodes, with the scripts in examples/slurm. */

import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { bracken, MAIN, ROOT } from "../cli/run.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { WORDS } from "../training/tiny-encoder.js";

const DAEMONS = ["munged", "slurmctld", "slurmd"] as const;
const SBIN = `/usr/sbin:/sbin:${process.env.PATH}`;
const missing = DAEMONS.filter(
  (name) => spawnSync("sh", ["-c", `command -v ${name}`], { env: { PATH: SBIN } }).status !== 0,
);
const canRun = missing.length === 0 && process.getuid?.() === 0;
if (!canRun) {
  console.warn(
    'SKIPPED: "Slurm" needs its daemons and to be root: apt-get install slurm-wlm munge',
  );
}

const folder = temporaryFolder();
const daemons: ChildProcess[] = [];
const NODES = ["one", "two"];

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

const at = (name: string) => join(folder, name);
const env = () => ({
  ...process.env,
  SLURM_CONF: at("slurm.conf"),
  PATH: `${at("bin")}:${SBIN}`,
});

function start(name: (typeof DAEMONS)[number], ...args: string[]): ChildProcess {
  const daemon = spawn(name, args, { env: env(), stdio: "ignore" });
  daemons.push(daemon);
  return daemon;
}

function slurm(command: string, ...args: string[]): string {
  const options = { env: env(), cwd: folder, encoding: "utf8", stdio: "pipe" } as const;
  return execFileSync(command, args, options).trim();
}

/** Two nodes of one machine, each with a daemon and a port of its own. */
async function config(): Promise<string> {
  const [control, ...ports] = await Promise.all([freePort(), freePort(), freePort()]);
  const nodes = NODES.map(
    (name, index) =>
      `NodeName=${name} NodeHostname=${hostname()} NodeAddr=127.0.0.1 Port=${ports[index]} CPUs=4`,
  );
  return [
    "ClusterName=bracken",
    `SlurmctldHost=${hostname()}(127.0.0.1)`,
    `SlurmctldPort=${control}`,
    ...["SlurmUser=root", "SlurmdUser=root"],
    ...["AuthType=auth/munge", `AuthInfo=socket=${at("munge.sock")}`, "CredType=cred/munge"],
    ...[`StateSaveLocation=${at("state")}`, `SlurmdSpoolDir=${at("spool")}/%n`],
    ...[`SlurmctldPidFile=${at("slurmctld.pid")}`, `SlurmdPidFile=${at("%n.pid")}`],
    ...[`SlurmctldLogFile=${at("slurmctld.log")}`, `SlurmdLogFile=${at("%n.log")}`],
    ...["ProctrackType=proctrack/linuxproc", "TaskPlugin=task/none", "MpiDefault=none"],
    ...["JobAcctGatherType=jobacct_gather/none", "AccountingStorageType=accounting_storage/none"],
    // The memory that scripts ask for is not divided.
    ...[
      "SelectType=select/cons_tres",
      "SelectTypeParameters=CR_Core",
      "SchedulerType=sched/builtin",
    ],
    // Nodes may claim more processors than this machine has.
    ...["SlurmdParameters=config_overrides", "ReturnToService=2", "KillWait=5", ...nodes],
    "PartitionName=all Nodes=ALL Default=YES State=UP",
    "",
  ].join("\n");
}

async function startCluster(): Promise<void> {
  for (const name of ["state", "bin", ...NODES.map((node) => `spool/${node}`)]) {
    mkdirSync(at(name), { recursive: true });
  }
  writeFileSync(at("bin/bracken"), `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`, {
    mode: 0o755,
  });
  writeFileSync(at("munge.key"), randomBytes(1024), { mode: 0o400 });
  writeFileSync(at("slurm.conf"), await config());
  const munge = ["socket", "key-file", "pid-file", "log-file", "seed-file"].map(
    (name) => `--${name}=${at(`munge.${name === "socket" ? "sock" : name.split("-")[0]}`)}`,
  );
  start("munged", "--force", "--foreground", ...munge);
  await vi.waitUntil(() => existsSync(at("munge.sock")), { timeout: 20_000 });
  start("slurmctld", "-D");
  for (const node of NODES) start("slurmd", "-D", "-N", node);
  const isReady = () => {
    const { stdout } = spawnSync("sinfo", ["-h", "-o", "%D %T"], { env: env(), encoding: "utf8" });
    return stdout.trim() === `${NODES.length} idle`;
  };
  await vi.waitUntil(isReady, { timeout: 60_000, interval: 200 });
}

describe.skipIf(!canRun)("Slurm", () => {
  let text: string;
  let model: string;
  let whole: Buffer;

  beforeAll(async () => {
    await startCluster();
    model = await writeTinyModel(folder);
    text = at("text.txt");
    const line = (index: number) =>
      Array.from({ length: 1 + (index % 23) }, (_, word) => WORDS[(index + word) % 12]).join(" ");
    writeFileSync(text, Array.from({ length: 3000 }, (_, index) => `${line(index)}\n`).join(""));
    await bracken(["parse", "--tokens", text, "-m", model, "-o", at("whole.txt")]);
    whole = readFileSync(at("whole.txt"));
  }, 120_000);

  afterAll(async () => {
    for (const daemon of daemons.toReversed()) daemon.kill("SIGTERM");
    await Promise.all(
      daemons.map(
        (each) => each.exitCode === null && new Promise((resolve) => each.once("exit", resolve)),
      ),
    );
  });

  const script = (name: string) => join(ROOT, "examples/slurm", name);

  /** Until a job has left the queue. */
  async function ended(job: string): Promise<void> {
    while (slurm("squeue", "-h", "-j", job, "-o", "%i") !== "") await sleep(200);
  }

  test("an array of both nodes, with a task that is queued again, and a job that joins", {
    timeout: 180_000,
  }, async () => {
    const plan = at("plan");
    await bracken(["plan", "parse", "--tokens", text, "-m", model, "--parts", "6", "-o", plan]);
    const job = slurm("sh", script("submit.sh"), plan, at("joined.txt"), "--mem=0");
    const array = `${Number(job) - 1}`;
    await vi.waitUntil(() => existsSync(join(plan, "claims")), { timeout: 60_000, interval: 20 });
    // Wherever the second task is: Slurm refuses only what has ended.
    const second = `${array}_2`;
    spawnSync("scontrol", ["requeue", second], { env: env() });
    while (slurm("squeue", "-h", "-o", "%i") !== "") {
      // Slurm waits two minutes before it starts such a task again.
      spawnSync("scontrol", ["update", `JobId=${second}`, "StartTime=now"], { env: env() });
      await sleep(500);
    }
    expect(readFileSync(at("joined.txt")).equals(whole)).toBe(true);
    const receipts = readdirSync(join(plan, "parts")).filter((name) => name.endsWith(".json"));
    expect(receipts.length).toBe(6);
  });

  test("tasks that failed are done by the same array, submitted again", {
    timeout: 180_000,
  }, async () => {
    const plan = at("again");
    await bracken(["plan", "parse", "--tokens", text, "-m", model, "--parts", "4", "-o", plan]);
    const submit = () =>
      slurm("sbatch", "--parsable", "--mem=0", "--array=1-4", script("work.sbatch"), plan);
    const first = submit();
    await vi.waitUntil(() => existsSync(join(plan, "claims")), { timeout: 60_000, interval: 20 });
    slurm("scancel", "--signal=KILL", "--full", first);
    await ended(first);
    await ended(submit());
    const { code } = await bracken(["gather", plan, "-o", at("again.txt")]);
    expect(code).toBe(0);
    expect(readFileSync(at("again.txt")).equals(whole)).toBe(true);
  });
});
