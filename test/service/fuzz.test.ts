/** Whatever is thrown at it, the service answers with sense or not at all, and stays healthy. */

import fc from "fast-check";
import { afterEach, beforeAll, expect, test } from "vitest";
import { TINY_LABELS, writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { get, post, raw, type Served, serve } from "./serving.js";
import { openClient, postHead } from "./sockets.js";

const folder = temporaryFolder();
let service: Served;

beforeAll(async () => {
  const model = await writeTinyModel(folder, { labels: TINY_LABELS });
  service = await serve(model, "--watch", folder, "--max-body", "100k");
});

afterEach(async () => {
  expect((await get(`${service.url}healthz`)).body.waiting.words).toBe(0);
  const { status, body } = await post(`${service.url}v1/parse`, { text: "The dog ran." });
  expect([status, body.sentences?.[0].tokens]).toEqual([200, ["The", "dog", "ran", "."]]);
  expect(service.complaints()).toEqual([]);
  expect(service.log().filter(({ level }) => level === "error")).toEqual([]);
});

function rarely(odd: fc.Arbitrary<unknown>, usual: fc.Arbitrary<unknown>) {
  return fc.oneof({ weight: 1, arbitrary: odd }, { weight: 12, arbitrary: usual });
}

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom(
    "The dog ran. It sat.",
    "",
    " ",
    "\u0000",
    "\ud800",
    "[a [b]",
    "a\u2028b",
    "猫が",
  ),
);
const word = fc.oneof(text, fc.constantFrom("the", "dog", "(", "-LRB-"));
const span = rarely(
  fc.anything(),
  fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 })),
);
const options = fc.record(
  {
    scores: fc.boolean(),
    marginals: fc.boolean(),
    decoding: fc.constantFrom("best", "risk"),
    oneWord: fc.boolean(),
    chart: fc.boolean(),
    kBest: rarely(fc.anything(), fc.integer({ min: 1, max: 20 })),
    threshold: rarely(fc.anything(), fc.double({ min: 0, max: 1, noNaN: true })),
    maxTokens: rarely(fc.anything(), fc.integer({ min: 1, max: 50 })),
  },
  { requiredKeys: [] },
);
const sentence = fc.record(
  {
    tokens: fc.array(word, { maxLength: 6 }),
    tags: fc.array(fc.oneof(word, fc.constant(null)), { maxLength: 6 }),
    required: fc.array(span, { maxLength: 3 }),
    forbidden: fc.array(span, { maxLength: 3 }),
  },
  { requiredKeys: [] },
);
const sentences = fc.oneof(
  fc.record({ text }),
  fc.record({ tokens: fc.array(word, { maxLength: 8 }) }),
  fc.record({ lines: fc.array(text, { maxLength: 5 }) }),
  fc.record({ sentences: fc.array(sentence, { maxLength: 4 }) }),
  fc.record({ text, tokens: fc.array(word, { maxLength: 3 }) }),
);
/** Requests that are nearly right, so that some get all the way through. */
const requestWith = (rest: Record<string, fc.Arbitrary<unknown>>) => {
  const model = fc.constantFrom("model", "model", "none");
  return fc
    .tuple(sentences, fc.record({ model, ...rest }, { requiredKeys: [] }))
    .map(([input, more]) => ({ ...input, ...more }));
};
const parseRequest = requestWith({ options });
const phrasesRequest = requestWith({
  labels: rarely(fc.anything(), fc.subarray(["NP", "VP", "S", "X"])),
  nesting: rarely(fc.anything(), fc.constantFrom("all", "maximal", "minimal")),
  options: fc.record({ oneWord: fc.boolean(), threshold: fc.constant(0.5) }, { requiredKeys: [] }),
});
const trees = fc.oneof(
  fc.constantFrom("(S (NN a) (NN b))", "(S (NN a)", "((a b) c)", "())", "(S (-NONE- *))", ""),
  fc.string({ unit: fc.constantFrom("(", ")", " ", "a", "\n"), maxLength: 30 }),
);
const evaluateRequest = fc.record(
  {
    gold: trees,
    predicted: trees,
    model: fc.constantFrom("model", "none"),
    protocol: fc.constantFrom("kim", "nob", "evalb", "other"),
    labelled: fc.boolean(),
    oneWord: fc.boolean(),
    unlabelled: fc.boolean(),
  },
  { requiredKeys: ["gold"] },
);

test("bodies of any shape get an answer or an error that says why", async () => {
  const junk = fc.oneof(fc.json({ maxDepth: 4 }), fc.string({ unit: "binary" }));
  const parsing = fc.constantFrom("v1/parse", "v1/parse?stream=1");
  const request = fc.oneof(
    { weight: 6, arbitrary: fc.tuple(parsing, parseRequest) },
    { weight: 3, arbitrary: fc.tuple(fc.constant("v1/phrases"), phrasesRequest) },
    { weight: 3, arbitrary: fc.tuple(fc.constant("v1/evaluate"), evaluateRequest) },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom("v1/parse", "v1/phrases", "v1/evaluate"), junk),
    },
  );
  let fine = 0;
  await fc.assert(
    fc.asyncProperty(request, async ([route, sent]) => {
      const answer = await post(`${service.url}${route}`, sent);
      if (answer.status === 200) {
        fine += 1;
        return;
      }
      expect([400, 413, 415]).toContain(answer.status);
      expect(answer.body.error.message).toMatch(/\S/);
    }),
    { numRuns: 400 },
  );
  expect(fine).toBeGreaterThan(60);
});

