/**
 * The service under load beside `bracken parse` in bulk on the same sentences.
 *
 *   npm run build && npm run bench:serve -- [seconds] [clients] [sentences.txt]
 *
 * First the sentences, one a line of the file or made here, go through `bracken parse`. Then `bracken
 * serve` gets them from so many clients at a time, in requests of 1, 2, 4 and 8 sentences, and every
 * answer is held against the bulk one. In the end thousands of sockets are opened that say nothing.
 * Everything stays on this machine.
 */

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Random } from "../dist/random.js";

const MAIN = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const SIZES = [1, 2, 4, 8];
const IDLE_SOCKETS = 10_000;

const [seconds, clients] = [process.argv[2] ?? 60, process.argv[3] ?? 64].map(Number);
const file = process.argv[4];
if (!(seconds > 0) || !(clients > 0)) {
  console.error("npm run bench:serve -- [seconds] [clients] [sentences.txt]");
  process.exit(2);
}

const PARTS = {
  the: "the a this every some no that another".split(" "),
  adjective: "old small red quiet famous broken foreign early useful heavy".split(" "),
  noun: "man house engine river teacher company letter market child garden".split(" "),
  verb: "saw found sold wanted repaired followed described left opened counted".split(" "),
  preposition: "in near with before behind without after by under for".split(" "),
  joint: ["and", "but", "because", "while", "although"],
};

/** Sentences of all lengths, no two alike: each has its number. */
function makeSentences(count) {
  const random = new Random(1);
  const pick = (part) => PARTS[part][random.below(PARTS[part].length)];
  const nounPhrase = () => {
    const words = [pick("the"), ...(random.coin() ? [pick("adjective")] : []), pick("noun")];
    if (random.below(3) === 0) words.push(pick("preposition"), ...nounPhrase());
    return words;
  };
  const clause = () => [...nounPhrase(), pick("verb"), ...nounPhrase()];
  return Array.from({ length: count }, (_, index) => {
    const words = clause();
    while (random.below(5) < 3) words.push(",", pick("joint"), ...clause());
    return `${words.join(" ")} on day ${index} .`;
  });
}

function run(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    child.stdout.resume();
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`exit code ${code}`))));
  });
}

/** The bulk parse of the sentences: their records, and the time without that of starting. */
async function parseInBulk(sentences, folder) {
  const [input, output] = [join(folder, "in.txt"), join(folder, "out.jsonl")];
  const timed = async (lines) => {
    writeFileSync(input, `${lines.join("\n")}\n`);
    const started = performance.now();
    await run(["parse", "--lines", input, "--format", "json", "-o", output]);
    return (performance.now() - started) / 1000;
  };
  const starting = await timed(sentences.slice(0, 1));
  const whole = await timed(sentences);
  const records = readFileSync(output, "utf8").trimEnd().split("\n");
  return { records, seconds: whole - starting, starting };
}

function startService() {
  const child = spawn(process.execPath, [MAIN, "serve", "--port", "0", "--quiet"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise((resolve) => child.once("close", resolve));
  return new Promise((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      const port = /:(\d+)\//.exec(chunk)?.[1];
      if (port) resolve({ port: Number(port), child, exited });
    });
    exited.then((code) => reject(new Error(`the service ended with ${code}`)));
  });
}

function ask(port, agent, method, path, body) {
  return new Promise((resolve, reject) => {
    const headers = body
      ? { "content-type": "application/json", "content-length": Buffer.byteLength(body) }
      : {};
    const asked = request({ host: "127.0.0.1", port, agent, method, path, headers }, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () =>
        resolve({ status: answer.statusCode, text: Buffer.concat(chunks).toString() }),
      );
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

function quantile(values, share) {
  if (values.length === 0) return Number.NaN;
  return values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))];
}

/** Holds an answer against the bulk records; words that differ are another sentence's. */
function judge(text, expected, tally) {
  const records = expected.map(({ record }) => record);
  if (text.endsWith(`"sentences":[${records.join(",")}]}`)) return;
  const { sentences } = JSON.parse(text);
  for (const [index, record] of records.entries()) {
    const [got, wanted] = [sentences[index], JSON.parse(record)];
    if (got === undefined) tally.lost += 1;
    else if (got.tokens?.join(" ") !== wanted.tokens.join(" ")) tally.swapped += 1;
    else if (JSON.stringify(got) !== record) tally.different += 1;
  }
}

