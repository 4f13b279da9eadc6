/**
 * `GET /healthz`: whether the process is alive, and how much is waiting. `GET /readyz`: whether it
 * should get requests; it says no as soon as the service begins to shut down, so that a proxy can go
 * elsewhere.
 */

import type { FastifyInstance } from "fastify";
import type { ServiceContext } from "../context.js";
import { errorAnswers, jsonAnswer } from "../schemas.js";
import { shuttingDown } from "../service-error.js";
import { type HealthResponse, PATHS, type ReadyResponse } from "../wire.js";

export function healthRoutes(
  app: FastifyInstance,
  { models, batcher, draining }: ServiceContext,
): void {
  app.get(`/${PATHS.health}`, {
    schema: {
      operationId: "health",
      summary: "Whether the service is alive",
      response: { 200: jsonAnswer("Health", "It is alive."), ...errorAnswers() },
    },
    handler: async (): Promise<HealthResponse> => ({
      status: "ok",
      models: models.map(({ name }) => name),
      waiting: batcher.waiting,
    }),
  });
  app.get(`/${PATHS.ready}`, {
    schema: {
      operationId: "ready",
      summary: "Whether to send requests to the service",
      response: { 200: jsonAnswer("Ready", "It is ready."), ...errorAnswers() },
    },
    handler: async (): Promise<ReadyResponse> => {
      if (draining.aborted) throw shuttingDown();
      return { status: "ready" };
    },
  });
}
