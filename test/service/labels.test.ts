/** Names for phrases over HTTP: in trees, in charts, and phrases by name. */

import { renameSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { spanIndex } from "../../src/chart/index.js";
import { loadParser, type Parser } from "../../src/index.js";
import { toParseRecord } from "../../src/parser/parse-record.js";
import { bracken, ROOT } from "../cli/run.js";
import { TINY_LABELS, writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { get, post, type Served, serve } from "./serving.js";

const TEXT = "The old man sat by the door. A red dog ran, and the man ran. Yes.";
const GOLD = join(ROOT, "test/fixtures/gold.mrg");

const folder = temporaryFolder();
const named = join(folder, "named");
let parser: Parser;
let service: Served;

beforeAll(async () => {
  const labels = TINY_LABELS;
  renameSync(await writeTinyModel(folder, { labels, decoding: "phrases" }), named);
  const plain = await writeTinyModel(folder);
  parser = await loadParser(named, { threads: 1, workers: 0 });
  service = await serve(named, "--model", plain);
});
afterAll(() => parser.close());

const ask = (route: string, body: unknown) => post(`${service.url}v1/${route}`, body);

interface Span {
  readonly begin: number;
  readonly end: number;
  readonly label: string;
}

describe("POST /v1/parse", () => {
  test("records have labels, one-word phrases, chains and heads, as the library's have", async () => {
    const options = { marginals: true, scores: true };
    const { body } = await ask("parse", { text: TEXT, options });
    const parses = await parser.parseText(TEXT, { marginals: true });
    const expected = parses.sentences.map((each) => toParseRecord(each, options));
    expect(body.sentences).toEqual(JSON.parse(JSON.stringify(expected)));
    const spans: (Span & { head: number })[] = body.sentences.flatMap(
      (record: { spans: Span[] }) => record.spans,
    );
    expect(spans.some(({ begin, end }) => end - begin === 1)).toBe(true);
    expect(
      spans.some(({ begin, end, label }, at) => {
        const next = spans[at + 1];
        return label === "S" && next?.label === "VP" && next.begin === begin && next.end === end;
      }),
    ).toBe(true);
    for (const { begin, end, label, head } of spans) {
      expect(["NP", "VP", "PP", "S"]).toContain(label);
      expect(head >= begin && head < end).toBe(true);
    }
  });

  test("oneWord leaves out phrases of one word", async () => {
    const { body } = await ask("parse", { text: TEXT, options: { oneWord: false } });
    const parses = await parser.parseText(TEXT, { oneWord: false });
    expect(body.sentences).toEqual(parses.sentences.map((each) => toParseRecord(each)));
    for (const { spans } of body.sentences) {
      expect(spans.every(({ begin, end }: Span) => end - begin > 1)).toBe(true);
    }
  });

  test("the chart has the most probable label of every span", async () => {
    const tokens = ["the", "old", "dog", "ran", "by", "a", "door"];
    const options = { chart: true, marginals: true };
    const { body } = await ask("parse", { tokens, options });
    const [{ chart, spans }] = body.sentences;
    const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, "base64")).buffer;
    const best = new Uint16Array(bytes(chart.labels.best));
    const probabilities = new Float32Array(bytes(chart.labels.probabilities));
    expect([best.length, probabilities.length]).toEqual([49, 49]);
    expect(chart.labels.classes).toEqual(TINY_LABELS.classes);
    for (const { begin, end, label, labelProbability } of spans) {
      const at = spanIndex(7, begin, end);
      expect(chart.labels.classes[best[at] as number].split("+")).toContain(label);
      expect(probabilities[at]).toBeCloseTo(labelProbability, 6);
    }
    const isPhrase = (word: number) =>
      spans.some(({ begin, end }: Span) => begin === word && end === word + 1);
    for (const word of tokens.keys()) {
      expect(best[spanIndex(7, word, word + 1)] !== 0).toBe(isPhrase(word));
    }
    const unnamed = await ask("parse", { tokens, options, model: "model" });
    expect(unnamed.body.sentences[0].chart.labels).toBeUndefined();
  });
});

