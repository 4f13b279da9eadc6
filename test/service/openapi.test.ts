/** The OpenAPI document is valid, lists every route, and every real answer is as it says. */

import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, test } from "vitest";
import { writeTinyCorpus } from "../annotate/tiny-corpus.js";
import { TINY_LABELS, writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { get, post, type Served, serve } from "./serving.js";

interface Operation {
  readonly requestBody?: { readonly content: Record<string, unknown> };
  readonly responses: Record<string, { readonly content: Record<string, unknown> }>;
}

const folder = temporaryFolder();
let service: Served;
let document: {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> };
};
let ajv: Ajv2020;

beforeAll(async () => {
  const training = join(folder, "runs", "one", "training");
  mkdirSync(training, { recursive: true });
  writeFileSync(
    join(training, "log.jsonl"),
    `{"step":10,"loss":1,"violations":1,"gradientNorm":1,"rate":1,"tokensPerSecond":1,"seconds":1}\n`,
  );
  writeTinyCorpus(join(folder, "corpus.txt"));
  const named = await writeTinyModel(folder, { labels: TINY_LABELS });
  renameSync(named, join(folder, "named"));
  service = await serve(
    await writeTinyModel(folder),
    ...["--model", join(folder, "named")],
    ...["--watch", join(folder, "runs"), "--max-sentences", "5", "--timeout", "1"],
    ...["--annotate", join(folder, "my.jsonl"), "--corpus", join(folder, "corpus.txt")],
  );
  document = (await get(`${service.url}openapi.json`)).body;
  ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: "https://bracken/", ...document });
});

test("the document is valid OpenAPI", async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  expect([valid, errors]).toEqual([true, undefined]);
  expect(document.openapi).toBe("3.1.0");
});

test("it lists the routes and nothing else", () => {
  const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  expect(listed.sort()).toEqual([
    "get /healthz",
    "get /metrics",
    "get /readyz",
    "get /v1/annotation",
    "get /v1/models",
    "get /v1/runs",
    "get /v1/runs/{name}/log",
    "post /v1/annotation/answer",
    "post /v1/annotation/question",
    "post /v1/annotation/undo",
    "post /v1/evaluate",
    "post /v1/parse",
    "post /v1/phrases",
  ]);
});

/** Checks against a part of the document, which a pointer leads to. */
function check(pointer: readonly string[], value: unknown): unknown {
  const path = pointer.map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1"));
  const validate = ajv.getSchema(`https://bracken/#/${path.map(encodeURIComponent).join("/")}`);
  if (!validate) throw new Error(`the document has no ${pointer.join(" ")}`);
  validate(value);
  return validate.errors;
}

const gold = "(S (NP (DT the) (NN dog)) (VP (VBD ran)))";
const everything = {
  scores: true,
  marginals: true,
  kBest: 3,
  decoding: "risk",
  threshold: 0.1,
  maxTokens: 10,
  chart: true,
};