async function load(port, pairs) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const tally = { requests: 0, sentences: 0, errors: 0, lost: 0, swapped: 0, different: 0 };
  const [times, healthTimes] = [[], []];
  const until = performance.now() + seconds * 1000;
  let next = 0;
  const client = async (number) => {
    for (let turn = number; performance.now() < until; turn++) {
      const size = SIZES[turn % SIZES.length];
      const wanted = Array.from({ length: size }, () => pairs[next++ % pairs.length]);
      const body = JSON.stringify({ lines: wanted.map(({ sentence }) => sentence) });
      const started = performance.now();
      try {
        const { status, text } = await ask(port, agent, "POST", "/v1/parse", body);
        times.push(performance.now() - started);
        tally.requests += 1;
        if (status !== 200) tally.errors += 1;
        else {
          tally.sentences += size;
          judge(text, wanted, tally);
        }
      } catch {
        tally.errors += 1;
      }
    }
  };
  const watch = async () => {
    while (performance.now() < until) {
      const started = performance.now();
      await ask(port, undefined, "GET", "/healthz");
      healthTimes.push(performance.now() - started);
      await sleep(100);
    }
  };
  const started = performance.now();
  await Promise.all([watch(), ...Array.from({ length: clients }, (_, index) => client(index))]);
  agent.destroy();
  return { tally, times, healthTimes, seconds: (performance.now() - started) / 1000 };
}

/** Opens sockets that say nothing, and asks as another client would. */
async function idleSockets(port, pairs) {
  const sockets = [];
  let refused = 0;
  while (sockets.length + refused < IDLE_SOCKETS) {
    await Promise.all(
      Array.from({ length: 200 }, async () => {
        const socket = connect(port, "127.0.0.1");
        await new Promise((resolve) => {
          socket.once("connect", () => sockets.push(socket));
          socket.once("connect", resolve);
          socket.once("error", () => {
            refused += 1;
            resolve();
          });
        });
        socket.on("error", () => {});
      }),
    );
  }
  const started = performance.now();
  const health = await ask(port, undefined, "GET", "/healthz");
  const healthTime = performance.now() - started;
  const body = JSON.stringify({ lines: [pairs[0].sentence] });
  const parse = await ask(port, undefined, "POST", "/v1/parse", body);
  for (const socket of sockets) socket.destroy();
  return { opened: sockets.length, refused, health, healthTime, parse };
}

const folder = mkdtempSync(join(tmpdir(), "bracken-bench-"));
let service;
try {
  const sentences = file
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line.trim() !== "")
    : makeSentences(Math.min(8000, Math.max(500, seconds * 100)));
  const bulk = await parseInBulk(sentences, folder);
  const bulkRate = sentences.length / bulk.seconds;
  const words = sentences.reduce((sum, line) => sum + line.split(" ").length, 0);
  console.log(
    `${sentences.length} sentences of ${(words / sentences.length).toFixed(1)} words; ${clients} clients for ${seconds} s`,
  );
  console.log(
    `bulk      ${bulkRate.toFixed(1)} sentences/s (and ${bulk.starting.toFixed(1)} s to start)`,
  );
  const pairs = sentences.map((sentence, index) => ({ sentence, record: bulk.records[index] }));
  service = await startService();
  const { tally, times, healthTimes, seconds: taken } = await load(service.port, pairs);
  const rate = tally.sentences / taken;
  console.log(
    `service   ${rate.toFixed(1)} sentences/s in ${tally.requests} requests; ${(rate / bulkRate).toFixed(2)} of bulk`,
  );
  console.log(
    `answers   ${tally.errors} errors, ${tally.lost} lost, ${tally.swapped} swapped, ${tally.different} with another tree`,
  );
  console.log(
    `latency   p50 ${quantile(times, 0.5).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms; health p50 ${quantile(healthTimes, 0.5).toFixed(1)} ms, p99 ${quantile(healthTimes, 0.99).toFixed(1)} ms`,
  );
  const idle = await idleSockets(service.port, pairs);
  console.log(
    `idle      ${idle.opened} sockets opened, ${idle.refused} refused; health ${idle.health.status} in ${idle.healthTime.toFixed(0)} ms, parse ${idle.parse.status}`,
  );
  service.child.kill("SIGTERM");
  console.log(`end       exit code ${await service.exited}`);
  const failed = tally.errors + tally.lost + tally.swapped > 0 || idle.parse.status !== 200;
  process.exitCode = failed ? 1 : 0;
} finally {
  service?.child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}
