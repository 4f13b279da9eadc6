// Ends runs in every way there is, at random moments, and checks how they ended: with the right exit code
// and the right words, never by a crash, and with nothing left hanging. Bounded and seeded:
//
//   node scripts/torture-endings.js [--count 300] [--seed 1] [--kinds head,exit] [--lines 1500]
//     [--model folder]
//
// Prints counts as JSON; exit code 1 if an ending was wrong. Needs dist/.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Random } from "../dist/random.js";

const { values: flags } = parseArgs({
  options: {
    count: { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
    lines: { type: "string", default: "1500" },
    kinds: { type: "string" },
    model: { type: "string", default: "default" },
  },
});

const MAIN = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const LIBRARY = new URL("../dist/index.js", import.meta.url).href;
const FULL = "/dev/full";
const hasFull = existsSync(FULL);
/** What hangs is killed after this many milliseconds, and counts as wrong. */
const PATIENCE = 120_000;

const model = existsSync(flags.model) ? resolve(flags.model) : flags.model;
const random = new Random(Number(flags.seed));
const folder = mkdtempSync(join(tmpdir(), "bracken-endings-"));
const text = join(folder, "text.txt");
writeFileSync(text, `${sentences(Number(flags.lines)).join("\n")}\n`);

/** Only root can make devices, and not everywhere. */
const OWN_FULL = join(folder, "own-full");
const hasOwnFull = hasFull && spawnSync("mknod", [OWN_FULL, "c", "1", "7"]).status === 0;

function sentences(count) {
  const words = "the a dog man old park saw near gave who with and in large he away".split(" ");
  const word = () => words[random.below(words.length)];
  return Array.from({ length: count }, () =>
    Array.from({ length: 4 + random.below(20) }, word).join(" "),
  );
}

/** A program of a user of the library, with workers at work on the sentences. */
function program(ending, workers = 2) {
  const file = join(folder, `program-${random.uint32()}.mjs`);
  writeFileSync(
    file,
    `import { readFileSync } from "node:fs";
     import { Worker } from "node:worker_threads";
     import { loadParser } from ${JSON.stringify(LIBRARY)};
     const lines = readFileSync(${JSON.stringify(text)}, "utf8").trim().split("\\n");
     const sentences = lines.map((line) => line.split(" "));
     const load = () => loadParser(${JSON.stringify(model)}, { workers: ${workers}, threads: ${workers} });
     const moment = () => new Promise((resolve) => setTimeout(resolve, Number(process.argv[2])));
     ${ending}`,
  );
  return file;
}

const parse = ["parse", "--lines", text, "--threads", "2", "--model", model];

/**
 * The kinds of endings. Each starts something, ends it at a moment (a share of the time that a whole
 * run takes), and says what must have come of it.
 */
const KINDS = {
  /** `bracken parse … | head`: whoever reads closes the pipe. */
  async head(moment) {
    const run = start([MAIN, ...parse], {});
    const wanted = random.below(200_000);
    let read = 0;
    run.child.stdout.on("data", (chunk) => {
      read += chunk.length;
      if (read >= wanted) run.child.stdout.destroy();
    });
    run.after(moment * 3, () => run.child.stdout.destroy());
    return { ...(await run.ended), code: 0, says: /^$/ };
  },

  /** Standard output on a full disk. */
  async full() {
    const run = start([MAIN, ...parse], { stdout: openSync(FULL, "w") });
    return { ...(await run.ended), code: 1, says: /^error: standard output: .*disk is full.*\n$/ };
  },

  /** The same with a file: a device like /dev/full, since a mistake here would replace that itself. */
  async "full-out"() {
    const run = start([MAIN, ...parse, "-o", OWN_FULL], {});
    return { ...(await run.ended), code: 1, says: /^error: .*own-full: .*disk is full.*\n$/ };
  },

  /** Ctrl-C. */
  async interrupt(moment) {
    const run = start([MAIN, ...parse], { drain: true });
    run.after(moment, () => run.child.kill("SIGINT"));
    return { ...(await run.ended), code: 130, says: /^$/, mayMiss: true };
  },

  async terminate(moment) {
    const run = start([MAIN, ...parse, "-o", join(folder, "out.txt")], {});
    run.after(moment, () => run.child.kill("SIGTERM"));
    return { ...(await run.ended), code: 143, says: /^$/, mayMiss: true };
  },

  async exit(moment) {
    const file = program(`
      moment().then(() => process.exit(7));
      const parser = await load();
      for (;;) await parser.parseSentences(sentences);
    `);
    return { ...(await start([file, moment], {}).ended), code: 7, says: /^$/ };
  },

  async uncaught(moment) {
    const file = program(`
      moment().then(() => setImmediate(() => { throw new Error("a mistake of the caller"); }));
      const parser = await load();
      for (;;) await parser.parseSentences(sentences);
    `);
    return { ...(await start([file, moment], {}).ended), code: 1, says: /a mistake of the caller/ };
  },

  /** Closed while it parses: what was asked is answered. */
  async close(moment) {
    const file = program(`
      const parser = await load();
      const parses = parser.parseSentences(sentences);
      await moment();
      await parser.close();
      if ((await parses).length !== sentences.length) process.exit(3);
    `);
    return { ...(await start([file, moment >> 1], {}).ended), code: 0, says: /^$/ };
  },

  /** Called off while it parses, and never closed: workers with nothing to do hold nobody up. */
  async abort(moment) {
    const file = program(`
      const parser = await load();
      const parses = parser.parseSentences(sentences, { signal: AbortSignal.timeout(Number(process.argv[2])) });
      await parses.catch((error) => { if (error.name !== "TimeoutError") throw error; });
    `);
    return { ...(await start([file, moment >> 1], {}).ended), code: 0, says: /^$/ };
  },

  /** A worker of the caller's own that has workers of ours, and exits. */
  async nested(moment) {
    const inner = program(`
      moment().then(() => process.exit(9));
      const parser = await load();
      for (;;) await parser.parseSentences(sentences);
    `);
    const file = program(`
      const worker = new Worker(${JSON.stringify(inner)}, { argv: process.argv.slice(2) });
      worker.on("exit", (code) => { process.exitCode = code; });
    `);
    return { ...(await start([file, moment], {}).ended), code: 9, says: /^$/ };
  },

  /** A worker of the caller's own that parses, and is terminated; the program goes on. */
  async terminated(moment) {
    const inner = program(`
      const parser = await load();
      for (;;) await parser.parseSentences(sentences);
    `);
    const file = program(`
      const worker = new Worker(${JSON.stringify(inner)});
      await moment();
      await worker.terminate();
      process.exitCode = 5;
    `);
    return { ...(await start([file, moment], {}).ended), code: 5, says: /^$/ };
  },
};

/** Starts Node; `ended` tells how it ended and what it said on standard error. */
function start(args, { stdout = "pipe", drain = false }) {
  const child = spawn(process.execPath, args.map(String), {
    cwd: folder,
    stdio: ["ignore", stdout, "pipe"],
  });
  if (drain || stdout !== "pipe") child.stdout?.resume();
  const said = [];
  child.stderr.on("data", (chunk) => said.push(chunk));
  let isOver = false;
  const ended = new Promise((resolve) => {
    const hanging = setTimeout(() => child.kill("SIGKILL"), PATIENCE);
    child.on("close", (status, signal) => {
      clearTimeout(hanging);
      isOver = true;
      resolve({ status, signal, said: Buffer.concat(said).toString() });
    });
  });
  const after = async (milliseconds, act) => {
    await sleep(milliseconds);
    if (!isOver) act();
  };
  return { child, ended, after };
}

/** What the shell would call the exit code: 128 and the signal's number for one that was not caught. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGABRT: 134, SIGSEGV: 139, SIGKILL: 137 };

/** Whether the run was done before the signal came: a slow machine is soon faster than it was. */
function isMissed({ status, said, mayMiss }) {
  return mayMiss === true && status === 0 && said === "";
}

function judge({ status, signal, said, code, says }) {
  const seen = signal ? (SIGNALS[signal] ?? signal) : status;
  const cores = readdirSync(folder).filter((name) => /^core(\.|$)/.test(name));
  if (cores.length > 0) return `it left ${cores}`;
  if (seen !== code) return `exit code ${seen}, not ${code}: ${said.slice(0, 500)}`;
  return says.test(said) ? undefined : `it said ${JSON.stringify(said.slice(0, 500))}`;
}

async function main() {
  const wanted = flags.kinds?.split(",") ?? Object.keys(KINDS);
  const has = { full: hasFull, "full-out": hasOwnFull };
  const kinds = wanted.filter((kind) => has[kind] ?? true);
  // How long a whole run takes tells which moments are worth trying.
  const began = performance.now();
  const whole = await start([MAIN, ...parse], { drain: true }).ended;
  if (whole.status !== 0) throw new Error(`a run that is left alone fails: ${whole.said}`);
  const length = performance.now() - began;
  const counts = Object.fromEntries(
    kinds.map((kind) => [kind, { endings: 0, right: 0, missed: 0 }]),
  );
  const wrong = [];
  for (let ending = 0; ending < Number(flags.count); ending++) {
    const kind = kinds[ending % kinds.length];
    const moment = Math.round(random.unit() * 0.9 * length);
    const outcome = await KINDS[kind](moment);
    const problem = judge(outcome);
    counts[kind].endings += 1;
    if (isMissed(outcome)) counts[kind].missed += 1;
    else if (problem === undefined) counts[kind].right += 1;
    else wrong.push({ ending, kind, moment, problem });
    rmSync(join(folder, "out.txt.partial"), { force: true });
  }
  const sum = (field) => Object.values(counts).reduce((total, each) => total + each[field], 0);
  const report = { seed: Number(flags.seed), endings: sum("endings"), right: sum("right") };
  console.log(JSON.stringify({ ...report, kinds: counts, wrong }, null, 2));
  process.exitCode = wrong.length > 0 ? 1 : 0;
}

try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
