/**
 * A sentence's scores do not depend on what else is parsed: the same bits alone, in any batch, in any
 * order and with any number of threads, in both precisions.
 */

import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PRECISIONS, type Precision } from "../../src/model/config.js";
import { findModel } from "../../src/model/find-model.js";
import { ModelFolder } from "../../src/model/folder.js";
import { type SentenceScores, SpanModel } from "../../src/model/span-model.js";
import { Random } from "../../src/random.js";
import { tokenise } from "../../src/text/index.js";
import { readTreebank } from "../../src/treebanks/index.js";
import { leaves } from "../../src/trees/index.js";
import { dataPath, describeWithData } from "../data.js";
import { temporaryFolder } from "../temporary.js";
import { WORDS } from "../training/tiny-encoder.js";
import { writeTinyModel } from "./tiny-model.js";

type Sentence = readonly string[];

/** The same model with one thread and with two. */
async function openTwice(folder: string, precision: Precision): Promise<[SpanModel, SpanModel]> {
  const opened = await ModelFolder.open(folder);
  const open = (threads: number) => SpanModel.load(opened, { precision, threads });
  return [await open(1), await open(2)];
}

/** The scores' bits, by the sentences' order. */
async function bitsOf(model: SpanModel, sentences: readonly Sentence[]): Promise<string[]> {
  const all = new Array<string>(sentences.length);
  for await (const { index, scores } of model.scores(sentences)) {
    all[index] = Buffer.from(scores.buffer).toString("base64");
  }
  return all;
}

/** The bits of scores and label factors that are read while their memory is lent, from two calls that take turns. */
async function bitsOfTwoCalls(
  model: SpanModel,
  sentences: readonly Sentence[],
): Promise<[string[], string[]]> {
  const calls = [model.passingScores(sentences), model.passingScores(sentences)] as const;
  const found: [string[], string[]] = [[], []];
  for (let ended = 0; ended < 2; ) {
    ended = 0;
    const items = await Promise.all(calls.map((call) => call.next()));
    for (const [at, { done, value }] of items.entries()) {
      if (done) ended += 1;
      else (found[at] as string[])[value.index] = textOf(value);
    }
  }
  return found;
}

function textOf({ scores, labels }: SentenceScores): string {
  return [scores, labels?.left, labels?.right].join(";");
}

async function bitsAlone(model: SpanModel, sentences: readonly Sentence[]): Promise<string[]> {
  const all: string[] = [];
  for (const words of sentences) all.push(...(await bitsOf(model, [words])));
  return all;
}

/** How many sentences have other scores in a batch, in another order or with another thread. */
async function countDifferences(
  [one, two]: readonly [SpanModel, SpanModel],
  sentences: readonly Sentence[],
) {
  const random = new Random(1);
  const places = sentences.map((_, index) => ({ index, at: random.unit() }));
  const shuffled = places.sort((a, b) => a.at - b.at).map(({ index }) => index);
  const alone = await bitsAlone(one, sentences);
  const inOtherOrder = await bitsOf(
    one,
    shuffled.map((index) => sentences[index] as Sentence),
  );
  const differ = (other: readonly string[], order = [...sentences.keys()]) =>
    order.filter((index, at) => alone[index] !== other[at]).length;
  return {
    inBatches: differ(await bitsOf(one, sentences)),
    inOtherOrder: differ(inOtherOrder, shuffled),
    withTwoThreads: differ(await bitsOf(two, sentences)),
    aloneWithTwoThreads: differ(await bitsAlone(two, sentences)),
  };
}

const SAME = { inBatches: 0, inOtherOrder: 0, withTwoThreads: 0, aloneWithTwoThreads: 0 };

describe.each(PRECISIONS)("scores in %s", (precision) => {
  let models: [SpanModel, SpanModel];

  beforeAll(async () => {
    models = await openTwice(await writeTinyModel(temporaryFolder()), precision);
  });

  afterAll(async () => {
    for (const model of models) await model.close();
  });

  test("are the same for any sentences, those longer than the model sees included", async () => {
    const sentence = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 70 });
    const sentences = fc.array(sentence, { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(sentences, async (all) => {
        expect(await countDifferences(models, all)).toEqual(SAME);
      }),
      { numRuns: 40 },
    );
  });

  test("are the same when two calls take turns in the same memory", async () => {
    const [model] = models;
    const sentences = [3, 7, 1, 7, 12, 3].map((size, at) =>
      Array.from({ length: size }, (_, word) => WORDS[(at + word) % WORDS.length] as string),
    );
    const expected: string[] = [];
    for await (const scored of model.scores(sentences)) expected[scored.index] = textOf(scored);
    expect(await bitsOfTwoCalls(model, sentences)).toEqual([expected, expected]);
  });
});

describe.each(PRECISIONS)("the bundled model in %s", (precision) => {
  test("scores 50 sentences the same", async () => {
    const text = readFileSync(new URL("../fixtures/sentences.txt", import.meta.url), "utf8");
    const sentences = text
      .trim()
      .split("\n")
      .map((line) => tokenise(line).map(({ text }) => text));
    expect(sentences).toHaveLength(50);
    await expectSame(precision, [...sentences, ["Yes"], ["No", "."]]);
  });
});

const WSJ = "treebanks/wsj-sample-0001-0099";

describeWithData(WSJ, "500 sentences of the Wall Street Journal", () => {
  test.each(PRECISIONS)("are scored the same in %s", { timeout: 600_000 }, async (precision) => {
    const sentences: Sentence[] = [];
    for await (const { tree } of readTreebank(dataPath(WSJ))) {
      sentences.push(leaves(tree).map(({ word }) => word));
    }
    await expectSame(precision, sentences.slice(0, 500));
  });
});

async function expectSame(precision: Precision, sentences: readonly Sentence[]): Promise<void> {
  const models = await openTwice(await findModel("default"), precision);
  try {
    expect(await countDifferences(models, sentences)).toEqual(SAME);
  } finally {
    for (const model of models) await model.close();
  }
}