describe("answers are as the document says", () => {
  const path = { name: "one" };
  test.each<[string, string, unknown?]>([
    ["post", "/v1/parse", { text: "The dog ran. It sat." }],
    ["post", "/v1/parse", { text: "The dog ran. It sat.", options: everything }],
    ["post", "/v1/parse", { lines: ["the dog", ""], model: "model" }],
    ["post", "/v1/parse", { tokens: Array(20).fill("dog"), options: everything }],
    [
      "post",
      "/v1/parse",
      { tokens: Array(20).fill("dog"), options: { scores: true, maxTokens: 3 } },
    ],
    [
      "post",
      "/v1/parse",
      { sentences: [{ tokens: ["a", "b", "c"], tags: ["X", null, "Y"], required: [[0, 2]] }] },
    ],
    ["post", "/v1/parse?stream=1", { lines: ["the dog ran", " "], options: everything }],
    ["post", "/v1/parse", { text: 1 }],
    ["post", "/v1/parse", { lines: Array(6).fill("a") }],
    ["post", "/v1/parse", { text: "a", model: "none" }],
    ["post", "/v1/parse", { text: "The dog ran.", model: "named", options: everything }],
    ["post", "/v1/phrases", { text: "The dog ran. It sat.", model: "named" }],
    [
      "post",
      "/v1/phrases",
      {
        tokens: ["a", "dog"],
        model: "named",
        labels: ["NP"],
        nesting: "minimal",
        options: { oneWord: false },
      },
    ],
    ["post", "/v1/phrases?stream=1", { lines: ["the dog ran", " "], model: "named" }],
    ["post", "/v1/phrases", { tokens: ["a", "dog"], model: "named", options: { maxTokens: 1 } }],
    ["post", "/v1/phrases", { text: "a", model: "named", labels: ["XP"] }],
    ["post", "/v1/phrases", { text: "a" }],
    ["post", "/v1/evaluate", { gold, model: "model", labels: true, byLength: true }],
    ["post", "/v1/evaluate", { gold, predicted: gold, protocol: "nob" }],
    [
      "post",
      "/v1/evaluate",
      { gold, predicted: gold, labelled: true, oneWord: true, labels: true },
    ],
    ["post", "/v1/evaluate", { gold, predicted: gold, protocol: "evalb", labels: true }],
    ["post", "/v1/evaluate", { gold: "(", predicted: gold }],
    ["get", "/v1/annotation"],
    ["post", "/v1/annotation/question", { by: "ann" }],
    ["post", "/v1/annotation/answer", { by: "ann", question: "none/0-2", verdict: "skip" }],
    ["post", "/v1/annotation/undo", { by: "ann" }],
    ["get", "/v1/models"],
    ["get", "/v1/runs"],
    ["get", "/v1/runs/{name}/log"],
    ["get", "/healthz"],
    ["get", "/readyz"],
    ["get", "/metrics"],
  ])("%s %s (%#)", async (method, route, sent) => {
    const [bare = "", query = ""] = route.split("?");
    const url = `${service.url.slice(0, -1)}${bare.replace("{name}", path.name)}?${query}`;
    const response = await fetch(url, {
      method,
      ...(sent
        ? { body: JSON.stringify(sent), headers: { "content-type": "application/json" } }
        : {}),
    });
    const type = response.headers.get("content-type")?.split(";")[0] as string;
    const text = await response.text();
    const answers =
      type === "application/x-ndjson"
        ? text
            .trimEnd()
            .split("\n")
            .map((line) => JSON.parse(line))
        : [type === "application/json" ? JSON.parse(text) : text];
    const operation = ["paths", bare, method];
    for (const answer of answers) {
      const where = [...operation, "responses", `${response.status}`, "content", type, "schema"];
      expect(check(where, answer)).toBe(null);
    }
    // What is refused for its form is not as the document says, and what is taken is.
    const body = [...operation, "requestBody", "content", "application/json", "schema"];
    if (sent) expect(check(body, sent) === null).toBe((sent as { text?: unknown }).text !== 1);
  });

  test("questions, answers and their undoing", async () => {
    const send = async (route: string, sent: object) => {
      const { status, body } = await post(`${service.url}v1/annotation/${route}`, sent);
      expect(status).toBe(200);
      expect(check(["components", "schemas", "Annotation"], body)).toBe(null);
      return body;
    };
    const asking = () => send("question", { by: "ann" });
    await expect.poll(async () => (await asking()).question).not.toBe(null);
    const { question } = await asking();
    const sent = { by: "ann", question: question.id, verdict: "no", right: [0, 2] };
    expect(check(["components", "schemas", "AnnotationAnswer"], sent)).toBe(null);
    await send("answer", sent);
    const { body: state } = await get(`${service.url}v1/annotation`);
    expect(check(["components", "schemas", "AnnotationState"], state)).toBe(null);
    expect((await send("undo", { by: "ann" })).question.id).toBe(question.id);
  });

  test("errors too", async () => {
    for (const [url, init, status] of [
      ["nothing", {}, 404],
      ["v1/parse", {}, 405],
      ["v1/parse", { method: "POST", body: "{}" }, 415],
      ["v1/runs/none/log", {}, 404],
    ] as const) {
      const answer = await get(`${service.url}${url}`, init);
      expect(answer.status).toBe(status);
      expect(check(["components", "schemas", "Error"], answer.body)).toBe(null);
    }
  });

  test("a check can fail", () => {
    expect(check(["components", "schemas", "Error"], { error: "no" })).not.toBe(null);
    expect(check(["components", "schemas", "ParseRecord"], { tokens: ["a"] })).not.toBe(null);
  });
});
