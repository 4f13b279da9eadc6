/** Parsers side by side: in worker threads, and several in one thread, each as if it were alone. */

import { Worker } from "node:worker_threads";
import { beforeAll, describe, expect, test } from "vitest";
import { loadParser } from "../../src/parser/load-parser.js";
import type { Parser } from "../../src/parser/parser.js";
import { toPenn } from "../../src/trees/penn-writer.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { WORDS } from "../training/tiny-encoder.js";

const folders = [temporaryFolder(), temporaryFolder()];
let models: string[];

beforeAll(async () => {
  models = [
    await writeTinyModel(folders[0] as string),
    await writeTinyModel(folders[1] as string, { layers: 1, mix: true, scorer: { width: 9 } }),
  ];
});

const sentences = Array.from({ length: 120 }, (_, index) =>
  Array.from({ length: 1 + ((index * 5) % 40) }, (_, at) => WORDS[(index * at) % 13] as string),
);

async function treesOf(parser: Parser, part = sentences): Promise<string[]> {
  return (await parser.parseSentences(part)).map(({ tree }) => toPenn(tree));
}

async function alone(model: string | undefined): Promise<string[]> {
  const parser = await loadParser(model, { threads: 1, workers: 0 });
  const trees = await treesOf(parser);
  await parser.close();
  return trees;
}

describe("together", () => {
  test("in two worker threads at once", async () => {
    const script = `
      import { parentPort, workerData } from "node:worker_threads";
      import { loadParser, toPenn } from "${new URL("../../dist/index.js", import.meta.url)}";
      const { model, sentences } = workerData;
      const parser = await loadParser(model, { threads: 1, workers: 0 });
      const parses = await parser.parseSentences(sentences);
      await parser.close();
      parentPort.postMessage(parses.map(({ tree }) => toPenn(tree)));
    `;
    const inThread = (model: string) =>
      new Promise<string[]>((resolve, reject) => {
        const url = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
        const worker = new Worker(url, { workerData: { model, sentences } });
        worker.once("message", resolve).once("error", reject);
      });
    const found = await Promise.all([...models, ...models].map(inThread));
    const [first, second] = [await alone(models[0]), await alone(models[1])];
    expect(found).toEqual([first, second, first, second]);
    expect(first).not.toEqual(second);
  });

  test("two models in one thread, their calls interleaved", async () => {
    const parsers = await Promise.all(
      models.map((model) => loadParser(model, { threads: 1, workers: 0 })),
    );
    const expected = await Promise.all(models.map(alone));
    const calls = Array.from({ length: 6 }, (_, part) =>
      parsers.map((parser) => treesOf(parser, sentences.slice(part * 20, part * 20 + 20))),
    );
    const parts = await Promise.all(calls.map((pair) => Promise.all(pair)));
    for (const [index, trees] of expected.entries()) {
      expect(parts.flatMap((pair) => pair[index] as string[])).toEqual(trees);
    }
    await parsers[0]?.close();
    // What is left goes on when another ends.
    expect(await treesOf(parsers[1] as Parser)).toEqual(expected[1]);
    await parsers[1]?.close();
  });

  test("streams from one parser, read in turns", async () => {
    const parser = await loadParser(models[0], { threads: 1, workers: 0 });
    const stream = async function* () {
      yield* sentences;
    };
    const [first, second] = [parser.parseStream(stream()), parser.parseStream(stream())];
    const expected = await treesOf(parser);
    for (const tree of expected) {
      for (const each of [first, second]) {
        const { value } = await each.next();
        expect(toPenn(value.tree)).toBe(tree);
      }
    }
    await parser.close();
  });
});
