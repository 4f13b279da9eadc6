// A forecast: how long a fleet needs for all of the English Wikipedia, how much of its time is idle, and which number of
// parts is best. The times of parts are not invented: they are those in the receipts of a plan that was worked on, as
// seconds per byte of text. A simulated worker is as fast as the recorded ones, or, if it is a straggler, as the slowest
// of them; so slow texts and slow moments of the machine are in it.
//
// Run: node scripts/simulate-fleet.js PLAN [picture.svg] [--workers 1000] [--gigabytes 17] [--seed 1]
//
//   --gigabytes   plain text to be parsed
//   --overhead    seconds that each part costs beside its work: bench:scale measures it
//   --start       seconds until a worker that starts has its model
//   --slow        share of workers that are stragglers; assumed
//   --failures    workers that vanish, per worker and day; assumed
//   --lease       seconds after which their parts go to others, and new workers come
//   --busy        the plan was worked on by one-thread workers on a machine that was busy with other things: then workers
//                 are as fast as the processor time of the parts tells, and stragglers as slow as their time was

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { drawPicture } from "../dist/display/plot.js";
import { Random } from "../dist/random.js";

const option = (value) => ({ type: "string", default: `${value}` });
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    workers: option(1000),
    gigabytes: option(17),
    overhead: option(0.02),
    start: option(5),
    failures: option(0.5),
    lease: option(60),
    slow: option(0.05),
    seed: option(1),
    busy: { type: "boolean", default: false },
  },
});
const settings = Object.fromEntries(
  Object.entries(values).map(([name, value]) => [name, Number(value)]),
);
const [plan, picture] = positionals;
if (plan === undefined) throw new Error("which plan? node scripts/simulate-fleet.js PLAN");

const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);
const mean = (numbers) => sum(numbers) / numbers.length;

/** Seconds per byte of text, one number for each part that is done: those of stragglers, and of all others. */
function recordedRates(folder) {
  const lines = readFileSync(join(folder, "parts.jsonl"), "utf8").trim().split("\n");
  const works = new Map(
    lines.map((line) => JSON.parse(line)).map(({ part, work }) => [part, work]),
  );
  const receipts = readdirSync(join(folder, "parts"))
    .filter((name) => /^\d+\.json$/.test(name))
    .map((name) => JSON.parse(readFileSync(join(folder, "parts", name), "utf8")));
  const ratesOf = (time) => receipts.map((each) => each[time] / works.get(each.part));
  if (settings.busy) {
    return { stragglers: ratesOf("seconds"), others: ratesOf("processorSeconds") };
  }
  const byWorker = new Map(receipts.map(({ worker }) => [worker, []]));
  for (const { worker, part, seconds } of receipts) {
    byWorker.get(worker).push(seconds / works.get(part));
  }
  const workers = [...byWorker.values()].toSorted((a, b) => mean(b) - mean(a));
  const [slowest, ...others] = workers;
  return { stragglers: slowest, others: others.length > 0 ? others.flat() : slowest };
}

/** Workers by the time at which they are free next, or parts by that at which they are: a binary heap. */
class Queue {
  #heap = [];

  get size() {
    return this.#heap.length;
  }

  push(item) {
    const heap = this.#heap;
    let at = heap.push(item) - 1;
    for (let up = (at - 1) >> 1; at > 0 && heap[up].at > item.at; up = (at - 1) >> 1) {
      heap[at] = heap[up];
      at = up;
    }
    heap[at] = item;
  }

  pop() {
    const heap = this.#heap;
    const [first, last] = [heap[0], heap.pop()];
    if (heap.length === 0) return first;
    let at = 0;
    for (let down = 1; down < heap.length; down = 2 * at + 1) {
      if (down + 1 < heap.length && heap[down + 1].at < heap[down].at) down += 1;
      if (heap[down].at >= last.at) break;
      heap[at] = heap[down];
      at = down;
    }
    heap[at] = last;
    return first;
  }
}

/**
 * One run of the fleet. A part that is lost with its worker is begun anew by the next free one after the lease; a new
 * worker comes in the place of the lost one after the same time.
 */
