// A training step beside PyTorch's on the same batches, one after the other: forward, loss and its
// trees, backward, clipping, Adam. Needs a data set of Bracketings, and PyTorch for the comparison
// (Debian: apt-get install python3-torch libopenblas0-openmp).
// Run: npm run build && npm run bench:train -- answers.jsonl [minilm|bert-base]

import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { createInterface } from "node:readline";
import { findEncoder, makeBatch, packBatch, readWordPieces } from "../dist/encoder/index.js";
import { newModelConfig } from "../dist/model/config.js";
import { modelTape, SCORES } from "../dist/model/graph.js";
import { Random } from "../dist/random.js";
import {
  clipScale,
  compileTraining,
  ParameterStore,
  TrainingSession,
} from "../dist/tensor/train.js";
import { readDataSet } from "../dist/training/examples.js";
import { Objective } from "../dist/training/objective.js";
import { Sampler } from "../dist/training/sampler.js";
import { PRESETS } from "../dist/training/settings.js";
import { torchEnvironment } from "./torch-environment.js";

const SIZES = {
  minilm: {
    hidden_size: 384,
    num_hidden_layers: 6,
    num_attention_heads: 12,
    intermediate_size: 1536,
  },
  "bert-base": {
    hidden_size: 768,
    num_hidden_layers: 12,
    num_attention_heads: 12,
    intermediate_size: 3072,
  },
};
const STEPS = { minilm: 40, "bert-base": 16 };
const WARM_UP = 4;
const threads = availableParallelism();

const [data, only] = process.argv.slice(2);
if (!data) {
  console.error("name a data set: npm run bench:train -- answers.jsonl [minilm|bert-base]");
  process.exit(2);
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** A PyTorch process that makes a step when asked; undefined where there is none. */
async function startTorch(config) {
  const script = new URL("train.py", import.meta.url).pathname;
  const env = torchEnvironment(threads);
  const child = spawn("/usr/bin/python3", [script], { env });
  let failed = false;
  child.on("error", () => (failed = true));
  child.stdin.on("error", () => (failed = true));
  child.stderr.on("data", (chunk) => process.stderr.write(chunk));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  child.stdin.write(`${JSON.stringify({ ...config, threads })}\n`);
  return {
    async step(batch) {
      if (failed) return undefined;
      child.stdin.write(`${JSON.stringify(batch)}\n`);
      const { done, value } = await lines.next();
      return done ? undefined : JSON.parse(value);
    },
    stop: () => child.kill(),
  };
}

function rows(flat, ...dims) {
  if (dims.length === 1) return Array.from(flat);
  const size = flat.length / dims[0];
  return Array.from({ length: dims[0] }, (_, i) =>
    rows(flat.subarray(i * size, (i + 1) * size), ...dims.slice(1)),
  );
}

async function measure(name) {
  const published = {
    model_type: "bert",
    hidden_act: "gelu",
    max_position_embeddings: 512,
    type_vocab_size: 2,
    vocab_size: 30522,
    ...SIZES[name],
  };
  const config = newModelConfig(published);
  const program = compileTraining(modelTape(config, { training: true, packed: true }));
  const store = new ParameterStore(program.parameters);
  store.initialise(new Random(1));
  const session = await TrainingSession.create(program, store, { threads });
  const wordPieces = await readWordPieces((await findEncoder()).tokenizer);
  const set = await readDataSet(data, { maxTokens: 100, validationShare: 0 });
  const sampler = new Sampler([set], 8, 1);
  const objective = new Objective(PRESETS.small);
  const random = new Random(2);
  const torch = await startTorch(published);
  const [ours, theirs, parts] = [[], [], { forward: [], trees: [], backward: [], optimiser: [] }];
  let [pieces, padded, peak] = [0, 0, 0];
  for (let step = 1; step <= STEPS[name] + WARM_UP; step++) {
    const examples = sampler.next();
    const started = performance.now();
    const batch = makeBatch(
      examples.map(({ words }) => words),
      wordPieces,
      512,
    );
    const longest = batch.feeds.words.dims[1];
    const { feeds } = packBatch(batch, config.bert.heads);
    const result = await session.forward(feeds, random);
    const afterForward = performance.now();
    const { gradients } = objective.compute(result, examples, longest);
    const afterTrees = performance.now();
    await session.backward(gradients);
    const afterBackward = performance.now();
    const gradientScale = clipScale(store.gradientNorm(), 1);
    store.adam({ step, rate: 1e-5, gradientScale, epsilon: 1e-12 });
    const ended = performance.now();
    const { ids, seen, words } = batch.feeds;
    const answer = await torch.step({
      ids: rows(ids.data, ...ids.dims),
      seen: rows(seen.data, ...seen.dims),
      words: rows(words.data, ...words.dims),
      gradient: rows(gradients[SCORES], examples.length, longest, longest),
    });
    if (step <= WARM_UP) continue;
    pieces += feeds.ids.dims[0];
    padded += ids.dims[0] * ids.dims[1];
    ours.push(ended - started);
    parts.forward.push(afterForward - started);
    parts.trees.push(afterTrees - afterForward);
    parts.backward.push(afterBackward - afterTrees);
    parts.optimiser.push(ended - afterBackward);
    if (answer) theirs.push(answer.ms);
    peak = answer?.peak ?? peak;
  }
  torch.stop();
  await session.release();
  console.log(
    `\n${name}: 8 sentences, ${Math.round(pieces / STEPS[name])} pieces a step (${Math.round(padded / STEPS[name])} with padding, which PyTorch computes), ${threads} threads, medians of ${STEPS[name]}`,
  );
  console.log(
    `  bracken  ${median(ours).toFixed(0)} ms: ${Object.entries(parts)
      .map(([part, times]) => `${part} ${median(times).toFixed(0)}`)
      .join(", ")}`,
  );
  if (theirs.length === 0)
    console.log("  PyTorch  not here: install python3-torch for the comparison");
  else
    console.log(
      `  PyTorch  ${median(theirs).toFixed(0)} ms without trees; bracken takes ${(median(ours) / median(theirs)).toFixed(2)} of its time`,
    );
  console.log(
    `  peak memory: bracken ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB${peak ? `, PyTorch ${peak.toFixed(0)} MB` : ""}`,
  );
}

for (const name of only ? [only] : Object.keys(SIZES)) await measure(name);
