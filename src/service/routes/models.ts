/** `GET /v1/models`: the models, and the files that a browser needs to parse by itself. */

import type { FastifyInstance } from "fastify";
import type { ServiceContext } from "../context.js";
import type { ServedModel } from "../models.js";
import { errorAnswers, jsonAnswer } from "../schemas.js";
import { type ModelsResponse, PATHS } from "../wire.js";

export function modelsRoute(app: FastifyInstance, { models, annotation }: ServiceContext): void {
  const answer: ModelsResponse = {
    default: (models[0] as ServedModel).name,
    models: models.map(({ name, language, languages, layers, width, labels, files }) => ({
      name,
      language,
      languages,
      layers,
      width,
      labels,
      files: files.map((file) => ({
        ...file,
        url: `/models/${encodeURIComponent(name)}/${encodeURIComponent(file.name)}`,
      })),
    })),
    annotation: annotation !== undefined,
  };
  app.get(`/${PATHS.models}`, {
    schema: {
      operationId: "models",
      summary: "The models being served",
      response: { 200: jsonAnswer("Models", "The models."), ...errorAnswers() },
    },
    handler: async () => answer,
  });
}