function simulate(parts, slow, rates, random) {
  const { workers, gigabytes, overhead, start, failures, lease } = settings;
  const bytes = (gigabytes * 1e9) / parts;
  const perSecond = failures / 86_400;
  const free = new Queue();
  for (let worker = 0; worker < workers; worker++) {
    free.push({ at: start, own: random.unit() < slow ? rates.stragglers : rates.others });
  }
  let [left, ended, useful] = [parts, 0, 0];
  const returned = new Queue();
  while (left > 0 || returned.size > 0) {
    const worker = free.pop();
    let begin = worker.at;
    if (left > 0) left -= 1;
    else begin = Math.max(begin, returned.pop().at);
    const { own } = worker;
    const seconds = bytes * own[random.below(own.length)] + overhead;
    const lost =
      perSecond > 0 ? -Math.log(1 - random.unit()) / perSecond : Number.POSITIVE_INFINITY;
    if (lost < seconds) {
      const at = begin + lost + lease;
      returned.push({ at });
      free.push({ at: at + start, own });
      continue;
    }
    ended = Math.max(ended, begin + seconds);
    useful += seconds - overhead;
    free.push({ at: begin + seconds, own });
  }
  return { hours: ended / 3600, idle: 1 - useful / (ended * workers) };
}

const rates = recordedRates(plan);
const { workers, gigabytes } = settings;

/** What becomes of each number of parts, if so large a share of the workers are stragglers. */
function forecast(slow) {
  const random = new Random(settings.seed);
  return [1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 400].map((each) => {
    const parts = each * workers;
    const runs = Array.from({ length: 10 }, () => simulate(parts, slow, rates, random));
    return {
      each,
      parts,
      megabytes: (gigabytes * 1000) / parts,
      seconds: ((gigabytes * 1e9) / parts) * mean(rates.others),
      hours: mean(runs.map((run) => run.hours)),
      idle: mean(runs.map((run) => run.idle)),
    };
  });
}

function print(rows, slow) {
  console.log(`\n${slow * 100} % of the workers are stragglers`);
  console.log("parts   per worker   MB each   seconds each   hours   idle");
  // Each part is two files, so the fewest of those that take next to no longer.
  const shortest = Math.min(...rows.map(({ hours }) => hours));
  const best = rows.find(({ hours }) => hours <= shortest * NEXT_TO_NO_LONGER);
  for (const row of rows) {
    const cells = [
      row.parts,
      row.each,
      row.megabytes.toFixed(2),
      row.seconds.toFixed(1),
      row.hours.toFixed(3),
      `${(row.idle * 100).toFixed(1)} %`,
    ];
    const line = cells.map((cell, at) => `${cell}`.padStart([6, 11, 10, 15, 8, 8][at])).join("");
    console.log(`${line}${row === best ? "   best" : ""}`);
  }
}

const NEXT_TO_NO_LONGER = 1.05;

const perMegabyte = (some) => (mean(some) * 1e6).toFixed(1);
const slowness = (mean(rates.stragglers) / mean(rates.others)).toFixed(1);
console.log(
  `FORECAST for ${workers} workers and ${gigabytes} GB, from recorded parts: ${perMegabyte(rates.others)} s per MB of text; ` +
    `stragglers ${perMegabyte(rates.stragglers)} s, ${slowness} times as much`,
);
const shares = [...new Set([settings.slow, 0])];
const tables = shares.map(forecast);
for (const [at, rows] of tables.entries()) print(rows, shares[at]);
/** Fewer parts for each worker would flatten the curves, more add nothing to them. */
const [LEAST, MOST] = [5, 200];
if (picture) {
  const panel = (title, of) => ({
    title,
    unit: "parts per worker",
    series: tables.map((rows) =>
      rows
        .filter(({ each }) => each >= LEAST && each <= MOST)
        .map((row) => ({ x: row.each, y: of(row) })),
    ),
  });
  const title = `Forecast: ${workers} workers, ${gigabytes} GB of text`;
  const panels = [
    panel("Forecast: hours", ({ hours }) => hours),
    panel("Forecast: idle share, %", ({ idle }) => idle * 100),
  ];
  const legend = shares.map((share) =>
    share > 0 ? `${share * 100} % stragglers, ${slowness} times as slow` : "no stragglers",
  );
  writeFileSync(picture, drawPicture({ title, panels, legend, columns: 2 }));
}
