/** In 8 bits too, command, library and busy service give a sentence the same scores. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { loadParser } from "../../src/parser/load-parser.js";
import { toParseRecord } from "../../src/parser/parse-record.js";
import { bracken } from "../cli/run.js";
import { temporaryFolder } from "../temporary.js";
import { post, serve } from "./serving.js";

const LINES = readFileSync(new URL("../fixtures/sentences.txt", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => line.replace(/([.,?!])/g, " $1"));

/** Each sentence's spans and scores, parsed alone by the library. */
let alone: unknown[];

beforeAll(async () => {
  await using parser = await loadParser("default", { precision: "int8", workers: 0, threads: 1 });
  alone = [];
  for (const line of LINES) {
    const parse = await parser.parseWords(line.split(" "));
    alone.push(spansOf(toParseRecord(parse, { scores: true })));
  }
});

function spansOf({ spans, score }: { spans: unknown; score?: unknown }): unknown {
  return JSON.parse(JSON.stringify({ spans, score }));
}

test("the command, all at once and with two threads", async () => {
  const file = join(temporaryFolder(), "sentences.txt");
  writeFileSync(file, `${LINES.join("\n")}\n`);
  const { stdout, code } = await bracken([
    ...["parse", "--tokens", file, "--precision", "int8", "--threads", "2"],
    ...["--format", "json", "--scores"],
  ]);
  expect(code).toBe(0);
  expect(
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => spansOf(JSON.parse(line))),
  ).toEqual(alone);
});

test("the service, asked for all of them at the same time, each twice", async () => {
  const { url } = await serve("default", "--precision", "int8", "--threads", "2");
  const answers = await Promise.all(
    [...LINES, ...LINES].map((line) =>
      post(`${url}v1/parse`, { tokens: line.split(" "), options: { scores: true } }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(answers.map(({ body }) => spansOf(body.sentences[0]))).toEqual([...alone, ...alone]);
});
