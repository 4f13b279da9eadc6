/** The worker that splits long texts and scores trees, which may take a good part of a second. */

import { answerRequests } from "../workers/answer-requests.js";
import { evaluateBody, goldSentences } from "./evaluation.js";
import type { Limits } from "./limits.js";
import { readBody } from "./sentences.js";
import type { EvaluateRequest, SentencesBody } from "./wire.js";

export type ReaderRequest =
  | { readonly read: SentencesBody; readonly limits: Limits; readonly language: string }
  | { readonly gold: string; readonly limits: Limits }
  | { readonly evaluate: EvaluateRequest; readonly records: readonly string[] };

await answerRequests<undefined, ReaderRequest, unknown>(() => ({
  handle: (request) => {
    if ("read" in request) return readBody(request.read, request.limits, request.language);
    if ("gold" in request) return goldSentences(request.gold, request.limits);
    return evaluateBody(request.evaluate, request.records);
  },
}));
