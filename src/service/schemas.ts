/**
 * What goes in and out, as JSON Schemas. Requests are checked by them, and the OpenAPI document is
 * made from them; tests check the answers.
 */

import type { FastifySchema } from "fastify";
import { PROTOCOLS } from "../evaluation/protocols.js";
import { DECODINGS } from "../model/config.js";
import { CHART_SENTENCES, CHART_WORDS, MOST_TREES } from "./limits.js";

export type Schema = Readonly<Record<string, unknown>>;

/** A schema by its name among those below. */
export function ref(name: keyof typeof SCHEMAS): Schema {
  return { $ref: `${name}#` };
}

function record(properties: Record<string, Schema>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required, additionalProperties: false };
}

function listOf(items: Schema, rest: Schema = {}): Schema {
  return { type: "array", items, ...rest };
}

const text = { type: "string" };
const flag = { type: "boolean" };
const number = { type: "number" };
const count = { type: "integer", minimum: 0 };
const words = listOf({ type: "string", minLength: 1 });
const span = listOf(count, {
  minItems: 2,
  maxItems: 2,
  description: "[begin, end) over words",
});
/** Each is held against each other and against every span of the sentence. */
const brackets = listOf(span, { maxItems: 1000 });

const decoding = {
  type: "string",
  enum: DECODINGS,
  description:
    "Which tree: the binary one with the best score, the binary one with the most spans expected to be right, or the one with the best phrases, binary or not. The model's own way if not said.",
};

const parseOptions = {
  ...record({
    scores: { ...flag, description: "The score of each phrase and of the tree." },
    marginals: { ...flag, description: "The probability of each phrase." },
    kBest: { type: "integer", minimum: 1, maximum: MOST_TREES, description: "The k best trees." },
    decoding,
    threshold: {
      type: "number",
      minimum: 0,
      maximum: 1,
      description: "Leave out phrases less probable than this.",
    },
    maxTokens: {
      type: "integer",
      minimum: 1,
      description: "Longer sentences are not parsed and get a flat tree.",
    },
    chart: {
      ...flag,
      description: `The scores and probabilities of all spans; for at most ${CHART_SENTENCES} sentences a request.`,
    },
  }),
  required: [],
};

const sentence = {
  ...record({
    text: { ...text, description: "One sentence, split into words." },
    tokens: words,
    tags: listOf({ type: ["string", "null"] }),
    required: { ...brackets, description: "Brackets that the tree must have." },
    forbidden: { ...brackets, description: "Brackets that the tree must not have." },
  }),
  required: [],
  oneOf: [{ required: ["text"] }, { required: ["tokens"] }],
};

const parseRequest = {
  ...record({
    text: { ...text, description: "Running text, split into sentences and words." },
    tokens: { ...words, description: "The words of one sentence." },
    lines: listOf(text, { description: "One sentence each, split into words." }),
    sentences: listOf(ref0("Sentence")),
    model: text,
    options: ref0("ParseOptions"),
  }),
  required: [],
  oneOf: ["text", "tokens", "lines", "sentences"].map((name) => ({ required: [name] })),
};

const phrase = {
  begin: count,
  end: count,
  label: text,
};

const parseRecord = record(
  {
    tokens: words,
    tags: listOf({ type: ["string", "null"] }),
    spans: listOf(record({ ...phrase, score: number, marginal: number }, ["score", "marginal"])),
    text: { ...text, description: "The sentence as it was written." },
    begin: { ...count, description: "Where the sentence begins in the text of the request." },
    offsets: listOf(span, { description: "Places of the words in the text of the request." }),
    score: { ...number, description: "Missing where the tree is not the model's." },
    fallback: { ...text, description: "Why the tree is not the model's." },
    alternatives: listOf(record({ spans: listOf(record(phrase)), score: number })),
    chart: {
      description: `Null for sentences of more than ${CHART_WORDS} words.`,
      oneOf: [ref0("Chart"), { type: "null" }],
    },
  },
  ["tags", "text", "begin", "offsets", "score", "fallback", "alternatives", "chart"],
);

const base64 = { type: "string", contentEncoding: "base64" };

const chart = {
  ...record({ size: count, decoding, scores: base64, marginals: base64 }),
  description:
    "Float32, little-endian, size × size; the number of words begin to last, both included, is at begin × size + last. Scores are the model's; marginals are under the constraints.",
};

