// Parsing a treebank's sentences, file in, trees out, beside PyTorch doing the same forward pass and a
// CKY in Python, and beside the encoder's matrix products alone, in turns. Needs a treebank, and PyTorch for
// the comparison (Debian: apt-get install python3-torch libopenblas0-openmp), which has the first model's
// weights. Further models are compared with the first.
// Run: npm run build && npm run bench:parse -- TREEBANK [model...]

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { makeBatch } from "../dist/encoder/batch.js";
import { findModel, leaves, loadParser, toPenn } from "../dist/index.js";
import { ModelFolder } from "../dist/model/folder.js";
import { readSentences } from "../dist/runs/inputs.js";
import { readTreebank } from "../dist/treebanks/index.js";
import { encoderAndLimit } from "./matrix-products.js";
import { torchEnvironment } from "./torch-environment.js";

const REPEATS = 3;
const SINGLES = 300;
const TORCH_BATCH = 32;
/** What the paper reports, on one GPU. */
const PAPER = 409;
const threads = availableParallelism();

const [treebank, ...given] = process.argv.slice(2);
if (!treebank) {
  console.error("name a treebank: npm run bench:parse -- wsj/ [model...]");
  process.exit(2);
}
const names = given.length > 0 ? given : ["default", "bracken-en-small"];
const PRECISIONS = ["fp32", "int8"];
const scratch = mkdtempSync(join(tmpdir(), "bracken-bench-"));

const sentences = [];
for await (const { tree } of readTreebank(treebank))
  sentences.push(leaves(tree).map(({ word }) => word));
const file = join(scratch, "sentences.txt");
writeFileSync(file, sentences.map((words) => `${words.join(" ")}\n`).join(""));

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

