// What plans cost: plan + work + gather against one plain run of the same text, and a queue against a folder, per part.
// Both sides run in the same minute on the same machine, alternately; ratios are medians of rounds.
//
// Run on a quiet machine: npm run build && npm run bench:scale -- [--sentences 20000] [--parts 20] [--rounds 5]
//   [--file corpus.txt]   any text, one sentence a line, in place of the built-in one
//   [--queue redis://127.0.0.1:6379]   also the queue: milliseconds a part beside those of a shared folder
//
// For a run of 10 GB: --file big.txt --rounds 1 --parts 200; it also prints the peak memory of both sides.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const MAIN = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const { values } = parseArgs({
  options: {
    sentences: { type: "string", default: "20000" },
    parts: { type: "string", default: "20" },
    rounds: { type: "string", default: "5" },
    threads: { type: "string", default: "2" },
    file: { type: "string" },
    queue: { type: "string" },
  },
});
const WORDS =
  "the old man who lived by the harbour said that he had never seen a storm like this".split(" ");
const folder = mkdtempSync(join(tmpdir(), "bracken-scale-"));

function builtIn() {
  const line = (at) =>
    Array.from({ length: 5 + (at % 31) }, (_, word) => WORDS[(at * 7 + word) % WORDS.length]);
  const path = join(folder, "text.txt");
  writeFileSync(
    path,
    Array.from({ length: Number(values.sentences) }, (_, at) => `${line(at).join(" ")}.\n`).join(
      "",
    ),
  );
  return path;
}

/** Seconds, and the peak of the process in MB. */
function run(...args) {
  const report = join(folder, "usage");
  const hook = `process.on("exit", () => require("node:fs").writeFileSync(${JSON.stringify(report)}, String(process.resourceUsage().maxRSS / 1024)))`;
  writeFileSync(join(folder, "hook.cjs"), hook);
  const started = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--require", join(folder, "hook.cjs"), MAIN, ...args],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`bracken ${args.join(" ")}: ${stderr}`);
  return {
    seconds: (performance.now() - started) / 1000,
    megabytes: Number(readFileSync(report, "utf8")),
  };
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
const sum = (...runs) => runs.reduce((total, { seconds }) => total + seconds, 0);
const hashOf = (file) => createHash("sha256").update(readFileSync(file)).digest("hex");
const threads = ["--threads", values.threads];

/** One round: a plain run, a plan in a folder, and one through a queue if there is one. */
function round(text, number) {
  const out = (name) => join(folder, `${name}-${number}`);
  const plain = run("parse", "--lines", text, ...threads, "-o", out("plain"));
  const plan = run("plan", "parse", "--lines", text, "--parts", values.parts, "-o", out("plan"));
  const work = run("work", out("plan"), ...threads);
  const gather = run("gather", out("plan"), "-o", out("joined"));
  if (!values.file && hashOf(out("plain")) !== hashOf(out("joined")))
    throw new Error("other bytes");
  const times = {
    plain: plain.seconds,
    planned: sum(plan, work, gather),
    work: work.seconds,
    plan: plan.seconds,
    gather: gather.seconds,
  };
  const memory = { plain: plain.megabytes, work: work.megabytes };
  if (!values.queue) return { times, memory };
  const queued = out("queued");
  run("plan", "parse", "--lines", text, "--parts", values.parts, "-o", queued);
  run("submit", queued, "--queue", values.queue);
  const fromQueue = run("work", "--queue", values.queue, "--no-wait", ...threads);
  return {
    times,
    memory,
    queueMs: ((fromQueue.seconds - work.seconds) * 1000) / Number(values.parts),
  };
}

try {
  const text = values.file ?? builtIn();
  const rounds = Array.from({ length: Number(values.rounds) }, (_, number) => round(text, number));
  const middle = (of) => median(rounds.map(of));
  const ratio = middle(({ times }) => times.planned / times.plain);
  console.log(
    `plain ${middle(({ times }) => times.plain).toFixed(1)} s; plan ${middle(({ times }) => times.plan).toFixed(1)} s, work ${middle(({ times }) => times.work).toFixed(1)} s, gather ${middle(({ times }) => times.gather).toFixed(1)} s`,
  );
  console.log(
    `plan + work + gather against the plain run: ${((ratio - 1) * 100).toFixed(1)} % more`,
  );
  console.log(
    `peak memory: plain ${middle(({ memory }) => memory.plain).toFixed(0)} MB, work ${middle(({ memory }) => memory.work).toFixed(0)} MB`,
  );
  if (values.queue)
    console.log(
      `queue: ${middle(({ queueMs }) => queueMs).toFixed(1)} ms a part more than a shared folder`,
    );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
