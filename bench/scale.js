// What plans cost: plan + work + gather against one plain run of the same text with the bundled model, alternately on the
// same machine; and what a part costs beside its work, in a shared folder and from a queue. Ratios are medians of rounds.
//
// Run on a quiet machine: npm run build && npm run bench:scale -- [--sentences 60000] [--parts 20] [--rounds 3]
//   [--threads 2] [--precision fp32]
//   [--file corpus.txt]   any text, one sentence a line, in place of the built-in one
//   [--queue redis://127.0.0.1:6379]   also the cost of a part, in a folder and from this queue
//   [--rounds 0]          only that

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { WORDS as TINY_WORDS, writeTiny } from "../scripts/torture/tiny.js";

const MAIN = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const { values } = parseArgs({
  options: {
    sentences: { type: "string", default: "60000" },
    parts: { type: "string", default: "20" },
    rounds: { type: "string", default: "3" },
    threads: { type: "string", default: "2" },
    precision: { type: "string", default: "fp32" },
    file: { type: "string" },
    queue: { type: "string" },
  },
});
const WORDS =
  "the old man who lived by the harbour said that he had never seen a storm like this".split(" ");
/** The plans by which the cost of a part is found: the same text in few parts and in many. */
const [FEW, MANY] = [20, 520];
const folder = mkdtempSync(join(tmpdir(), "bracken-scale-"));

function writeSentences(name, count, words) {
  const line = (at) =>
    Array.from({ length: 5 + (at % 31) }, (_, word) => words[(at * 7 + word) % words.length]);
  const path = join(folder, name);
  writeFileSync(path, Array.from({ length: count }, (_, at) => `${line(at).join(" ")}\n`).join(""));
  return path;
}

/** Seconds by the clock and of the processors, and the peak of the process in MB. */
function run(...args) {
  const report = join(folder, "usage.json");
  const write = `require("node:fs").writeFileSync(${JSON.stringify(report)}, JSON.stringify(process.resourceUsage()))`;
  writeFileSync(join(folder, "hook.cjs"), `process.on("exit", () => ${write})`);
  const started = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--require", join(folder, "hook.cjs"), MAIN, ...args],
    { encoding: "utf8" },
  );
  const seconds = (performance.now() - started) / 1000;
  if (status !== 0) throw new Error(`bracken ${args.join(" ")}: ${stderr}`);
  const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(readFileSync(report, "utf8"));
  return { seconds, processor: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1024 };
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/** One round: a plain run, and the same by a plan in a folder. */
function round(text, number) {
  const out = (name) => join(folder, `${name}-${number}`);
  const form = ["--lines", text, "--precision", values.precision];
  const threads = ["--threads", values.threads];
  const plain = run("parse", ...form, ...threads, "-o", out("plain"));
  const plan = run("plan", "parse", ...form, "--parts", values.parts, "-o", out("plan"));
  const work = run("work", out("plan"), ...threads);
  const gather = run("gather", out("plan"), "-o", out("joined"));
  if (!readFileSync(out("plain")).equals(readFileSync(out("joined"))))
    throw new Error("other bytes");
  const sum = (of) => of(plan) + of(work) + of(gather);
  const more = (of) => (sum(of) / of(plain) - 1) * 100;
  return {
    ...{ plain, plan, work, gather },
    more: more(({ seconds }) => seconds),
    moreProcessor: more(({ processor }) => processor),
  };
}

function measureRounds() {
  const count = Number(values.sentences);
  const text = values.file ?? writeSentences("text.txt", count, WORDS);
  const rounds = Array.from({ length: Number(values.rounds) }, (_, number) => round(text, number));
  const middle = (of) => median(rounds.map(of));
  const seconds = (name) =>
    `${name} ${middle((each) => each[name].seconds).toFixed(1)} s (processors ${middle((each) => each[name].processor).toFixed(1)} s)`;
  console.log(["plain", "plan", "work", "gather"].map(seconds).join(", "));
  const percent = (of) => `${middle(of).toFixed(1)} %`;
  console.log(
    `plan + work + gather, ${values.parts} parts: ${percent(({ more }) => more)} more time than the plain run, ` +
      `${percent(({ moreProcessor }) => moreProcessor)} more of the processors`,
  );
  const megabytes = (name) => `${name} ${middle((each) => each[name].megabytes).toFixed(0)} MB`;
  console.log(`peak memory: ${megabytes("plain")}, ${megabytes("work")}`);
}

/** Milliseconds that one more part costs: the same text in many parts takes so much longer than in few. */
function costOfPart(plans, work) {
  const [few, many] = plans.map((parts) => work(parts).seconds);
  return ((many - few) * 1000) / (MANY - FEW);
}

/** With a model that does next to nothing, so that all of the rest is seen. */
async function measureParts() {
  const { model } = await writeTiny(folder);
  const text = writeSentences("tiny.txt", 2 * MANY, TINY_WORDS);
  const plan = (name, parts) => {
    const out = join(folder, `${name}-${parts}`);
    run("plan", "parse", "--tokens", text, "-m", model, "--parts", `${parts}`, "-o", out);
    return out;
  };
  const rest = ["--threads", "1", "--no-wait"];
  const costs = Array.from({ length: 3 }, (_, number) => {
    const folders = costOfPart([FEW, MANY], (parts) =>
      run("work", plan(`folder-${number}`, parts), ...rest),
    );
    const queues = costOfPart([FEW, MANY], (parts) => {
      run("submit", plan(`queue-${number}`, parts), "--queue", values.queue);
      return run("work", "--queue", values.queue, ...rest);
    });
    return { folders, queues };
  });
  const ms = (of) => `${median(costs.map(of)).toFixed(1)} ms`;
  console.log(
    `a part costs ${ms(({ folders }) => folders)} in a shared folder, ${ms(({ queues }) => queues)} from a queue`,
  );
}

try {
  if (Number(values.rounds) > 0) measureRounds();
  if (values.queue) await measureParts();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
