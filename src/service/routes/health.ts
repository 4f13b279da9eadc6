/** `GET /healthz`: whether requests are taken. */

import type { FastifyInstance } from "fastify";
import type { ServiceContext } from "../context.js";
import { errorAnswers, jsonAnswer } from "../schemas.js";

export function healthRoute(app: FastifyInstance, { models, batcher }: ServiceContext): void {
  app.get("/healthz", {
    schema: {
      operationId: "health",
      summary: "Whether requests are taken",
      response: { 200: jsonAnswer("Health", "They are."), ...errorAnswers() },
    },
    handler: async () => ({
      status: "ok",
      models: models.map(({ name }) => name),
      waiting: batcher.waiting,
    }),
  });
}
