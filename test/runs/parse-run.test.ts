/** Runs over inputs: shards and runs taken up again give the same as one run over all. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadParser } from "../../src/parser/load-parser.js";
import type { Parser } from "../../src/parser/parser.js";
import type { SentenceInput } from "../../src/parser/sentence.js";
import type { InputFormat, RunInput } from "../../src/runs/inputs.js";
import { type Outcome, type ParseRun, runParser } from "../../src/runs/parse-run.js";
import { writeOutcome } from "../../src/runs/parse-writer.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { WORDS } from "../training/tiny-encoder.js";

const folder = temporaryFolder();
let parser: Parser;

beforeAll(async () => {
  parser = await loadParser(await writeTinyModel(folder), { threads: 1, workers: 0 });
});
afterAll(() => parser.close());

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

/** Sentences of all lengths, some of them nothing, so many that there is more than one window. */
const AIR = " ".repeat(200);
const sentences = Array.from({ length: 3000 }, (_, index) =>
  Array.from({ length: (index * 7) % 12 }, (_, at) => WORDS[(index + at) % 12] as string),
);
const texts = sentences.map((words) => words.join(" "));
const conllu = (words: readonly string[], index: number) =>
  [`# n = ${index}${AIR}`, ...words.map((word, at) => `${at + 1}\t${word}`), "", ""].join("\n");

const CONTENTS: Readonly<Record<InputFormat, string>> = {
  text: texts.map((text) => `${text}. No.\n${AIR}\n`).join(""),
  lines: texts.map((text) => `${text}${AIR}\n`).join(""),
  tokens: texts.map((text) => `${AIR}${text}\r\n`).join(""),
  jsonl: sentences.map((tokens) => `${JSON.stringify({ tokens })}${AIR}\n`).join(""),
  conllu: sentences.map(conllu).join(""),
  penn: texts.map((text) => (text === "" ? "\n" : `(S${AIR} ${text})\n`)).join(""),
};

const parse = (each: readonly SentenceInput[]) => parser.parseEach(each, {});

async function write(run: Partial<ParseRun> & Pick<ParseRun, "inputs">): Promise<string> {
  let text = "";
  for await (const { outcomes } of runParser({ parse, ...run })) text += show(outcomes);
  return text;
}

const show = (outcomes: readonly Outcome[]) =>
  outcomes.map((each) => writeOutcome(each, { format: "json", scores: true }).text).join("");

const INPUTS = Object.entries(CONTENTS).map(([format, content]): [string, RunInput[]] => [
  format,
  [{ name: file(format, content), format: format as InputFormat }],
]);
INPUTS.push([
  "several, one of them gzipped, and a text",
  [
    { name: file("lines.gz", gzipSync(CONTENTS.lines)), format: "lines" },
    { name: "The dog ran. A man sat.", text: "The dog ran. A man sat.", format: "text" },
    { name: join(folder, "penn"), format: "penn" },
  ],
]);

describe.each(INPUTS)("%s", (_, inputs) => {
  let whole: string;

  beforeAll(async () => {
    whole = await write({ inputs });
  });

  test.each([2, 7])("%i shards one after the other are the whole", async (of) => {
    const shards: string[] = [];
    for (let number = 1; number <= of; number++) {
      shards.push(await write({ inputs, shard: { number, of } }));
    }
    expect(shards.join("") === whole).toBe(true);
    expect(shards.filter((shard) => shard !== "").length).toBeGreaterThan(1);
  });

  test("taken up after any step, it goes on without loss or duplicate", async () => {
    const shard = { number: 2, of: 2 };
    const second = await write({ inputs, shard });
    let before = "";
    let steps = 0;
    for await (const { outcomes, done } of runParser({ inputs, parse, shard })) {
      before += show(outcomes);
      steps += 1;
      expect(before + (await write({ inputs, shard, done })) === second).toBe(true);
    }
    expect(steps).toBeGreaterThan(1);
  });
});
