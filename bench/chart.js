// Sentences a second through the charts, beside a textbook CKY over nested arrays in the same run.
// Run: npm run build && node bench/chart.js
//
// Lengths are drawn like those of the Wall Street Journal: mean 24 tokens, at most 100.

import {
  Chart,
  countTrees,
  decodeInto,
  kBest,
  looseCosts,
  rampLoss,
  softLoss,
  spanMarginals,
} from "../dist/chart/index.js";
import { Random } from "../dist/random.js";

const SENTENCES = 2000;
const ROUNDS = 15;
const random = new Random(1);

/** A sum of four exponentials with mean 6 each. */
function drawLength() {
  const product = (1 - random.unit()) * (1 - random.unit()) * (1 - random.unit());
  const length = Math.round(-6 * Math.log(product * (1 - random.unit())));
  return Math.min(100, Math.max(1, length));
}

function drawBracket(size) {
  const begin = random.below(size);
  return { begin, end: begin + 1 + random.below(size - begin) };
}

const sentences = Array.from({ length: SENTENCES }, () => {
  const size = drawLength();
  const scores = new Float32Array(size * size).map(() => 4 * random.unit() - 2);
  const nested = Array.from({ length: size }, (_, row) => [
    ...scores.subarray(row * size, (row + 1) * size),
  ]);
  const brackets = Array.from({ length: 4 }, () => drawBracket(size));
  return { size, scores, nested, brackets, costs: looseCosts(brackets, size) };
});

/** What one writes first: spans by length, a table of rows, back-pointers in another. */
function textbook(scores) {
  const size = scores.length;
  const best = scores.map((row) => [...row]);
  const splits = scores.map((row) => row.map(() => 0));
  for (let length = 2; length <= size; length++) {
    for (let begin = 0; begin + length <= size; begin++) {
      const last = begin + length - 1;
      let highest = Number.NEGATIVE_INFINITY;
      for (let split = begin; split < last; split++) {
        const sum = best[begin][split] + best[split + 1][last];
        if (sum > highest) {
          highest = sum;
          splits[begin][last] = split;
        }
      }
      best[begin][last] = highest + scores[begin][last];
    }
  }
  const spans = [];
  const collect = (begin, last) => {
    if (begin === last) return;
    spans.push({ begin, end: last + 1 });
    collect(begin, splits[begin][last]);
    collect(splits[begin][last] + 1, last);
  };
  collect(0, size - 1);
  return spans;
}

const chart = new Chart();
const spans = new Int32Array(200);
const gradient = (size) => new Float32Array(size * size);
const work = {
  "textbook CKY": ({ nested }) => textbook(nested),
  decode: ({ scores, size }) => decodeInto(scores, size, spans, chart),
  "count trees": ({ scores, size }) => countTrees(scores, size, chart),
  "10 best": ({ scores, size }) => kBest(scores, size, 10, chart),
  marginals: ({ scores, size }) => spanMarginals(scores, size, {}, chart),
  "loose costs": ({ brackets, costs, size }) => looseCosts(brackets, size, costs),
  "ramp loss": ({ scores, costs, size }) =>
    rampLoss(scores, costs, size, gradient(size), {}, chart),
  "soft loss": ({ scores, costs, size }) =>
    softLoss(scores, costs, size, gradient(size), {}, chart),
};

/** Rounds go through all rows in turn, so that what else the machine does hits all of them. */
function measure(title, names) {
  const times = new Map(names.map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) {
      const started = performance.now();
      for (const sentence of sentences) work[name](sentence);
      times.get(name).push(performance.now() - started);
    }
  }
  const middle = (name) => times.get(name).sort((a, b) => a - b)[(ROUNDS - 1) / 2];
  console.log(title);
  for (const name of names) {
    const ratio = (middle("textbook CKY") / middle(name)).toFixed(2);
    const perSecond = Math.round((SENTENCES * 1000) / middle(name));
    const shown = perSecond.toString().padStart(9);
    console.log(`  ${name.padEnd(14)} ${shown} sentences/s  ${ratio} x textbook`);
  }
}

const tokens = sentences.reduce((sum, { size }) => sum + size, 0);
const mean = (tokens / SENTENCES).toFixed(1);
const longest = Math.max(...sentences.map(({ size }) => size));
console.log(`${SENTENCES} sentences of ${mean} tokens, longest ${longest}, medians of ${ROUNDS}`);
// The order matters: the compiler makes the recursion faster while it has seen one semiring only.
measure("decoding only, as a parser does", ["textbook CKY", "decode"]);
measure("all in one process", Object.keys(work));
