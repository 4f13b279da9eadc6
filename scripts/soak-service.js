/**
 * Many small requests to a service, every answer held against the library's, and the memory over time.
 *
 *   node scripts/soak-service.js [--requests 1000000] [--clients 4] [--seed 1] [--model default]
 *                                [--url http://127.0.0.1:8080/] [--key KEY]
 *
 * Without --url it starts `bracken serve` on a free port and ends it. One request in a hundred is wrong
 * and must be refused, one in two hundred is hung up on; both must leave nothing behind. It prints a line
 * for every hundredth of the requests and exits with 1 if an answer was wrong, lost or another's, or if
 * the memory grew by more than a tenth after the first tenth of the requests. A few clients leave the
 * machine to other work.
 */

import { spawn } from "node:child_process";
import { Agent, request } from "node:http";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadParser } from "../dist/index.js";
import { toParseRecord } from "../dist/parser/parse-record.js";
import { Random } from "../dist/random.js";

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "1000000" },
    clients: { type: "string", default: "4" },
    seed: { type: "string", default: "1" },
    model: { type: "string", default: "default" },
    url: { type: "string" },
    key: { type: "string" },
  },
});
const [total, clients, seed] = [values.requests, values.clients, values.seed].map(Number);
if (!(total >= 1) || !(clients >= 1) || !Number.isInteger(seed)) {
  console.error("--requests and --clients are 1 or more, --seed is a whole number");
  process.exit(2);
}

const MAIN = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const SENTENCES = 500;
const WORDS =
  "the a old red man dog river engine saw found sold left in near with and but quickly never , .".split(
    " ",
  );

/** Sentences of 1 to 16 words, no two alike, with the library's records of them. */
async function makeSentences() {
  const random = new Random(seed);
  const sentences = Array.from({ length: SENTENCES }, (_, index) => [
    ...Array.from({ length: random.below(16) }, () => WORDS[random.below(WORDS.length)]),
    `w${index}`,
  ]);
  const parser = await loadParser(values.model, { workers: 0 });
  const parses = await parser.parseSentences(
    sentences.map((words) => ({ leaves: words.map((word) => ({ word })) })),
  );
  await parser.close();
  return sentences.map((tokens, index) => ({
    tokens,
    record: JSON.stringify(toParseRecord(parses[index])),
  }));
}

function startService() {
  const args = [MAIN, "serve", "--port", "0", "--quiet", "--model", values.model];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const exited = new Promise((resolve) => child.once("close", resolve));
  return new Promise((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      const url = / on (http:\S+)/.exec(chunk)?.[1];
      if (url) resolve({ url, child, exited });
    });
    exited.then((code) => reject(new Error(`the service ended with ${code}`)));
  });
}

const agent = new Agent({ keepAlive: true, maxSockets: clients + 1 });
const authorization = values.key ? { authorization: `Bearer ${values.key}` } : {};

/** The status and text of an answer; with `hangUp` nothing, since the connection is cut. */
function ask(url, { path, body, hangUp }) {
  return new Promise((resolve, reject) => {
    const headers = {
      ...authorization,
      ...(body
        ? { "content-type": "application/json", "content-length": Buffer.byteLength(body) }
        : {}),
    };
    const method = body ? "POST" : "GET";
    const sent = request(new URL(path, url), { agent, method, headers }, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () =>
        resolve({ status: answer.statusCode, text: Buffer.concat(chunks).toString() }),
      );
    });
    sent.on("error", (error) => (hangUp ? resolve(undefined) : reject(error)));
    sent.end(body);
    if (hangUp) sent.once("finish", () => setImmediate(() => sent.destroy()));
  });
}

const WRONG = ["", "null", '{"text": 1}', '{"text": "a", "lines": []}', "{", '{"txet": "a"}'];

/** Asks once as the random numbers say, and tells what was wrong with the answer. */
async function askOnce(url, pairs, random, tally) {
  const dice = random.below(200);
  if (dice < 2) {
    const body = WRONG[random.below(WRONG.length)] || " ";
    const { status } = await ask(url, { path: "v1/parse", body });
    tally.refused += 1;
    return status === 400 ? undefined : `a wrong request got ${status}`;
  }
  const wanted = Array.from({ length: 1 + random.below(3) }, () => pairs[random.below(SENTENCES)]);
  const body = JSON.stringify({ sentences: wanted.map(({ tokens }) => ({ tokens })) });
  const isStream = random.below(4) === 0;
  const path = isStream ? "v1/parse?stream=1" : "v1/parse";
  const hangUp = dice === 2;
  const answer = await ask(url, { path, body, hangUp });
  if (!answer) {
    tally.hungUp += 1;
    return undefined;
  }
  if (answer.status !== 200) return `status ${answer.status}: ${answer.text.slice(0, 200)}`;
  const records = isStream
    ? answer.text.trimEnd().split("\n")
    : JSON.parse(answer.text).sentences.map((record) => JSON.stringify(record));
  const expected = wanted.map(({ record }) => record);
  if (records.join() === expected.join()) return undefined;
  return `expected ${expected.join().slice(0, 300)}\n     got ${records.join().slice(0, 300)}`;
}

async function memory(url) {
  const { text } = await ask(url, { path: "metrics" });
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]) / 2 ** 20;
}

async function soak(url, pairs) {
  const tally = { done: 0, wrong: 0, refused: 0, hungUp: 0 };
  const samples = [];
  const started = performance.now();
  const report = async () => {
    const [seconds, megabytes] = [(performance.now() - started) / 1000, await memory(url)];
    samples.push({ done: tally.done, megabytes });
    const rate = (tally.done / seconds).toFixed(0);
    console.log(
      `${tally.done} requests, ${seconds.toFixed(0)} s, ${rate}/s, ${tally.wrong} wrong, RSS ${megabytes.toFixed(0)} MB`,
    );
  };
  const every = Math.ceil(total / 100);
  let next = 0;
  const client = async (number) => {
    const random = new Random(seed * 1000 + number);
    while (next < total) {
      next += 1;
      const problem = await askOnce(url, pairs, random, tally).catch(
        (error) => `no answer: ${error.message}`,
      );
      if (problem) {
        tally.wrong += 1;
        if (tally.wrong <= 20) console.error(`WRONG: ${problem}`);
      }
      tally.done += 1;
      if (tally.done % every === 0) await report();
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return { tally, samples };
}

const pairs = await makeSentences();
const service = values.url ? undefined : await startService();
try {
  const { tally, samples } = await soak(values.url ?? service.url, pairs);
  const early = Math.max(
    ...samples.filter(({ done }) => done <= total / 10).map(({ megabytes }) => megabytes),
  );
  const late = samples.at(-1)?.megabytes ?? Number.NaN;
  const hasGrown = late > 1.1 * early;
  console.log(
    `${tally.done} requests with seed ${seed}: ${tally.wrong} wrong, ${tally.refused} refused as they should be, ${tally.hungUp} hung up on`,
  );
  console.log(
    `RSS ${early.toFixed(0)} MB at most in the first tenth, ${late.toFixed(0)} MB in the end${hasGrown ? ": it grows" : ""}`,
  );
  if (tally.wrong > 0 || hasGrown) process.exitCode = 1;
} finally {
  agent.destroy();
  service?.child.kill("SIGTERM");
  if (service && (await service.exited) !== 0) process.exitCode = 1;
}
