/** `GET /metrics`: counts and times, in the format of Prometheus. */

import type { FastifyInstance } from "fastify";
import type { ServiceContext } from "../context.js";
import { errorAnswers } from "../schemas.js";
import { PATHS } from "../wire.js";

export function metricsRoute(
  app: FastifyInstance,
  { metrics: { registry } }: ServiceContext,
): void {
  app.get(`/${PATHS.metrics}`, {
    schema: {
      operationId: "metrics",
      summary: "Counts and times for Prometheus",
      response: {
        200: {
          description: "Prometheus' text format.",
          content: { "text/plain": { schema: { type: "string" } } },
        },
        ...errorAnswers(),
      },
    },
    handler: async (_request, reply) => {
      reply.type(registry.contentType);
      return registry.metrics();
    },
  });
}