async function seconds(work) {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

async function* inputs() {
  const files = [{ name: file, format: "tokens" }];
  for await (const items of readSentences(files)) for (const { sentence } of items) yield sentence;
}

/** File in, trees out, the model loaded before. */
async function inBulk(parser) {
  const output = await open(join(scratch, "trees.txt"), "w");
  let text = "";
  for await (const { tree } of parser.parseStream(inputs())) text += `${toPenn(tree)}\n`;
  await output.writeFile(text);
  await output.close();
}

async function oneByOne(parser) {
  for (const words of sentences.slice(0, SINGLES)) toPenn((await parser.parseWords(words)).tree);
}

function wholeCommand(model, precision) {
  const cli = new URL("../dist/cli/main.js", import.meta.url).pathname;
  const output = join(scratch, "command.txt");
  const options = ["--model", model, "--tokens", file, "--precision", precision, "-o", output];
  const { status } = spawnSync(process.execPath, [cli, "parse", ...options], { stdio: "inherit" });
  if (status !== 0) throw new Error(`bracken parse ended with ${status}`);
}

/** PyTorch in a process of its own; undefined where there is none. */
async function startTorch(model) {
  const folder = await ModelFolder.open(model);
  const { published, scorer } = folder.config;
  const wordPieces = await folder.wordPieces();
  const script = new URL("parse.py", import.meta.url).pathname;
  const env = torchEnvironment(threads);
  const child = spawn("/usr/bin/python3", [script], { env, stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.on("close", resolve).on("error", resolve));
  child.stdin.on("error", () => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const weights = join(model, "model.safetensors");
  const told = { ...published, slope: scorer.slope, threads, weights };
  child.stdin.write(`${JSON.stringify(told)}\n`);
  const toBatch = (words) => {
    const { feeds, lengths } = makeBatch(words, wordPieces, folder.config.bert.maximumPieces);
    const { ids, seen, words: places } = feeds;
    return { ids: rows(ids), seen: rows(seen), words: rows(places), lengths };
  };
  const ask = async (batches) => {
    child.stdin.write(`${JSON.stringify(batches)}\n`);
    const { done, value } = await lines.next();
    return done ? undefined : JSON.parse(value);
  };
  const stop = () => {
    child.stdin.end();
    return ended;
  };
  return { toBatch, ask, stop };
}

function rows({ data, dims: [count, size] }) {
  return Array.from({ length: count }, (_, row) =>
    Array.from(data.subarray(row * size, (row + 1) * size)),
  );
}

function inBatches(list, size) {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}

/** Everything that is timed of one model in one precision. */
async function openModel(name, precision) {
  const model = await findModel(name);
  const bulk = await loadParser(model, { precision, workers: threads });
  const alone = await loadParser(model, { precision, threads });
  const limit = await encoderAndLimit(await ModelFolder.open(model), precision, sentences);
  return {
    name,
    precision,
    bulk,
    times: {},
    async measure(keep, isWarmUp) {
      keep("bulk", await seconds(() => inBulk(bulk)));
      keep("single", await seconds(() => oneByOne(alone)));
      keep("encoder", await limit.encode());
      keep("products", await limit.multiply());
      if (!isWarmUp) keep("command", await seconds(() => wholeCommand(model, precision)));
    },
    close: () => Promise.all([bulk.close(), alone.close(), limit.close()]),
  };
}

function noteIn(times) {
  return (key, value) => {
    times[key] ??= [];
    times[key].push(value);
  };
}

const torch = await startTorch(await findModel(names[0]));
const torchTimes = {};
const singles = Math.min(SINGLES, sentences.length);
const byLength = sentences.toSorted((a, b) => a.length - b.length);
const torchBatches = inBatches(byLength, TORCH_BATCH).map(torch.toBatch);
const torchSingles = sentences.slice(0, SINGLES).map((words) => torch.toBatch([words]));

const measured = [];
for (const name of names)
  for (const precision of PRECISIONS) measured.push(await openModel(name, precision));

for (let repeat = 0; repeat <= REPEATS; repeat++) {
  const isWarmUp = repeat === 0;
  const keeper = (times) => (isWarmUp ? () => {} : noteIn(times));
  for (const each of measured) await each.measure(keeper(each.times), isWarmUp);
  const bulk = await torch.ask(isWarmUp ? torchBatches.slice(0, 4) : torchBatches);
  const single = bulk && (await torch.ask(torchSingles.slice(0, isWarmUp ? 20 : SINGLES)));
  if (!bulk || !single) continue;
  const keep = keeper(torchTimes);
  keep("forward", bulk.forward);
  keep("bulk", bulk.forward + bulk.trees);
  keep("single", single.forward + single.trees);
  if (repeat === REPEATS) await checkTrees(bulk.spans);
}

/**
 * The two must have the same scores: most of their best binary trees must be the same, but for rounding.
 * What is timed is each one's own way to a tree: PyTorch's best binary one, and the model's own decoding.
 */
async function checkTrees(theirs) {
  const ours = [];
  for await (const { spans } of measured[0].bulk.parseStream(inputs(), { decoding: "best" })) {
    ours.push(spans.filter(({ begin, end }) => end - begin > 1).map(keyOf));
  }
  const order = [...sentences.keys()].sort((a, b) => sentences[a].length - sentences[b].length);
  const same = order.filter((index, at) => {
    const spans = (theirs[at] ?? []).map(([begin, end]) => keyOf({ begin, end }));
    return keysOf(spans) === keysOf(ours[index] ?? []);
  });
  if (same.length < 0.99 * sentences.length) {
    throw new Error(`PyTorch has the same tree for ${same.length} of ${sentences.length} only`);
  }
}

function keyOf({ begin, end }) {
  return `${begin},${end}`;
}

/** A span with two labels is there twice. */
function keysOf(spans) {
  return [...new Set(spans)].sort().join(" ");
}

for (const each of measured) await each.close();
await torch.stop();
rmSync(scratch, { recursive: true });

const rate = (times, key, count = sentences.length) =>
  times[key] ? count / median(times[key]) : undefined;
const ratio = (value, base, of) => (value && base ? `${(value / base).toFixed(2)} x ${of}` : "");
const line = (label, value, ...comparisons) =>
  console.log(
    `  ${label.padEnd(38)}${(value ?? Number.NaN).toFixed(0).padStart(6)}  ${comparisons.filter(Boolean).join(", ")}`,
  );

console.log(
  `${sentences.length} sentences, ${threads} threads, medians of ${REPEATS}: sentences a second`,
);
for (const { name, precision, times } of measured) {
  const isFirst = name === names[0];
  const first = measured.find((each) => each.name === names[0] && each.precision === precision);
  const compared = (key, count) => {
    const value = rate(times, key, count);
    const ofTorch = isFirst && ratio(value, rate(torchTimes, key, count), "PyTorch");
    return [value, ofTorch, !isFirst && ratio(value, rate(first.times, key, count), names[0])];
  };
  line(`${name} ${precision}, file in, trees out`, ...compared("bulk"));
  const command = rate(times, "command");
  const startIncluded = isFirst && ratio(command, rate(torchTimes, "bulk"), "PyTorch");
  line("  the whole command, start included", command, startIncluded);
  line("  one sentence at a time", ...compared("single", singles));
  const [encoder, products] = [rate(times, "encoder"), rate(times, "products")];
  const share = `${((100 * encoder) / products).toFixed(0)} % of its matrix products alone`;
  line("  the encoder alone, one thread", encoder, share);
  line("  its matrix products, one thread", products);
}
line(`PyTorch, batches of ${TORCH_BATCH}, and CKY`, rate(torchTimes, "bulk"));
line("  its forward pass alone", rate(torchTimes, "forward"));
line("  one sentence at a time", rate(torchTimes, "single", singles));
line("the paper's figure, on a GPU", PAPER);
