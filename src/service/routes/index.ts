/** The table of routes. A wrong method is answered with the allowed ones. */

import type { FastifyInstance, HTTPMethods } from "fastify";
import type { ServiceContext } from "../context.js";
import { ServiceError } from "../service-error.js";
import { annotationRoutes } from "./annotation.js";
import { evaluateRoute } from "./evaluate.js";
import { filesRoute } from "./files.js";
import { healthRoutes } from "./health.js";
import { metricsRoute } from "./metrics.js";
import { modelsRoute } from "./models.js";
import { openapiRoute } from "./openapi.js";
import { parseRoute } from "./parse.js";
import { phrasesRoute } from "./phrases.js";
import { runsRoutes } from "./runs.js";

const ROUTES = [
  parseRoute,
  phrasesRoute,
  evaluateRoute,
  modelsRoute,
  runsRoutes,
  annotationRoutes,
  healthRoutes,
  metricsRoute,
  openapiRoute,
];

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

export function addRoutes(
  app: FastifyInstance,
  context: ServiceContext,
  { withOptions }: { withOptions: boolean },
): void {
  const taken = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }) => {
    const methods = taken.get(url) ?? new Set();
    for (const each of [method].flat()) methods.add(each);
    taken.set(url, methods);
  });
  app.after(() => {
    for (const route of ROUTES) route(app, context);
    for (const [url, methods] of [...taken]) {
      refuseOthers(app, url, [...methods], withOptions);
    }
    filesRoute(app, context);
  });
  app.setNotFoundHandler(() => {
    throw new ServiceError(404, "not_found", "there is nothing here");
  });
}

function refuseOthers(
  app: FastifyInstance,
  url: string,
  allowed: readonly string[],
  withOptions: boolean,
): void {
  const refused = METHODS.filter(
    (method) => !allowed.includes(method) && (withOptions || method !== "OPTIONS"),
  );
  const allow = allowed.join(", ");
  app.route({
    method: refused as unknown as HTTPMethods[],
    url,
    schema: { hide: true } as object,
    // Methods are checked before the body is read.
    onRequest: async () => {
      throw new ServiceError(405, "method_not_allowed", `${url} takes ${allow}`, { allow });
    },
    handler: async () => {},
  });
}
