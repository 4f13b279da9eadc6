// Reading and scoring a treebank, beside Node's own start-up and the bare reading of the files.
// Run: npm run build && npm run bench:evaluate [TREEBANK]

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import {
  baselineTree,
  PROTOCOLS,
  prepareGold,
  scorePrediction,
  Totals,
} from "../dist/evaluation/index.js";
import { expandInputs } from "../dist/files/expand-inputs.js";
import { Random } from "../dist/random.js";
import { readTreebank, TREEBANK_EXTENSIONS } from "../dist/treebanks/index.js";
import { leaves } from "../dist/trees/index.js";

const treebank = process.argv[2] ?? "../shared/data/treebanks/wsj-sample-0001-0099";
const ROUNDS = 7;

async function median(work) {
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b)[(ROUNDS - 1) / 2];
}

async function scoreAll() {
  const totals = new Totals();
  const random = new Random(1);
  for await (const gold of readTreebank(treebank)) {
    const prepared = prepareGold(gold, PROTOCOLS.nob);
    if (!prepared) continue;
    const tree = baselineTree("right", leaves(prepared.located.tree), random);
    totals.add(scorePrediction(prepared, { ...gold, tree }, PROTOCOLS.nob));
  }
  return totals;
}

async function readAll() {
  let trees = 0;
  for await (const _ of readTreebank(treebank)) trees += 1;
  return trees;
}

const files = await expandInputs([treebank], TREEBANK_EXTENSIONS);
const rows = {
  "node start-up": await median(() => spawnSync(process.execPath, ["-e", "0"])),
  "file bytes": await median(() => files.map((file) => readFileSync(file))),
  "read trees": await median(readAll),
  "read and score (nob)": await median(scoreAll),
};
console.log(`${treebank}: ${await readAll()} trees, medians of ${ROUNDS}`);
for (const [name, time] of Object.entries(rows)) {
  const ratio = (time / rows["node start-up"]).toFixed(2);
  console.log(`${name.padEnd(22)} ${time.toFixed(1).padStart(8)} ms  ${ratio} x start-up`);
}
