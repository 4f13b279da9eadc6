import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { makeBatch, type PieceBatch } from "../../src/encoder/batch.js";
import { type BertOptions, bert, declareInputs, wordVectors } from "../../src/encoder/bert.js";
import type { BertConfig } from "../../src/encoder/config.js";
import { readConfig, readWordPieces } from "../../src/encoder/files.js";
import { loadWeights } from "../../src/encoder/weights.js";
import type { WordPieces } from "../../src/encoder/wordpiece.js";
import { compileInference, InferenceRunner, type Result, Tape } from "../../src/tensor/index.js";
import { MINILM, RECORDED } from "./minilm.js";

let config: BertConfig;
let wordPieces: WordPieces;

beforeAll(async () => {
  config = await readConfig(join(MINILM, "config.json"));
  wordPieces = await readWordPieces(join(MINILM, "tokenizer.json"));
});

async function pieceVectors(batch: PieceBatch, options: BertOptions = {}): Promise<Result> {
  return (await run(batch, options)).pieces as Result;
}

async function run(batch: PieceBatch, options: BertOptions = {}): Promise<Record<string, Result>> {
  const tape = new Tape({ training: false });
  const inputs = declareInputs(tape);
  const pieces = bert(tape, config, inputs, options);
  tape.output("pieces", pieces);
  tape.output("words", wordVectors(tape, pieces, inputs));
  const weights = new Map(
    tape.parameters.map(({ name, shape, initial }) => {
      const size = shape.reduce((product, dim) => product * dim, 1);
      return [name, new Float32Array(size).fill(initial === "ones" ? 1 : 0)];
    }),
  );
  const weightOf = (name: string) => weights.get(name) as Float32Array;
  await loadWeights(join(MINILM, "model.fp16.safetensors"), tape.parameters, weightOf);
  const runner = await InferenceRunner.create(compileInference(tape, weightOf));
  const results = await runner.run(batch.feeds);
  await runner.release();
  return results;
}

function everyone(): PieceBatch {
  const sentences = RECORDED.sentences.map(({ words }) => words);
  return makeBatch(sentences, wordPieces, config.maximumPieces);
}

/** The mean of the vectors of a sentence's pieces. */
function mean({ data }: Result, batch: PieceBatch, sentence: number): number[] {
  const width = config.hiddenSize;
  const pieces = batch.feeds.ids.dims[1] as number;
  const count = RECORDED.sentences[sentence]?.ids.length as number;
  return Array.from({ length: width }, (_, i) => {
    let sum = 0;
    for (let p = 0; p < count; p++) sum += data[(sentence * pieces + p) * width + i] as number;
    return sum / count;
  });
}

function expectClose(found: ArrayLike<number>, expected: readonly number[], what: string): void {
  const worst = Math.max(...expected.map((value, i) => Math.abs(value - (found[i] as number))));
  expect(worst, what).toBeLessThan(1e-3);
}

describe("the forward pass on MiniLM's weights agrees with PyTorch", () => {
  test("in the pieces, and in the vectors of sentences and words", async () => {
    const batch = everyone();
    const pieces = batch.feeds.ids.dims[1] as number;
    const longest = batch.feeds.words.dims[1] as number;
    const vectors = await pieceVectors(batch);
    for (const [index, recorded] of RECORDED.sentences.entries()) {
      const { ids, words } = batch.feeds;
      const start = index * pieces;
      expect([...ids.data.slice(start, start + recorded.ids.length)]).toEqual(recorded.ids);
      const places = words.data.slice(index * longest, index * longest + recorded.words.length);
      expect(Array.from(places, (place) => place - start)).toEqual(recorded.last);
      expectClose(mean(vectors, batch, index), recorded.mean, recorded.words.join(" "));
      const last = (places.at(-1) as number) * config.hiddenSize;
      expectClose(vectors.data.subarray(last), recorded.lastWord, "the last word");
    }
  });

  test("in an inner layer", async () => {
    const batch = everyone();
    const vectors = await pieceVectors(batch, { layers: 3 });
    for (const [index, { thirdLayer }] of RECORDED.sentences.entries()) {
      expectClose(mean(vectors, batch, index), thirdLayer, `sentence ${index}`);
    }
  });

  test("in an even mix of all layers", async () => {
    const batch = everyone();
    const vectors = await pieceVectors(batch, { mix: true });
    for (const [index, { evenMix }] of RECORDED.sentences.entries()) {
      expectClose(mean(vectors, batch, index), evenMix, `sentence ${index}`);
    }
  });

  test("and refuses more layers than there are", async () => {
    await expect(pieceVectors(everyone(), { layers: 7 })).rejects.toThrow(/has 6 layers/);
  });
});

test("a sentence longer than BERT can see leaves the one beside it as it was", async () => {
  const { words: short, lastWord } = RECORDED.sentences[0] as (typeof RECORDED.sentences)[0];
  const long = Array.from({ length: 700 }, (_, i) => short[i % short.length] as string);
  const { words } = await run(makeBatch([long, short], wordPieces, config.maximumPieces));
  const data = words?.data as Float32Array;
  expect(words?.dims).toEqual([1400, config.hiddenSize]);
  expect(data.every(Number.isFinite)).toBe(true);
  expectClose(data.subarray((700 + short.length - 1) * config.hiddenSize), lastWord, "last word");
});
