/** What the service refuses, and how it says so. */

import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { bracken } from "../cli/run.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { startInProcess } from "./in-process.js";
import { type Answer, get, post, raw, type Served, serve } from "./serving.js";

const folder = temporaryFolder();
let model = "";
let service: Served;
const parse = (body: unknown, headers = {}) => post(`${service.url}v1/parse`, body, headers);

afterEach(() => {
  vi.useRealTimers();
});

beforeAll(async () => {
  model = await writeTinyModel(folder);
  service = await serve(
    model,
    ...["--max-body", "20k", "--max-sentences", "50", "--max-tokens", "1000"],
    ...["--max-words", "100", "--queue", "1000"],
  );
});

function expectError({ status, headers, body }: Answer, expected: number, code: string): void {
  expect([status, body.error?.code]).toEqual([expected, code]);
  expect(Object.keys(body)).toEqual(["error"]);
  expect(body.error.message).toMatch(/\w/);
  expect(body.error.requestId).toBe(headers.get("x-request-id"));
}

describe("too much", () => {
  test("a body that is too large, said so beforehand or not", async () => {
    expectError(await parse({ text: "a ".repeat(20_000) }), 413, "body_too_large");
    const chunk = `3e8\r\n${" ".repeat(1000)}\r\n`;
    const head = "POST /v1/parse HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
    const answer = await raw(
      service.port,
      `${head}transfer-encoding: chunked\r\n\r\n${chunk.repeat(30)}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect((await get(`${service.url}healthz`)).status).toBe(200);
  });

  test("too many sentences or words, with what the limit is", async () => {
    const many = await parse({ lines: Array(51).fill("a dog") });
    expectError(many, 413, "too_many_sentences");
    expect(many.body.error.message).toContain("a request may have at most 50");
    const split = await parse({ text: "A dog ran. ".repeat(51) });
    expectError(split, 413, "too_many_sentences");
    const words = await parse({ lines: Array(20).fill("dog ".repeat(51)) });
    expectError(words, 413, "too_many_tokens");
    expect(words.body.error.message).toContain("1020 words; a request may have at most 1000");
  });

  test("a long sentence gets a flat tree and says so; endless words are a problem", async () => {
    const tokens = Array<string>(101).fill("dog");
    const { body } = await parse({ tokens, options: { maxTokens: 5000 } });
    expect(body.sentences[0].fallback).toBe("over 100 words: not parsed");
    const wide = await parse({ sentences: [{ tokens: ["x".repeat(2001)] }, { tokens: ["x"] }] });
    expect(wide.body.sentences[0].error).toContain("2000 characters");
    expect(wide.body.sentences[1].tokens).toEqual(["x"]);
  });

  test("a full queue: 429 with Retry-After; what was accepted is answered", async () => {
    const { url, engine } = await startInProcess({ limits: { tokens: 900, queue: 1000 } });
    const body = { lines: Array(9).fill("dog ".repeat(100)) };
    engine.hold();
    const first = post(`${url}v1/parse`, body);
    await expect.poll(() => engine.tasks.length).toBe(9);
    // With the parser, and no longer waiting.
    const second = post(`${url}v1/parse`, body);
    const waiting = async () => (await get(`${url}healthz`)).body.waiting.sentences;
    await expect.poll(waiting).toBe(9);
    const refused = await post(`${url}v1/parse`, body);
    expectError(refused, 429, "too_busy");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    engine.release();
    for (const { status, body } of [await first, await second]) {
      expect([status, body.sentences.length]).toEqual([200, 9]);
    }
    expect((await post(`${url}v1/parse`, body)).status).toBe(200);
  });

  test("--max-words is the limit of a sentence, which a request may lower and not raise", async () => {
    const { url, engine } = await startInProcess({ limits: { words: 2000 } });
    const limitOf = async (options: object) => {
      await post(`${url}v1/parse`, { text: "A dog.", options });
      return engine.tasks.at(-1)?.options.maxTokens;
    };
    expect(await limitOf({})).toBe(2000);
    expect(await limitOf({ maxTokens: 50 })).toBe(50);
    expect(await limitOf({ maxTokens: 5000 })).toBe(2000);
  });
});

describe("time", () => {
  test("408 when it is up, and the sentences leave the queue", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { url, engine } = await startInProcess({ limits: { seconds: 1000 } });
    const lines = Array.from({ length: 300 }, (_, index) => `a dog ${index}`);
    /** Asks, lets some time pass until so many rounds have begun, then all of it. */
    const ask = async (path: string, rounds: number) => {
      const answer = post(`${url}${path}`, { lines });
      const before = engine.rounds;
      const begun = async () => {
        await vi.advanceTimersByTimeAsync(10);
        return engine.rounds - before;
      };
      await expect.poll(begun).toBe(rounds);
      await vi.advanceTimersByTimeAsync(1_000_000);
      return answer;
    };
    // A stream that has begun ends with the error in a line of its own.
    engine.hold(1);
    const { status, body } = await ask("v1/parse?stream=1", 2);
    expect(status).toBe(200);
    const answered = body.trimEnd().split("\n");
    expect(JSON.parse(answered[0]).tokens).toEqual(["a", "dog", "0"]);
    expect(JSON.parse(answered.at(-1)).error.code).toBe("timeout");
    expect(answered.length).toBeLessThan(301);
    engine.release();
    engine.hold();
    expectError(await ask("v1/parse", 1), 408, "timeout");
    vi.useRealTimers();
    const health = await get(`${url}healthz`);
    expect(health.body.waiting).toEqual({ sentences: 0, words: 0 });
  });

  test("the loop stays alive while the parser is busy", async () => {
    const busy = await serve(model);
    const gone = new AbortController();
    let isOver = false;
    const request = fetch(`${busy.url}v1/parse`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        lines: Array(120).fill("dog ".repeat(400)),
        options: { marginals: true, kBest: 20 },
      }),
      signal: gone.signal,
    })
      .catch(() => {})
      .finally(() => {
        isOver = true;
      });
    const waiting = async () => (await get(`${busy.url}healthz`)).body.waiting.words;
    await expect.poll(waiting).toBeGreaterThan(10_000);
    for (let index = 0; index < 20; index++) expect(await waiting()).toBeGreaterThan(0);
    expect(isOver).toBe(false);
    gone.abort();
    await request;
  });
});

describe("what makes no sense", () => {
  const input = "exactly one of text, tokens, lines, sentences";
  test.each<[unknown, string]>([
    ["null", `body must be an object with ${input}, not null`],
    [[], `body must be an object with ${input}, not array`],
    ["7", `body must be an object with ${input}, not number`],
    [{}, `body must have ${input}, not none`],
    [{ text: "a", lines: ["a"] }, `body must have ${input}, not text and lines`],
    [{ text: 1 }, "body/text must be string, not number"],
    [{ text: null }, "body/text must be string, not null"],
    [{ tokens: ["a", 1] }, "body/tokens/1 must be string, not number"],
    [{ tokens: ["a", ""] }, "body/tokens/1 must NOT have fewer than 1 characters"],
    [
      { text: "a", txet: "b" },
      'body has no field "txet"; its fields are text, tokens, lines, sentences, language, model, options',
    ],
    [
      { text: "a", options: { marginal: true } },
      'body/options has no field "marginal"; its fields are scores, marginals, kBest, decoding, threshold, maxTokens, oneWord, chart',
    ],
    [{ text: "a", options: 1 }, "body/options must be object, not number"],
    [{ text: "a", options: { scores: "yes" } }, "body/options/scores must be boolean, not string"],
    [{ text: "a", options: { kBest: 1000 } }, "body/options/kBest must be <= 20"],
    [{ text: "a", options: { kBest: 1.5 } }, "body/options/kBest must be integer, not number"],
    [{ text: "a", options: { threshold: 2 } }, "body/options/threshold must be <= 1"],
    [
      { text: "a", options: { decoding: "x" } },
      "body/options/decoding must be one of best, risk, phrases",
    ],
    [
      { sentences: [{ text: "a" }, { text: "a", required: [[0, 1, 2]] }] },
      "body/sentences/1/required/0 must NOT have more than 2 items",
    ],
    [
      { sentences: [{ text: "a", tokens: ["a"] }] },
      "body/sentences/0 must have exactly one of text, tokens, not text and tokens",
    ],
    [
      { sentences: [null] },
      "body/sentences/0 must be an object with exactly one of text, tokens, not null",
    ],
  ])("%j", async (body, message) => {
    const answer = await parse(body);
    expectError(answer, 400, "invalid_request");
    expect(answer.body.error.message).toBe(message);
  });

  test.each([
    [{ gold: "(S (NN a))" }, "body must have exactly one of predicted, model, not none"],
    [{ predicted: "(S (NN a))" }, "body must have gold"],
    [
      { gold: "a", model: "model", protocol: "x" },
      "body/protocol must be one of kim, kim-nofull, nob, evalb",
    ],
  ])("%j to evaluate", async (body, message) => {
    const answer = await post(`${service.url}v1/evaluate`, body);
    expectError(answer, 400, "invalid_request");
    expect(answer.body.error.message).toBe(message);
  });

  test.each([
    ["malformed JSON", '{"text": ', "invalid_json"],
    ["no JSON at all", "hello", "invalid_json"],
    ["an empty body", "", "invalid_json"],
    ["a poisoned prototype", '{"text": "a", "__proto__": {"x": 1}}', "invalid_json"],
    ["another model", { text: "a", model: "../model" }, "unknown_model"],
  ])("%s", async (_what, body, code) => {
    expectError(await parse(body), 400, code);
  });

  test("media types, encodings, methods, paths", async () => {
    const { url } = service;
    for (const type of ["text/plain", "application/xml", "multipart/form-data", "nonsense", ""]) {
      expectError(await parse("{}", { "content-type": type }), 415, "unsupported_media_type");
    }
    const gzipped = await parse("{}", { "content-encoding": "gzip" });
    expectError(gzipped, 415, "unsupported_media_type");
    for (const [method, path, allow] of [
      ["GET", "v1/parse", "POST"],
      ["DELETE", "v1/evaluate", "POST"],
      ["POST", "healthz", "GET, HEAD"],
      ["OPTIONS", "v1/models", "GET, HEAD"],
      ["PUT", "metrics", "GET, HEAD"],
    ]) {
      const answer = await get(`${url}${path}`, { method: method as string });
      expectError(answer, 405, "method_not_allowed");
      expect(answer.headers.get("allow")).toBe(allow);
    }
    for (const path of ["v1", "v1/parse/", "v2/parse", "nothing", "v1/runs", "%ff"]) {
      const answer = await get(`${url}${path}`);
      expect([400, 404]).toContain(answer.status);
      expect(answer.body.error.requestId).toBe(answer.headers.get("x-request-id"));
    }
    expectError(await post(`${url}v1/parse?stream=2`, { text: "a" }), 400, "invalid_request");
  });

  test("what is not HTTP is answered in JSON and cut off", async () => {
    for (const bytes of [
      "hello\r\n\r\n",
      "GET / HTTP/1.1\r\nhost: localhost\r\nbad header\r\n\r\n",
      `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${"y".repeat(100_000)}\r\n\r\n`,
      "POST /v1/parse HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n",
    ]) {
      const answer = await raw(service.port, bytes);
      expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
      const { error } = JSON.parse(answer.split("\r\n\r\n")[1] as string);
      expect(answer).toContain(`x-request-id: ${error.requestId}`);
    }
  });
});

test("CORS is off unless asked for", async () => {
  const asking = { headers: { origin: "https://page.example" } };
  const preflight = {
    method: "OPTIONS",
    headers: { ...asking.headers, "access-control-request-method": "POST" },
  };
  for (const init of [asking, preflight]) {
    const refused = await get(`${service.url}healthz`, init);
    expectError(refused, 403, "foreign_origin");
    expect(refused.headers.get("access-control-allow-origin")).toBe(null);
  }
  const open = await serve(model, "--cors", "https://page.example");
  const allowed = await get(`${open.url}healthz`, asking);
  expect(allowed.headers.get("access-control-allow-origin")).toBe("https://page.example");
  const { status, headers } = await get(`${open.url}v1/parse`, preflight);
  expect(status).toBe(204);
  expect(headers.get("access-control-allow-methods")).toContain("POST");
  const stranger = await get(`${open.url}healthz`, {
    headers: { origin: "https://other.example" },
  });
  expectError(stranger, 403, "foreign_origin");
  expect(stranger.headers.get("access-control-allow-origin")).toBe(null);
});

describe("the command", () => {
  test("refuses what cannot be, without leaving anything behind", async () => {
    const taken = `${service.port}`;
    for (const [args, message] of [
      [["--port", taken], "another program does"],
      [["--model", join(folder, "none")], "there is no such model"],
      [["--model", model, "--model", model], "two models are called model"],
      [["--watch", join(folder, "none")], "there is no such folder"],
      [["--max-tokens", "1000", "--queue", "10"], "--queue"],
      [["--max-body", "many"], "number of bytes"],
    ] as const) {
      const { code, stderr } = await bracken(["serve", "--model", model, ...args]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    }
  });

  test("listens on this machine only", () => {
    expect(new URL(service.url).hostname).toBe("127.0.0.1");
  });
});
