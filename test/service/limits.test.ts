/** What the service refuses, and how it says so. */

import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { bracken } from "../cli/run.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { type Answer, get, post, raw, type Served, serve } from "./serving.js";

const folder = temporaryFolder();
let model = "";
let service: Served;
const parse = (body: unknown, headers = {}) => post(`${service.url}v1/parse`, body, headers);

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
    const head = "POST /v1/parse HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n";
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
    expect(many.body.error.message).toContain("a request may have 50");
    const split = await parse({ text: "A dog ran. ".repeat(51) });
    expectError(split, 413, "too_many_sentences");
    const words = await parse({ lines: Array(20).fill("dog ".repeat(51)) });
    expectError(words, 413, "too_many_tokens");
    expect(words.body.error.message).toContain("1020 words; a request may have 1000");
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
    // Costly ones, so that they wait.
    const body = {
      lines: Array(9).fill("dog ".repeat(100)),
      options: { marginals: true, kBest: 20 },
    };
    const answers = await Promise.all(Array.from({ length: 12 }, () => parse(body)));
    const refused = answers.filter(({ status }) => status === 429);
    const accepted = answers.filter(({ status }) => status === 200);
    expect(accepted.length).toBeGreaterThan(0);
    expect(refused.length).toBeGreaterThan(0);
    expect(accepted.length + refused.length).toBe(12);
    for (const answer of refused) {
      expectError(answer, 429, "too_busy");
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    for (const { body } of accepted) expect(body.sentences).toHaveLength(9);
    expect((await parse(body)).status).toBe(200);
  });
});

describe("time", () => {
  const slow = {
    lines: Array(120).fill("dog ".repeat(400)),
    options: { marginals: true, kBest: 20 },
  };

  test("408 when it is up, and the sentences leave the queue", async () => {
    const short = await serve(model, "--timeout", "1");
    const url = `${short.url}v1/parse`;
    // A stream that has begun ends with the error in a line of its own.
    const { status, body } = await post(`${url}?stream=1`, {
      ...slow,
      lines: ["a dog", ...slow.lines],
    });
    expect(status).toBe(200);
    const lines = body.trimEnd().split("\n");
    expect(JSON.parse(lines[0]).tokens).toEqual(["a", "dog"]);
    expect(JSON.parse(lines.at(-1)).error.code).toBe("timeout");
    expect(lines.length).toBeLessThan(121);
    expectError(await post(url, slow), 408, "timeout");
    const health = await get(`${short.url}healthz`);
    expect(health.body.waiting).toEqual({ sentences: 0, words: 0 });
  });

  test("a client that goes away takes its sentences with it", async () => {
    const patient = await serve(model);
    const gone = new AbortController();
    const request = fetch(`${patient.url}v1/parse`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(slow),
      signal: gone.signal,
    }).catch((error: Error) => error.name);
    const waiting = async () => (await get(`${patient.url}healthz`)).body.waiting.words;
    await expect.poll(waiting).toBeGreaterThan(10_000);
    gone.abort();
    expect(await request).toBe("AbortError");
    await expect.poll(waiting).toBe(0);
    expect((await post(`${patient.url}v1/parse`, { text: "A dog." })).status).toBe(200);
  });

  test("the loop stays alive while the parser is busy", async () => {
    const busy = await serve(model);
    const gone = new AbortController();
    const request = fetch(`${busy.url}v1/parse`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(slow),
      signal: gone.signal,
    }).catch(() => {});
    await expect
      .poll(async () => (await get(`${busy.url}healthz`)).body.waiting.words)
      .toBeGreaterThan(0);
    const times: number[] = [];
    for (let index = 0; index < 20; index++) {
      const started = performance.now();
      await get(`${busy.url}healthz`);
      times.push(performance.now() - started);
    }
    // A round takes a second and more; other work may share the machine.
    expect(times.sort((a, b) => a - b)[10]).toBeLessThan(200);
    gone.abort();
    await request;
  });
});

describe("what makes no sense", () => {
  test.each([
    ["malformed JSON", '{"text": ', 400, "invalid_json"],
    ["no JSON at all", "hello", 400, "invalid_json"],
    ["an empty body", "", 400, "invalid_json"],
    ["a poisoned prototype", '{"text": "a", "__proto__": {"x": 1}}', 400, "invalid_json"],
    ["a list", [], 400, "invalid_request"],
    ["null", "null", 400, "invalid_request"],
    ["nothing to parse", {}, 400, "invalid_request"],
    ["two things to parse", { text: "a", lines: ["a"] }, 400, "invalid_request"],
    ["a number for a text", { text: 1 }, 400, "invalid_request"],
    ["a word that is no string", { tokens: ["a", 1] }, 400, "invalid_request"],
    ["an empty word", { tokens: ["a", ""] }, 400, "invalid_request"],
    ["an unknown field", { text: "a", txet: "b" }, 400, "invalid_request"],
    ["an unknown option", { text: "a", options: { marginal: true } }, 400, "invalid_request"],
    ["a flag that is no flag", { text: "a", options: { scores: "yes" } }, 400, "invalid_request"],
    ["too many trees", { text: "a", options: { kBest: 1000 } }, 400, "invalid_request"],
    ["a threshold above 1", { text: "a", options: { threshold: 2 } }, 400, "invalid_request"],
    [
      "a span of three",
      { sentences: [{ text: "a", required: [[0, 1, 2]] }] },
      400,
      "invalid_request",
    ],
    ["text and tokens", { sentences: [{ text: "a", tokens: ["a"] }] }, 400, "invalid_request"],
    ["another model", { text: "a", model: "../model" }, 400, "unknown_model"],
  ])("%s", async (_what, body, status, code) => {
    expectError(await parse(body), status, code);
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
      "GET / HTTP/1.1\r\nhost: a\r\nbad header\r\n\r\n",
      `GET / HTTP/1.1\r\nhost: a\r\nx: ${"y".repeat(100_000)}\r\n\r\n`,
      "POST /v1/parse HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n",
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
  const plain = await get(`${service.url}healthz`, asking);
  expect(plain.headers.get("access-control-allow-origin")).toBe(null);
  expect((await get(`${service.url}v1/parse`, preflight)).status).toBe(405);
  const open = await serve(model, "--cors", "https://page.example");
  const allowed = await get(`${open.url}healthz`, asking);
  expect(allowed.headers.get("access-control-allow-origin")).toBe("https://page.example");
  const { status, headers } = await get(`${open.url}v1/parse`, preflight);
  expect(status).toBe(204);
  expect(headers.get("access-control-allow-methods")).toContain("POST");
  const stranger = await get(`${open.url}healthz`, {
    headers: { origin: "https://other.example" },
  });
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
