/** `GET /openapi.json`: the service's own description, made from the routes' schemas. */

import type { FastifyInstance } from "fastify";

export function openapiRoute(app: FastifyInstance): void {
  app.get("/openapi.json", {
    schema: { hide: true } as object,
    handler: async () => app.swagger(),
  });
}