describe("POST /v1/phrases", () => {
  test("gives the phrases that the library gives, by sentence", async () => {
    const document = await parser.parseText(TEXT, { marginals: true });
    const cases = [
      [undefined, undefined],
      [["NP"], "all"],
      [["NP", "VP"], "maximal"],
      [["VP", "S", "NP"], "minimal"],
    ] as const;
    for (const [labels, nesting] of cases) {
      const { status, body } = await ask("phrases", { text: TEXT, labels, nesting });
      expect([status, body.model, body.sentences.length]).toEqual([200, "named", 3]);
      const found = body.sentences.flatMap(({ phrases }: { phrases: object[] }, sentence: number) =>
        phrases.map((phrase) => ({ ...phrase, sentence })),
      );
      expect(found).toEqual(document.phrases(labels, { nesting }));
      for (const { text, begin, end } of found) expect(TEXT.slice(begin, end)).toBe(text);
    }
  });

  test("options of the parse", async () => {
    const options = { oneWord: false, threshold: 0.5 };
    const count = async (body: object) =>
      (await ask("phrases", { text: TEXT, ...body })).body.sentences.flatMap(
        ({ phrases }: { phrases: object[] }) => phrases,
      ).length;
    const document = await parser.parseText(TEXT, { ...options, marginals: true });
    expect(await count({ options })).toBe(document.phrases().length);
    expect(await count({ options })).toBeLessThan(await count({}));
  });

  test("of words, of lines, line by line; what cannot be parsed keeps its place", async () => {
    const lines = ["the dog ran by", "", "the man sat on the old bench"];
    const options = { maxTokens: 5 };
    const whole = (await ask("phrases", { lines, options })).body.sentences;
    expect(whole[0].phrases[0]).toMatchObject({ text: "the dog ran by", begin: 0, end: 14 });
    expect(whole.slice(1)).toEqual([
      { error: "an empty line" },
      { phrases: [], fallback: "over 5 words: not parsed" },
    ]);
    const stream = await ask("phrases?stream=1", { lines, options });
    expect(stream.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
    expect(
      stream.body
        .trimEnd()
        .split("\n")
        .map((line: string) => JSON.parse(line)),
    ).toEqual(whole);
    const words = await ask("phrases", { tokens: lines[0]?.split(" ") });
    expect(words.body.sentences[0].phrases[0]).toMatchObject({ begin: 0, end: 4, words: [0, 4] });
  });

  test("a label that the model does not have, and a model without labels", async () => {
    const { status, body } = await ask("phrases", { text: TEXT, labels: ["NP", "XP"] });
    expect([status, body.error.code]).toEqual([400, "unknown_label"]);
    expect(body.error.message).toBe(
      'the model named has no label "XP"; its labels are NP, VP, S, PP',
    );
    const unnamed = await ask("phrases", { text: TEXT, model: "model" });
    expect([unnamed.status, unnamed.body.error.code]).toEqual([400, "no_labels"]);
    expect(unnamed.body.error.message).toBe(
      "the model model does not name phrases; models that do: named",
    );
    const empty = await ask("phrases", { text: TEXT, labels: [] });
    expect([empty.status, empty.body.error.code]).toEqual([400, "invalid_request"]);
  });
});

test("GET /v1/models tells the labels", async () => {
  const { body } = await get(`${service.url}v1/models`);
  expect(body.models).toMatchObject([
    { name: "named", labels: ["NP", "VP", "S", "PP"] },
    { name: "model", labels: [] },
  ]);
});

test("POST /v1/evaluate compares the labels of a model as bracken evaluate does", async () => {
  const gold = (await bracken(["convert", GOLD])).stdout;
  const flags = ["--labelled", "--one-word", "--json", "-p", "nob"];
  const { stdout } = await bracken(["evaluate", GOLD, "--model", named, ...flags]);
  const options = { protocol: "nob", labelled: true, oneWord: true };
  const { body } = await ask("evaluate", { gold, model: "named", ...options });
  expect(body).toEqual(JSON.parse(stdout));
  expect(body.labelled.predicted).toBeGreaterThan(0);
});
