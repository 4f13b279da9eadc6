/** `POST /v1/phrases`: sentences in, their phrases by name out, such as all noun phrases of a text. */

import type { FastifyInstance } from "fastify";
import { answeredLanguage, candidates, chooseModel, type ServiceContext } from "../context.js";
import type { ServedModel } from "../models.js";
import {
  answerRecords,
  recordAnswers,
  STREAM_QUERY,
  type StreamQuery,
  taskOptions,
} from "../record-answers.js";
import { errorAnswers, ref } from "../schemas.js";
import { ServiceError } from "../service-error.js";
import { PATHS, type PhrasesRequest } from "../wire.js";

export function phrasesRoute(app: FastifyInstance, context: ServiceContext): void {
  app.post<{ Body: PhrasesRequest; Querystring: StreamQuery }>(`/${PATHS.phrases}`, {
    schema: {
      operationId: "phrases",
      summary: "List the phrases of a text by name, with their positions and head words",
      querystring: STREAM_QUERY,
      body: ref("PhrasesRequest"),
      response: {
        200: recordAnswers("PhrasesResponse", "PhrasesLine"),
        ...errorAnswers(400, 408, 413, 415),
      },
    },
    handler: async (request, reply) => {
      const { model: asked, labels: wanted, nesting, options: given, ...body } = request.body;
      const models = withLabels(candidates(context, asked));
      const bytes = Number(request.headers["content-length"]);
      const { items, language } = await context.reader.read(body, bytes, models[0].language);
      const model = chooseModel(models, language);
      const labels = chooseLabels(model, wanted, context.models);
      // Probabilities are part of the answer.
      const parsing = taskOptions({ ...given, marginals: true }, context.limits);
      const options = { ...parsing, phrases: { labels, nesting } };
      const task = { model: model.name, options, facts: answeredLanguage(model, language) };
      return answerRecords(items, task, context, request, reply);
    },
  });
}

/** The first, and the others that name phrases: only these can take its place. */
function withLabels([first, ...others]: ReturnType<typeof candidates>) {
  return [first, ...others.filter(({ labels }) => labels.length > 0)] as const;
}

/** The wanted labels, or all that the model has. */
function chooseLabels(
  { name, labels }: ServedModel,
  wanted: readonly string[] = labels,
  models: readonly ServedModel[],
): readonly string[] {
  if (labels.length === 0) {
    const able = models.filter((each) => each.labels.length > 0).map((each) => each.name);
    const others = able.length > 0 ? `; models that do: ${able.join(", ")}` : "";
    throw new ServiceError(400, "no_labels", `the model ${name} does not name phrases${others}`);
  }
  const unknown = wanted.find((label) => !labels.includes(label));
  if (unknown === undefined) return wanted;
  throw new ServiceError(
    400,
    "unknown_label",
    `the model ${name} has no label ${JSON.stringify(unknown)}; its labels are ${labels.join(", ")}`,
  );
}
