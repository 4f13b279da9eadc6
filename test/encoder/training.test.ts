import { join } from "node:path";
import { expect, test } from "vitest";
import { makeBatch } from "../../src/encoder/batch.js";
import { bert, declareInputs, declarePackedInputs, wordVectors } from "../../src/encoder/bert.js";
import { readConfig, readWordPieces } from "../../src/encoder/files.js";
import { packBatch } from "../../src/encoder/pack.js";
import { loadWeights } from "../../src/encoder/weights.js";
import { spanScores } from "../../src/model/span-scorer.js";
import { Tape } from "../../src/tensor/index.js";
import {
  clipScale,
  compileTraining,
  ParameterStore,
  TrainingSession,
} from "../../src/tensor/train.js";
import { MINILM, RECORDED } from "./minilm.js";

/** The starting values of the recording: a wave within Glorot's bound. */
function waves(values: Float32Array, [rows = 0, columns = 0]: readonly number[], pitch: number) {
  const bound = Math.sqrt(6 / (rows + columns));
  for (let i = 0; i < values.length; i++) values[i] = bound * Math.sin(pitch * (i + 1));
}

/** The mean squared distance of all scores from a fixed pattern, and its gradient. */
function patternLoss(scores: Float32Array, lengths: readonly number[], longest: number) {
  const count = lengths.reduce((sum, length) => sum + length ** 2, 0);
  const gradient = new Float32Array(scores.length);
  let loss = 0;
  for (const [sentence, length] of lengths.entries()) {
    for (let i = 0; i < length; i++) {
      for (let j = 0; j < length; j++) {
        const at = (sentence * longest + i) * longest + j;
        const gap = (scores[at] as number) - Math.cos(sentence + 2 * i + 3 * j);
        loss += gap ** 2 / count;
        gradient[at] = (2 * gap) / count;
      }
    }
  }
  return { loss, gradient };
}

async function prepare(packed: boolean) {
  const base = await readConfig(join(MINILM, "config.json"));
  const config = { ...base, hiddenDropout: 0, attentionDropout: 0 };
  const wordPieces = await readWordPieces(join(MINILM, "tokenizer.json"));
  const tape = new Tape({ training: true });
  const inputs = packed ? declarePackedInputs(tape, config) : declareInputs(tape);
  const words = wordVectors(tape, bert(tape, config, inputs), inputs);
  tape.output("scores", spanScores(tape, words, { dropout: 0 }));
  const program = compileTraining(tape);
  const store = new ParameterStore(program.parameters);
  const file = join(MINILM, "model.fp16.safetensors");
  await loadWeights(file, program.parameters, (name) => store.value(name));
  waves(store.value("scorer.left.weight"), [256, 384], 0.7);
  waves(store.value("scorer.right.weight"), [256, 384], 1.3);
  waves(store.value("scorer.matrix"), [257, 257], 1.9);
  const session = await TrainingSession.create(program, store);
  const sentences = RECORDED.sentences.map(({ words }) => words);
  const batch = makeBatch(sentences, wordPieces, config.maximumPieces);
  return { store, session, batch: packed ? packBatch(batch, config.heads) : batch };
}

function expectRecordedGradients(store: ParameterStore, total: number): void {
  const { gradients } = RECORDED.training;
  expect(store.parameters.map(({ name }) => name).sort()).toEqual(Object.keys(gradients).sort());
  for (const [name, { norm, at, is }] of Object.entries(gradients)) {
    const found = store.gradient(name);
    const largest = Math.max(...is.map(Math.abs));
    const foundNorm = Math.sqrt(found.reduce((sum, x) => sum + x * x, 0));
    // The bias of the keys has no influence, so its gradient is rounding error on both sides.
    const noise = 1e-7 * total;
    expect(Math.abs(foundNorm - norm), `norm of ${name}`).toBeLessThan(1e-3 * norm + noise);
    for (const [k, place] of at.entries()) {
      const gap = Math.abs((found[place] as number) - (is[k] as number));
      expect(gap, `${name}[${place}]`).toBeLessThan(1e-3 * largest + noise);
    }
  }
}

test.each([
  ["in padded batches", false],
  ["in packed batches", true],
])(
  "gradients and ten steps of Adam on MiniLM's weights agree with PyTorch %s",
  async (_, packed) => {
    const { store, session, batch } = await prepare(packed);
    const longest = batch.feeds.words.dims[1] as number;
    const { losses, norms, rate } = RECORDED.training;
    for (const [index, expected] of losses.entries()) {
      const { scores } = await session.forward(batch.feeds);
      const { loss, gradient } = patternLoss(scores?.data as Float32Array, batch.lengths, longest);
      await session.backward({ scores: gradient });
      const norm = store.gradientNorm();
      if (index === 0) expectRecordedGradients(store, norm);
      expect(Math.abs(loss / expected - 1), `loss ${index}`).toBeLessThan(1e-3);
      expect(Math.abs(norm / (norms[index] as number) - 1), `norm ${index}`).toBeLessThan(1e-3);
      const gradientScale = clipScale(norm, 1);
      store.adam({ step: index + 1, rate, gradientScale, epsilon: 1e-12 });
    }
    await session.release();
  },
);