test("every sentence of a sensible request has a record in its place", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 8 }), async (lines) => {
      const { status, body } = await post(`${service.url}v1/parse`, { lines });
      expect([status, body.sentences.length]).toEqual([200, lines.length]);
      for (const [index, record] of body.sentences.entries()) {
        const line = JSON.parse(JSON.stringify(lines[index]?.toWellFormed()));
        if ("error" in record) expect(line.trim()).toBe("");
        else expect(record.text.toWellFormed()).toBe(line);
      }
    }),
    { numRuns: 100 },
  );
});

test("deep nesting, wide objects, long numbers", async () => {
  for (const body of [
    "[".repeat(50_000) + "]".repeat(50_000),
    `${'{"text":'.repeat(10_000)}1${"}".repeat(10_000)}`,
    `{"text": ${"9".repeat(50_000)}}`,
    `{"text": "a", ${Array.from({ length: 5000 }, (_, at) => `"k${at}": 1`).join()}}`,
    `{"sentences": [${"{},".repeat(10_000)}{}]}`,
    `{"tokens": ["a"${',"a"'.repeat(20_000)}]}`,
    `{"sentences": [{"tokens": ["a", "b"], "required": [${"[0,1],".repeat(2000)}[0,1]]}]}`,
    JSON.stringify({ text: "(".repeat(90_000) }),
    JSON.stringify({ text: "a.".repeat(45_000) }),
    JSON.stringify({ tokens: Array(90).fill(".".repeat(900)) }),
  ]) {
    const { status } = await post(`${service.url}v1/parse`, body);
    expect([200, 400, 413]).toContain(status);
  }
  const deep = "(S ".repeat(12_000);
  for (const gold of [deep, `${deep}(NN a) (NN b)${")".repeat(12_000)}`]) {
    const { status } = await post(`${service.url}v1/evaluate`, { gold, predicted: gold });
    expect([200, 400]).toContain(status);
  }
});

test("bytes that are no text, odd media types and encodings", async () => {
  const type = fc.oneof(
    fc.constantFrom(
      "application/json",
      "application/json; charset=utf-16",
      "application/json; charset=nonsense",
      "APPLICATION/JSON",
      "application/json, text/html",
      "application/json;",
      "text/json",
      "*/*",
    ),
    fc.stringMatching(/^[ -~]{0,30}$/),
  );
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), type, async (bytes, contentType) => {
      const response = await fetch(`${service.url}v1/parse`, {
        method: "POST",
        headers: { "content-type": contentType },
        body: bytes as Uint8Array<ArrayBuffer>,
      });
      expect([400, 415]).toContain(response.status);
      await response.text();
    }),
    { numRuns: 150 },
  );
});

test("no spelling of a path leads out of what is served", async () => {
  const step = fc.constantFrom(
    ..."/ // .. . ... %2e%2e %2E. ..%2f ..%5c \\ ..\\ %00 %252e%252e %c0%ae etc passwd".split(" "),
    ..."model models config.json v1 runs log training manifest.json encoder package.json".split(
      " ",
    ),
    "file:///etc/passwd",
    "http://127.0.0.1/etc/passwd",
    "?",
    "#",
    "%",
    "é",
  );
  const path = fc.array(step, { maxLength: 8 }).map((steps) => `/${steps.join("/")}`);
  // The page is at the root, where it has been built.
  const served = /^\/+(models\/model\/(manifest|config)\.json|v1\/(runs|models))?(\?|#|$)/;
  await fc.assert(
    fc.asyncProperty(path, async (spelt) => {
      const answer = await raw(
        service.port,
        `GET ${spelt} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`,
      );
      const [head = "", ...body] = answer.split("\r\n\r\n");
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]);
      if (status === 200) expect(spelt).toMatch(served);
      else expect([400, 404, 405, 414]).toContain(status);
      expect(body.join()).not.toMatch(/root:|"dependencies"/);
    }),
    { numRuns: 400 },
  );
});

test("raw bytes of any kind", async () => {
  const line = fc.constantFrom(
    "GET / HTTP/1.1",
    "POST /v1/parse HTTP/1.1",
    "POST /v1/parse HTTP/1.0",
    "POST /v1/parse HTTP/9.9",
    "PRI * HTTP/2.0",
    "CONNECT a:1 HTTP/1.1",
    "host: localhost",
    "content-length: 10",
    "content-length: -1",
    "content-length: 99999999999999999999",
    "transfer-encoding: chunked",
    "expect: 100-continue",
    "upgrade: websocket",
    "connection: upgrade",
    "content-type: application/json",
    "ffffffffffffffff",
    "0",
    "",
    '{"text": "a"}',
  );
  const message = fc.oneof(
    fc.array(line, { maxLength: 8 }).map((lines) => `${lines.join("\r\n")}\r\n\r\n`),
    fc.uint8Array({ maxLength: 100 }),
  );
  await fc.assert(
    fc.asyncProperty(message, async (bytes) => {
      const answer = await raw(service.port, bytes, { patience: 300, end: true });
      expect(answer).toMatch(/^(HTTP\/1\.1 \d{3} |$)/);
      expect(answer).not.toMatch(/^HTTP\/1\.1 5/);
    }),
    { numRuns: 120 },
  );
});

test("hundreds of sockets that say nothing, or never finish", async () => {
  const beginnings = [
    "",
    "G",
    "POST /v1/parse HTTP/1.1\r\nhost: localhost\r\nx: ",
    `${postHead("/v1/parse", 90)}{"te`,
  ];
  await Promise.all(
    Array.from({ length: 600 }, (_, index) => openClient(service.port, beginnings[index % 4])),
  );
  const open = async () =>
    Number(/bracken_connections (\d+)/.exec((await get(`${service.url}metrics`)).body)?.[1]);
  await expect.poll(open).toBeGreaterThanOrEqual(600);
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => post(`${service.url}v1/parse`, { text: "The dog ran." })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
});
