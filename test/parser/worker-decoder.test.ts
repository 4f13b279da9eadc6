/** Decoding in workers: what they throw arrives as it is, and closing settles what is under way. */

import { rm } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import type { InputError } from "../../src/errors.js";
import type { ModelFolder } from "../../src/model/folder.js";
import type { DecodeTask } from "../../src/parser/decoder.js";
import type { loadParser } from "../../src/parser/load-parser.js";
import type { WorkerDecoder } from "../../src/parser/worker-decoder.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";

interface Built {
  readonly WorkerDecoder: typeof WorkerDecoder;
  readonly ModelFolder: typeof ModelFolder;
  readonly InputError: typeof InputError;
  readonly loadParser: typeof loadParser;
}

// Workers run what is built, and errors are told apart by their classes: all is taken from there.
let built: Built;
let folder: ModelFolder;

beforeAll(async () => {
  const modules = ["parser/worker-decoder", "model/folder", "errors", "parser/load-parser"].map(
    (name) => import(`${new URL(`../../dist/${name}.js`, import.meta.url)}`),
  );
  built = Object.assign({}, ...(await Promise.all(modules)));
  folder = await built.ModelFolder.open(await writeTinyModel(temporaryFolder()));
});

const task = (options: DecodeTask["options"] = {}): DecodeTask => ({
  words: ["the", "old", "man", "sat"],
  options,
});
const tasks = (count: number) => Array.from({ length: count }, () => task());

test("an InputError thrown in a worker arrives as one, with its remedy", async () => {
  const decoder = await built.WorkerDecoder.start(2, [folder], { threads: 2 });
  const wrong = decoder.decode([...tasks(3000), task({ decoding: "phrases" })]);
  const error = await wrong.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(built.InputError);
  expect((error as InputError).remedy).toContain("--phrase-weight");
  // What was called off leaves the workers as they were.
  expect(await decoder.decode(tasks(5))).toHaveLength(5);
  await decoder.close();
});

test("a model that is gone when workers start is an InputError", async () => {
  const gone = await built.ModelFolder.open(await writeTinyModel(temporaryFolder()));
  await rm(gone.folder, { recursive: true });
  const starting = built.WorkerDecoder.start(2, [gone], {});
  await expect(starting).rejects.toThrow(built.InputError);
});

test("closing answers the calls under way and refuses later ones", async () => {
  const decoder = await built.WorkerDecoder.start(1, [folder], { threads: 1 });
  const underWay = [decoder.decode(tasks(4000)), decoder.decode(tasks(1))];
  const closed = [decoder.close(), decoder.close()];
  const late = decoder.decode(tasks(1));
  await expect(late).rejects.toThrow(built.InputError);
  await expect(late).rejects.toThrow("the parser is closed");
  expect((await Promise.all(underWay)).map(({ length }) => length)).toEqual([4000, 1]);
  await Promise.all(closed);
  await decoder.close();
});

test.each([0, 1, 2])("with %i workers: closing a parser answers what it is at", async (workers) => {
  const parser = await built.loadParser(folder.folder, { workers, threads: 1 });
  const sentences = tasks(3000).map(({ words }) => words);
  const underWay = parser.parseSentences(sentences);
  await parser.close();
  expect(await underWay).toHaveLength(3000);
});
