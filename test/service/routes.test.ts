/** Each route of a running service; its answers are the library's. */

import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { spanIndex, spanMarginals } from "../../src/chart/index.js";
import { loadParser, type Parser, sentencesFromText } from "../../src/index.js";
import { toParseRecord } from "../../src/parser/parse-record.js";
import { readSentence } from "../../src/runs/line-sentences.js";
import { bracken, ROOT } from "../cli/run.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { get, post, type Served, serve } from "./serving.js";

const folder = temporaryFolder();
const GOLD = join(ROOT, "test/fixtures/gold.mrg");
let [model, other] = ["", ""];
let parser: Parser;
let service: Served;
const parse = (body: unknown, headers = {}) => post(`${service.url}v1/parse`, body, headers);

beforeAll(async () => {
  model = await writeTinyModel(join(folder, "one"));
  // Another folder name, and other trees.
  other = (await writeTinyModel(join(folder, "two"), { layers: 1 })).replace(/model$/, "");
  parser = await loadParser(model, { threads: 1, workers: 0 });
  service = await serve(model);
});

describe("POST /v1/parse", () => {
  const text = "The old man sat by the door. A red dog ran, and the man ran. Yes.";

  test("a text gives the records of its sentences", async () => {
    const { status, body } = await parse({ text });
    const expected = (await parser.parseText(text)).sentences.map((each) => toParseRecord(each));
    expect(status).toBe(200);
    expect(body).toEqual({ model: "model", language: "en", supported: true, sentences: expected });
    expect(expected).toHaveLength(3);
  });

  test("options are those of the library", async () => {
    const inputs = sentencesFromText(text);
    const many = [
      { scores: true },
      { marginals: true, scores: true },
      { kBest: 3, scores: true },
      { decoding: "risk" } as const,
      { threshold: 0.5, marginals: true },
      { maxTokens: 5, scores: true },
    ];
    // At the same time, so that they share rounds.
    const answers = await Promise.all(many.map((options) => parse({ text, options })));
    for (const [index, options] of many.entries()) {
      const { scores: _, ...parseOptions } = { scores: false, ...options };
      const parses = await parser.parseSentences(inputs, parseOptions);
      const records = parses.map((each) => toParseRecord(each, options));
      const expected = JSON.parse(JSON.stringify(records));
      expect(answers[index]?.body.sentences).toEqual(expected);
    }
  });

  test("tokens, lines and sentences with tags and constraints", async () => {
    const tokens = ["the", "old", "dog", "ran", "."];
    const one = await parse({ tokens });
    expect(one.body.sentences).toEqual([toParseRecord(await parser.parseWords(tokens))]);

    const lines = ["the dog ran", "", "a. b. c."];
    const { body } = await parse({ lines });
    const [first, last] = await parser.parseSentences([
      readSentence("the dog ran"),
      readSentence("a. b. c."),
    ]);
    expect(body.sentences).toEqual([
      toParseRecord(first as never),
      { error: "an empty line" },
      toParseRecord(last as never),
    ]);

    const tags = ["DT", "JJ", null, "VBD", "."];
    const constrained = await parse({
      sentences: [
        { tokens, tags, required: [[1, 4]], forbidden: [[1, 3]] },
        { text: "the dog ran", required: [[0, 2]] },
        {
          tokens,
          required: [
            [0, 2],
            [1, 3],
          ],
        },
        { tokens, tags: ["DT"] },
        { tokens: [] },
        { tokens, forbidden: [[0, 9]] },
      ],
    });
    const [free, second, ...problems] = constrained.body.sentences;
    expect(free.tags).toEqual(tags);
    const has = (record: typeof free, begin: number, end: number) =>
      record.spans.some((span: typeof free) => span.begin === begin && span.end === end);
    expect([has(free, 1, 4), has(free, 1, 3), has(second, 0, 2)]).toEqual([true, false, true]);
    expect(problems.map(({ error }: { error: string }) => error)).toEqual([
      expect.stringContaining("cross"),
      "there are 1 tags for 5 tokens",
      '"tokens" is empty',
      expect.any(String),
    ]);
  });

  test("the chart has all scores and, under the constraints, all probabilities", async () => {
    const tokens = ["the", "old", "dog", "ran", "by", "a", "door"];
    const options = { chart: true, scores: true, marginals: true };
    const { body } = await parse({ sentences: [{ tokens, required: [[1, 3]] }], options });
    const [{ chart, spans }] = body.sentences;
    const floats = (base64: string) =>
      new Float32Array(new Uint8Array(Buffer.from(base64, "base64")).buffer);
    const [scores, marginals] = [floats(chart.scores), floats(chart.marginals)];
    expect([chart.size, scores.length, marginals.length]).toEqual([7, 49, 49]);
    for (const { begin, end, score, marginal } of spans) {
      expect(scores[spanIndex(7, begin, end)]).toBeCloseTo(score, 5);
      expect(marginals[spanIndex(7, begin, end)]).toBeCloseTo(marginal, 5);
    }
    expect(marginals[spanIndex(7, 1, 3)]).toBeCloseTo(1);
    expect(marginals[spanIndex(7, 2, 4)]).toBe(0);
    const free = spanMarginals(scores, 7).marginals;
    expect(free[spanIndex(7, 2, 4)]).toBeGreaterThan(0);

    const long = await parse({ tokens: Array(201).fill("dog"), options });
    expect(long.body.sentences[0].chart).toBe(null);
    const many = await parse({ lines: Array(33).fill("a dog"), options });
    expect([many.status, many.body.error.code]).toEqual([413, "too_many_sentences"]);
  });

  test("NDJSON, by header or by query, in order", async () => {
    const lines = Array.from({ length: 300 }, (_, at) => "dog ".repeat(1 + ((at * 7) % 23)) + at);
    lines[5] = " ";
    const whole = await parse({ lines });
    for (const [query, headers] of [
      ["", { accept: "application/x-ndjson" }],
      ["?stream=1", {}],
    ] as const) {
      const answer = await post(`${service.url}v1/parse${query}`, { lines }, headers);
      expect(answer.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
      const records = answer.body
        .trimEnd()
        .split("\n")
        .map((line: string) => JSON.parse(line));
      expect(records).toEqual(whole.body.sentences);
    }
    expect((await parse({ text: "  " }, { accept: "application/x-ndjson" })).body).toBe("");
    expect((await parse({ text: "" })).body).toEqual({ model: "model", sentences: [] });
  });

  test("long texts go another way and come out the same", async () => {
    const long = `${text} `.repeat(200);
    const { body } = await parse({ text: long });
    const expected = (await parser.parseText(long)).sentences.map((each) => toParseRecord(each));
    expect(body.sentences).toEqual(expected);
  });

  test("text and lines are split by the rules of the model's language", async () => {
    const german = await writeTinyModel(join(folder, "german"), { language: "de" });
    const { url } = await serve(german);
    const line = "Am 3. Mai Opa's Fest.";
    const words = async (body: unknown): Promise<string[][]> =>
      (await post(`${url}v1/parse`, body)).body.sentences.map(
        ({ tokens }: { tokens: string[] }) => tokens,
      );
    const tokens = ["Am", "3.", "Mai", "Opa's", "Fest", "."];
    expect(await words({ text: line })).toEqual([tokens]);
    expect(await words({ lines: [line] })).toEqual([tokens]);
    // Long texts are read in a worker.
    expect(await words({ text: Array(300).fill(line).join(" ") })).toEqual(Array(300).fill(tokens));
    const { body } = await get(`${url}v1/models`);
    expect(body.models).toMatchObject([{ name: "model", language: "de" }]);
  });

  test("several models", async () => {
    renameSync(join(other, "model"), join(other, "small"));
    const both = await serve(model, "--model", join(other, "small"));
    const url = `${both.url}v1/parse`;
    const [first, named, small, none] = await Promise.all([
      post(url, { text, options: { scores: true } }),
      post(url, { text, model: "model", options: { scores: true } }),
      post(url, { text, model: "small", options: { scores: true } }),
      post(url, { text, model: "default" }),
    ]);
    expect(named.body).toEqual(first.body);
    expect(small.body.model).toBe("small");
    expect(small.body.sentences).not.toEqual(first.body.sentences);
    expect([none.status, none.body.error.code]).toEqual([400, "unknown_model"]);
    const { body } = await get(`${both.url}v1/models`);
    expect(body.default).toBe("model");
    expect(body.models.map(({ name }: { name: string }) => name)).toEqual(["model", "small"]);
    expect(body.models[1]).toMatchObject({ layers: 1, width: 16 });
  });
});

describe("POST /v1/evaluate", () => {
  const gold = readFileSync(GOLD, "utf8");
  const evaluate = (body: unknown) => post(`${service.url}v1/evaluate`, body);

  test.each(["kim", "kim-nofull", "nob"])("equals bracken evaluate under %s", async (protocol) => {
    const command = ["evaluate", GOLD, "--json", "--labels", "--by-length", "-p", protocol];
    const byModel = await bracken([...command, "--model", model]);
    const body = { gold, protocol, labels: true, byLength: true };
    expect((await evaluate({ ...body, model: "model" })).body).toEqual(JSON.parse(byModel.stdout));
    const right = await bracken(["baseline", "right", GOLD]);
    const file = join(folder, "right.txt");
    writeFileSync(file, right.stdout);
    const byTrees = await bracken([...command, file]);
    const { body: report } = await evaluate({ ...body, predicted: right.stdout });
    expect(report).toEqual(JSON.parse(byTrees.stdout));
  });

  test.each(["nob", "evalb"])(
    "labelled scores equal bracken evaluate under %s",
    async (protocol) => {
      const predicted = gold.replaceAll("(NP ", "(VP ");
      const file = join(folder, "labelled.txt");
      writeFileSync(file, predicted);
      const flags = [
        "--labelled",
        "--one-word",
        "--labels",
        "--by-length",
        "--json",
        "-p",
        protocol,
      ];
      const { stdout } = await bracken(["evaluate", GOLD, file, ...flags]);
      const options = { protocol, labelled: true, oneWord: true, labels: true, byLength: true };
      const { body } = await evaluate({ gold, predicted, ...options });
      expect(body).toEqual(JSON.parse(stdout));
      const nameless = await evaluate({ gold, model: "model", ...options });
      expect(nameless.body.error?.message).toContain("no labels to compare");
    },
  );

  test("trees that cannot be read or do not fit are told", async () => {
    const cases = [
      [{ gold: "(S (NN a)", predicted: "(S (NN a))" }, /gold:1:1: this bracket is never closed/],
      [{ gold: "(S (NN a) (NN b))", predicted: "" }, /ends after 0 trees/],
      [{ gold: "(S (NN a) (NN b))", predicted: "(S (NN a) (NN c))" }, /differs/],
      [{ gold: "(NN a)", model: "model" }, /two words/],
      [{ gold: "", model: "model" }, /none of the 0/],
    ] as const;
    for (const [body, message] of cases) {
      const answer = await evaluate(body);
      expect([answer.status, answer.body.error?.code]).toEqual([400, "invalid_trees"]);
      expect(answer.body.error.message).toMatch(message);
    }
    const long = `(S ${"(NN a) ".repeat(401)})`;
    const { status, body } = await evaluate({ gold: long, model: "model" });
    expect([status, body.error.message]).toEqual([413, expect.stringContaining("401 words")]);
  });
});

describe("the other routes", () => {
  test("GET /healthz and /v1/models", async () => {
    expect((await get(`${service.url}healthz`)).body).toEqual({
      status: "ok",
      models: ["model"],
      waiting: { sentences: 0, words: 0 },
    });
    const { files } = JSON.parse(readFileSync(join(model, "manifest.json"), "utf8"));
    const { body } = await get(`${service.url}v1/models`);
    for (const { name, bytes, sha256, url } of body.models[0].files) {
      expect({ bytes, sha256 }).toEqual(files[name]);
      const file = await fetch(new URL(url, service.url));
      const received = Buffer.from(await file.arrayBuffer());
      expect(received.equals(readFileSync(join(model, name)))).toBe(true);
    }
    expect(body.models[0].files).toHaveLength(4);
  });

  test("GET /metrics counts what was done", async () => {
    const value = (text: string, name: string) =>
      Number(
        text
          .split("\n")
          .find((line) => line.startsWith(`${name} `))
          ?.split(" ")
          .at(-1) ?? 0,
      );
    const before = (await get(`${service.url}metrics`)).body;
    await parse({ lines: ["a dog ran", "the man sat", ""] });
    let after = await get(`${service.url}metrics`);
    const grown = (name: string) => value(after.body, name) - value(before, name);
    // An answer is counted when it is out.
    const look = async () => {
      after = await get(`${service.url}metrics`);
      return grown("bracken_round_sentences_sum");
    };
    await expect.poll(look).toBe(2);
    expect(after.headers.get("content-type")).toContain("text/plain");
    const labels = 'method="POST",route="/v1/parse"';
    expect(grown(`bracken_requests_total{${labels},status="200"}`)).toBe(1);
    expect(grown(`bracken_request_seconds_count{${labels}}`)).toBe(1);
    expect(grown('bracken_sentences_total{model="model",outcome="tree"}')).toBe(2);
    expect(grown('bracken_words_total{model="model"}')).toBe(6);
    expect(value(after.body, "bracken_queue_words")).toBe(0);
    expect(value(after.body, "bracken_connections")).toBeGreaterThan(0);
  });

  test("request ids: sane ones are kept, others made, and all are logged", async () => {
    const kept = await get(`${service.url}healthz`, {
      headers: { "x-request-id": "Mine.1:2_3-4" },
    });
    expect(kept.headers.get("x-request-id")).toBe("Mine.1:2_3-4");
    for (const odd of ["a b", "x".repeat(200), 'q"uote', ""]) {
      const made = await get(`${service.url}nothing`, { headers: { "x-request-id": odd } });
      const id = made.headers.get("x-request-id");
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
      expect(made.body.error.requestId).toBe(id);
    }
    expect(service.log()).toContainEqual(
      expect.objectContaining({ requestId: "Mine.1:2_3-4", path: "/healthz", status: 200 }),
    );
    expect(service.complaints()).toEqual([]);
  });
});