const measures = {
  sentenceF1: number,
  corpusF1: number,
  precision: number,
  recall: number,
  sentences: count,
  gold: count,
  predicted: count,
  matched: count,
};

const protocol = { type: "string", enum: Object.keys(PROTOCOLS) };

const evaluateRequest = {
  ...record({
    gold: { ...text, description: "Penn-style trees." },
    predicted: {
      ...text,
      description: "Penn-style trees of the same sentences in the same order.",
    },
    model: { ...text, description: "The model whose trees of the gold sentences are scored." },
    protocol: { ...protocol, default: "kim" },
    labels: { ...flag, description: "Recall per phrase label." },
    byLength: { ...flag, description: "Scores by sentence length." },
    unlabelled: { ...flag, description: "The predicted trees have no labels." },
  }),
  required: ["gold"],
  oneOf: [{ required: ["predicted"] }, { required: ["model"] }],
};

const evaluateResponse = {
  ...record(
    {
      protocol,
      ...measures,
      skipped: count,
      labels: listOf(record({ label: text, gold: count, found: count, recall: number })),
      byLength: listOf(record({ from: count, to: count, ...measures })),
    },
    ["labels", "byLength"],
  ),
  description: "F1, precision and recall in percent.",
};

const model = record({
  name: text,
  layers: count,
  width: count,
  files: listOf(record({ name: text, bytes: count, sha256: text, url: text })),
});

const run = record({
  name: text,
  description: { description: "What bracken train wrote down about the run, or null." },
  step: { type: ["integer", "null"] },
  bytes: count,
  changed: { type: "string", format: "date-time" },
  growing: flag,
  finished: flag,
});

const stepRecord = {
  ...record(
    {
      step: count,
      loss: number,
      violations: number,
      gradientNorm: number,
      rate: number,
      tokensPerSecond: number,
      seconds: number,
      bracketRecall: number,
    },
    ["bracketRecall"],
  ),
  additionalProperties: true,
};

const error = record({
  error: record({ code: text, message: text, requestId: text }),
});

export const SCHEMAS = {
  Sentence: sentence,
  ParseOptions: parseOptions,
  ParseRequest: parseRequest,
  Chart: chart,
  ParseRecord: parseRecord,
  ProblemRecord: {
    ...record({ error: text }),
    description: "Stands in the place of a sentence that cannot be parsed.",
  },
  ParseResponse: record({
    model: text,
    sentences: listOf({ oneOf: [ref0("ParseRecord"), ref0("ProblemRecord")] }),
  }),
  ParseLine: {
    description:
      "One line for each sentence, in order. If the request fails on the way, an Error is the last line.",
    oneOf: [ref0("ParseRecord"), ref0("ProblemRecord"), ref0("Error")],
  },
  EvaluateRequest: evaluateRequest,
  EvaluateResponse: evaluateResponse,
  Models: record({ default: text, models: listOf(model) }),
  Health: record({
    status: { type: "string", enum: ["ok"] },
    models: listOf(text),
    waiting: record({ sentences: count, words: count }),
  }),
  Runs: record({ runs: listOf(run) }),
  StepRecord: stepRecord,
  Error: error,
};

/** As `ref`, for use among the schemas themselves. */
function ref0(name: string): Schema {
  return { $ref: `${name}#` };
}

export function jsonAnswer(name: keyof typeof SCHEMAS, description: string): Schema {
  return { description, content: { "application/json": { schema: ref(name) } } };
}

/** The answers that any route may give. */
export function errorAnswers(...statuses: (keyof typeof ERRORS)[]): Record<string, Schema> {
  return Object.fromEntries(
    [...statuses, 405, 429, 500, 503].map((status) => [
      status,
      jsonAnswer("Error", ERRORS[status as keyof typeof ERRORS]),
    ]),
  );
}

const ERRORS = {
  400: "The request is malformed.",
  404: "There is no such thing.",
  405: "The method is not allowed here.",
  408: "The request took longer than it may.",
  413: "The body is too large, or has too many sentences or words.",
  415: "The body is not JSON.",
  429: "Too much is waiting already; Retry-After says when to try again.",
  500: "The service failed.",
  503: "The service is shutting down.",
} as const;

export type RouteSchema = FastifySchema & { readonly hide?: boolean };
