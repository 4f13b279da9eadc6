/** `GET /openapi.json`: the service's own description, made from the routes' schemas. */

import type { FastifyInstance } from "fastify";
import { PATHS } from "../wire.js";

export function openapiRoute(app: FastifyInstance): void {
  app.get(`/${PATHS.openapi}`, {
    schema: { hide: true } as object,
    handler: async () => app.swagger(),
  });
}
