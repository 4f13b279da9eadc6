/** `POST /v1/evaluate`: gold trees against predicted ones, or against those of a model. */

import type { FastifyInstance } from "fastify";
import { candidates, type ServiceContext } from "../context.js";
import { Job } from "../job.js";
import { errorAnswers, jsonAnswer, ref } from "../schemas.js";
import { allRecords, submit } from "../submit.js";
import { type EvaluateRequest, PATHS } from "../wire.js";

export function evaluateRoute(app: FastifyInstance, context: ServiceContext): void {
  app.post<{ Body: EvaluateRequest }>(`/${PATHS.evaluate}`, {
    schema: {
      operationId: "evaluate",
      summary: "Score trees against gold trees",
      body: ref("EvaluateRequest"),
      response: {
        200: jsonAnswer("EvaluateResponse", "The scores, as bracken evaluate --json prints them."),
        ...errorAnswers(400, 408, 413, 415),
      },
    },
    handler: async (request, reply) => {
      const { body } = request;
      if (body.model === undefined) return context.reader.evaluate(body, []);
      const [{ name: model }] = candidates(context, body.model);
      const items = await context.reader.gold(body.gold);
      const job = new Job(items, { model, options: { maxTokens: context.limits.words } });
      submit(job, reply, context);
      return context.reader.evaluate(body, await allRecords(job));
    },
  });
}
