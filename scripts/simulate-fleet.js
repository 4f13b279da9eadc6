// A forecast: how long a fleet needs for all of the English Wikipedia, how much of its time is idle, and which number of
// parts is best. The times of parts are not invented: they are those in the receipts of a plan that was worked on,
// as seconds per byte of text, so that slow texts and slow moments of the machine are in them.
//
// Run: node scripts/simulate-fleet.js PLAN [picture.svg] [--workers 1000] [--gigabytes 17] [--seed 1]
//
//   --gigabytes   plain text to be parsed
//   --overhead    seconds that each part costs beside its work: taking it, opening the input, the receipt
//   --start       seconds until a worker that starts has its model
//   --failures    workers that vanish, per worker and day; they are replaced after --lease seconds
//   --slow        share of workers that are slow, --factor times as slow as the others

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
    overhead: option(0.1),
    start: option(5),
    failures: option(0.5),
    lease: option(60),
    slow: option(0.05),
    factor: option(3),
    seed: option(1),
  },
});
const settings = Object.fromEntries(
  Object.entries(values).map(([name, value]) => [name, Number(value)]),
);
const [plan, picture] = positionals;
if (plan === undefined) throw new Error("which plan? node scripts/simulate-fleet.js PLAN");

/** Seconds per byte of text, one number for each part that is done. */
function recordedRates(folder) {
  const lines = readFileSync(join(folder, "parts.jsonl"), "utf8").trim().split("\n");
  const works = new Map(
    lines.map((line) => JSON.parse(line)).map(({ part, work }) => [part, work]),
  );
  return readdirSync(join(folder, "parts"))
    .filter((name) => /^\d+\.json$/.test(name))
    .map((name) => JSON.parse(readFileSync(join(folder, "parts", name), "utf8")))
    .map(({ part, seconds }) => seconds / works.get(part));
}

/** Workers by the time at which they are free next: a binary heap. */
class Free {
  #heap = [];

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
function simulate(parts, rates, random) {
  const { workers, gigabytes, overhead, start, failures, lease, slow, factor } = settings;
  const bytes = (gigabytes * 1e9) / parts;
  const perSecond = failures / 86_400;
  const free = new Free();
  for (let worker = 0; worker < workers; worker++) {
    free.push({ at: start, speed: random.unit() < slow ? factor : 1 });
  }
  let [left, ended, useful] = [parts, 0, 0];
  const returned = [];
  while (left > 0 || returned.length > 0) {
    const worker = free.pop();
    let begin = worker.at;
    if (left > 0) left -= 1;
    else begin = Math.max(begin, returned.shift());
    const seconds = bytes * rates[random.below(rates.length)] * worker.speed + overhead;
    const lost =
      perSecond > 0 ? -Math.log(1 - random.unit()) / perSecond : Number.POSITIVE_INFINITY;
    if (lost < seconds) {
      returned.push(begin + lost + lease);
      free.push({ at: begin + lost + lease + start, speed: worker.speed });
      continue;
    }
    ended = Math.max(ended, begin + seconds);
    useful += seconds - overhead;
    free.push({ at: begin + seconds, speed: worker.speed });
  }
  return { hours: ended / 3600, idle: 1 - useful / (ended * workers) };
}

const rates = recordedRates(plan);
const random = new Random(settings.seed);
const { workers, gigabytes } = settings;
const rows = [1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 400].map((each) => {
  const parts = each * workers;
  const runs = Array.from({ length: 5 }, () => simulate(parts, rates, random));
  const mean = (of) => runs.reduce((sum, run) => sum + of(run), 0) / runs.length;
  return {
    each,
    parts,
    megabytes: (gigabytes * 1000) / parts,
    hours: mean((run) => run.hours),
    idle: mean((run) => run.idle),
  };
});
const best = rows.reduce((least, row) => (row.hours < least.hours ? row : least));
const meanRate = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
console.log(
  `FORECAST from ${rates.length} recorded parts, ${(meanRate * 1e6).toFixed(2)} s per MB of text`,
);
console.log("parts   per worker   MB each   hours   idle");
for (const row of rows) {
  const cells = [
    row.parts,
    row.each,
    row.megabytes.toFixed(2),
    row.hours.toFixed(2),
    `${(row.idle * 100).toFixed(1)} %`,
  ];
  console.log(
    `${cells.map((cell, at) => `${cell}`.padStart([6, 11, 10, 8, 8][at])).join("")}${row === best ? "   best" : ""}`,
  );
}
if (picture) {
  const line = (title, of) => ({
    title,
    unit: "parts per worker",
    series: [rows.filter(({ each }) => each <= 120).map((row) => ({ x: row.each, y: of(row) }))],
  });
  const title = `Forecast: ${workers} workers, ${gigabytes} GB of text`;
  const panels = [
    line("hours", ({ hours }) => hours),
    line("idle share, %", ({ idle }) => idle * 100),
  ];
  writeFileSync(picture, drawPicture({ title, panels, columns: 2 }));
}
