/** `POST /v1/parse`: sentences in, trees out. */

import type { FastifyInstance } from "fastify";
import { answeredLanguage, candidates, chooseModel, type ServiceContext } from "../context.js";
import {
  answerRecords,
  recordAnswers,
  STREAM_QUERY,
  type StreamQuery,
  taskOptions,
} from "../record-answers.js";
import { errorAnswers, ref } from "../schemas.js";
import { ServiceError } from "../service-error.js";
import { MAX_CHART_SENTENCES, PATHS, type ParseRequest } from "../wire.js";

export function parseRoute(app: FastifyInstance, context: ServiceContext): void {
  app.post<{ Body: ParseRequest; Querystring: StreamQuery }>(`/${PATHS.parse}`, {
    schema: {
      operationId: "parse",
      summary: "Parse text, words, lines or sentences",
      querystring: STREAM_QUERY,
      body: ref("ParseRequest"),
      response: {
        200: recordAnswers("ParseResponse", "ParseLine"),
        ...errorAnswers(400, 408, 413, 415),
      },
    },
    handler: async (request, reply) => {
      const { model: asked, options: given, ...body } = request.body;
      const models = candidates(context, asked);
      const bytes = Number(request.headers["content-length"]);
      const { items, language } = await context.reader.read(body, bytes, models[0].language);
      if (given?.chart) checkCharts(items.length);
      const model = chooseModel(models, language);
      const options = taskOptions(given, context.limits);
      const task = { model: model.name, options, facts: answeredLanguage(model, language) };
      return answerRecords(items, task, context, request, reply);
    },
  });
}

function checkCharts(sentences: number): void {
  if (sentences <= MAX_CHART_SENTENCES) return;
  throw new ServiceError(
    413,
    "too_many_sentences",
    `${sentences} sentences; a request with charts may have at most ${MAX_CHART_SENTENCES}`,
  );
}
