/**
 * What the page asks of `bracken serve`: models, training runs, and parses as trees and, for sentences
 * not too long, charts. Paths and messages are those of the wire contract.
 */

import { unparsed } from "../../src/parser/parse-each.js";
import type { Parse, SentenceInput } from "../../src/parser/sentence.js";
import { KnownLabels } from "../../src/parser/sentence-labels.js";
import {
  type AnsweredRecord,
  type ChartRecord,
  type ErrorBody,
  type ErrorCode,
  MAX_CHART_SENTENCES,
  type ModelsResponse,
  PATHS,
  type ParseRequest,
  type ParseResponse,
  type ProblemRecord,
  type RunSummary,
  type RunsResponse,
  type SpanPair,
  type StaticModels,
} from "../../src/service/wire.js";
import { fromRecord, type Span } from "../../src/trees/index.js";
import {
  type ModelNames,
  remoteSentence,
  type Scored,
  type Sentence,
  scoredSentence,
} from "../sentence.js";

/** The models of the service, or those beside the page on a server of files. */
export function listModels(): Promise<ModelsResponse | StaticModels> {
  return ask<ModelsResponse | StaticModels>(PATHS.models);
}

/** The training runs that the service watches; none if it watches no folder. */
export async function listRuns(): Promise<readonly RunSummary[]> {
  const response = await reach(PATHS.runs);
  return response.status === 404 ? [] : (await answerOf<RunsResponse>(response)).runs;
}

export async function parseOnService(
  model: string,
  names: ModelNames,
  inputs: readonly SentenceInput[],
  onSentences: (sentences: readonly Sentence[]) => void,
  signal?: AbortSignal,
): Promise<void> {
  for (let at = 0; at < inputs.length; at += MAX_CHART_SENTENCES) {
    const batch = inputs.slice(at, at + MAX_CHART_SENTENCES);
    const records = await askForParses(model, batch, signal);
    onSentences(
      records.map((record, index) => {
        return toSentence(model, names, batch[index] as SentenceInput, record);
      }),
    );
  }
}

async function ask<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
  return answerOf<Answer>(await reach(path, init));
}

/** The server is away: it does not answer, or says that it is about to stop. */
export class Unreachable extends Error {
  constructor() {
    super("The server does not answer");
  }
}

async function reach(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(path, init).catch((error: unknown) => {
    // Nothing but a network that fails throws this.
    throw error instanceof TypeError ? new Unreachable() : error;
  });
}

/** Sends a message and gives the answer. */
export function send<Answer>(path: string, body: object, signal?: AbortSignal): Promise<Answer> {
  return ask<Answer>(path, {
    method: "POST",
    ...(signal ? { signal } : {}),
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** A sentence that has no tree, and why. */
export class Unparsed extends Error {}

/** What the service refuses, and why. */
export class Refusal extends Error {
  readonly code: ErrorCode | undefined;

  constructor(message: string, code: ErrorCode | undefined) {
    super(message);
    this.code = code;
  }
}

/** The body of an answer, or its error's message. */
async function answerOf<Answer>(response: Response): Promise<Answer> {
  if (response.ok) return (await response.json()) as Answer;
  const body = (await response.json().catch(() => undefined)) as ErrorBody | undefined;
  if (body?.error.code === "shutting_down") throw new Unreachable();
  const message = body?.error.message ?? `the server answers ${response.status}`;
  throw new Refusal(message, body?.error.code);
}

async function askForParses(
  model: string,
  inputs: readonly SentenceInput[],
  signal?: AbortSignal,
): Promise<ParseResponse["sentences"]> {
  const request: ParseRequest = {
    model,
    ...(inputs[0]?.language === undefined ? {} : { language: inputs[0].language }),
    options: { scores: true, marginals: true, chart: true },
    sentences: inputs.map(({ leaves, required, forbidden }) => ({
      tokens: leaves.map(({ word }) => word),
      ...(required ? { required: required.map(toPair) } : {}),
      ...(forbidden ? { forbidden: forbidden.map(toPair) } : {}),
    })),
  };
  const { sentences } = await send<ParseResponse>(PATHS.parse, request, signal);
  return sentences;
}

function toPair({ begin, end }: Span): SpanPair {
  return [begin, end];
}

function toSentence(
  model: string,
  names: ModelNames,
  input: SentenceInput,
  record: AnsweredRecord | ProblemRecord,
): Sentence {
  if (!("error" in record) && record.chart) {
    return scoredSentence(input, readChart(record.chart), names);
  }
  const again = async (constrained: SentenceInput) => {
    const [answered] = await askForParses(model, [constrained]);
    return toParse(constrained, answered as AnsweredRecord | ProblemRecord);
  };
  return remoteSentence(toParse(input, record), names.labels, again);
}

function toParse(input: SentenceInput, record: AnsweredRecord | ProblemRecord): Parse {
  if ("error" in record) throw new Unparsed(record.error);
  const { spans, score, fallback } = record;
  if (fallback !== undefined) return unparsed(input, fallback);
  return {
    ...input,
    tree: fromRecord(record),
    spans,
    ...(score === undefined ? {} : { score }),
  };
}

function readChart({ size, decoding, scores, labels }: ChartRecord): Scored {
  const spanLabels =
    labels &&
    new KnownLabels(
      {
        classes: labels.classes,
        best: new Uint16Array(bytesOf(labels.best)),
        probabilities: new Float32Array(bytesOf(labels.probabilities)),
      },
      size,
    );
  return { scores: new Float32Array(bytesOf(scores)), decoding, spanLabels };
}

function bytesOf(base64: string): ArrayBuffer {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)).buffer;
}
