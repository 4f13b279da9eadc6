/** The exported file in ONNX Runtime itself, without anything of ours around it. */

import fc from "fast-check";
import type { InferenceSession as Session } from "onnxruntime-common";
import { beforeAll, describe, expect, test } from "vitest";
import { makeBatch } from "../../src/encoder/batch.js";
import type { WordPieces } from "../../src/encoder/wordpiece.js";
import { exportModel } from "../../src/model/export-onnx.js";
import { ModelFolder } from "../../src/model/folder.js";
import { SpanModel } from "../../src/model/span-model.js";
import { InferenceSession, Tensor } from "../onnxruntime.js";
import { temporaryFolder } from "../temporary.js";
import { WORDS } from "../training/tiny-encoder.js";
import { TINY_LABELS, writeTinyModel } from "./tiny-model.js";

const folder = temporaryFolder();
const sentence = fc.array(fc.constantFrom(...WORDS, "unknown"), { minLength: 1, maxLength: 70 });

describe.each([
  ["top layer", {}],
  ["a mix of layers", { mix: true, layers: 1, scorer: { width: 5, slope: 0.3 } }],
])("%s", (_, options) => {
  let model: ModelFolder;
  let bytes: Uint8Array;

  beforeAll(async () => {
    model = await ModelFolder.open(await writeTinyModel(folder, options));
    bytes = await exportModel(model);
  });

  test.each(["all", "disabled"] as const)(
    "scores are the parser's (optimised: %s)",
    async (level) => {
      const session = await InferenceSession.create(bytes, { graphOptimizationLevel: level });
      const parser = await SpanModel.load(model, { threads: 1 });
      const wordPieces = await model.wordPieces();
      const property = async (sentences: string[][]) => {
        const { scores } = await session.run(inputsOf(sentences, model, wordPieces));
        const longest = Math.max(...sentences.map((words) => words.length));
        expect(scores?.dims).toEqual([sentences.length, longest, longest]);
        for await (const { index, scores: own } of parser.scores(sentences)) {
          const size = sentences[index]?.length as number;
          for (let at = 0; at < own.length; at++) {
            const [first, last] = [Math.floor(at / size), at % size];
            const theirs = scores?.data[(index * longest + first) * longest + last];
            expect(theirs).toBeCloseTo(own[at] as number, 4);
          }
        }
      };
      await fc.assert(
        fc.asyncProperty(fc.array(sentence, { minLength: 1, maxLength: 4 }), property),
        {
          numRuns: 10,
        },
      );
      await parser.close();
      await session.release();
    },
  );

  test("inputs and outputs are those that the documentation names, and no others", async () => {
    const session = await InferenceSession.create(bytes);
    const ports = (metadata: Session["inputMetadata"]) =>
      metadata.map((each) => [each.name, each.isTensor && each.type, each.isTensor && each.shape]);
    expect(ports(session.inputMetadata)).toEqual([
      ["ids", "int32", ["rows", "pieces"]],
      ["positions", "int32", ["rows", "pieces"]],
      ["types", "int32", ["rows", "pieces"]],
      ["seen", "float32", ["rows", "pieces"]],
      ["words", "int32", ["sentences", "words"]],
    ]);
    expect(ports(session.outputMetadata)).toEqual([
      ["scores", "float32", ["sentences", "words", "words"]],
    ]);
    expect(Buffer.from(bytes).includes("com.microsoft")).toBe(false);
    await session.release();
  });
});

test("a model that names phrases also gives the vectors of labels, as the parser has them", async () => {
  const model = await ModelFolder.open(await writeTinyModel(folder, { labels: TINY_LABELS }));
  const session = await InferenceSession.create(await exportModel(model));
  expect(session.outputNames).toEqual(["scores", "labels.left", "labels.right"]);
  const sentences = [WORDS.slice(0, 5), WORDS.slice(3, 6)];
  const outputs = await session.run(inputsOf(sentences, model, await model.wordPieces()));
  const parser = await SpanModel.load(model, { threads: 1 });
  const width = TINY_LABELS.classes.length * ((model.config.labels?.rank ?? 0) + 1);
  for await (const { index, labels } of parser.scores(sentences)) {
    for (const [name, own] of [
      ["labels.left", labels?.left],
      ["labels.right", labels?.right],
    ] as const) {
      expect(outputs[name]?.dims).toEqual([10, width]);
      expect(own).toHaveLength((sentences[index]?.length ?? 0) * width);
      for (const [at, value] of (own ?? []).entries()) {
        expect(outputs[name]?.data[index * 5 * width + at]).toBeCloseTo(value, 4);
      }
    }
  }
  await parser.close();
  await session.release();
});

function inputsOf(sentences: readonly string[][], model: ModelFolder, wordPieces: WordPieces) {
  const { feeds } = makeBatch(sentences, wordPieces, model.config.bert.maximumPieces);
  return {
    ids: new Tensor("int32", feeds.ids.data as Int32Array, feeds.ids.dims),
    positions: new Tensor("int32", feeds.positions.data as Int32Array, feeds.positions.dims),
    types: new Tensor("int32", feeds.types.data as Int32Array, feeds.types.dims),
    seen: new Tensor("float32", feeds.seen.data as Float32Array, feeds.seen.dims),
    words: new Tensor("int32", feeds.words.data as Int32Array, feeds.words.dims),
  };
}
