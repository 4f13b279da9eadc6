/**
 * The web application: Fastify with the service's timeouts and log, and with what happens to every
 * request before and after its route: headers, access, client limits, the line in the log.
 */

import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import cors from "@fastify/cors";
import swagger from "@fastify/swagger";
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import { Access, type AccessSettings } from "./access.js";
import type { Admission } from "./admission.js";
import { clientOfAddress } from "./client-limits.js";
import type { ServiceContext } from "./context.js";
import { answerBadHttp, HUNG_UP, sendError } from "./error-handler.js";
import { SECURITY_HEADERS, saneRequestId } from "./headers.js";
import type { Limits } from "./limits.js";
import { addRoutes } from "./routes/index.js";
import { SCHEMAS } from "./schemas.js";
import { HungUp, ServiceError } from "./service-error.js";
import { PATHS } from "./wire.js";

declare module "fastify" {
  interface FastifyRequest {
    /** Whose limits the request counts against: a key or an address. */
    client: string;
  }
}

export interface AppSettings {
  readonly limits: Limits;
  readonly access: AccessSettings;
  /** Addresses of proxies whose `X-Forwarded-For` is believed. */
  readonly trustProxy: readonly string[];
  /** Log errors only. */
  readonly quiet?: boolean | undefined;
  /** Where the log goes, if not to standard error. */
  readonly log?: NodeJS.WritableStream | undefined;
  readonly version: string;
}

/** Milliseconds for a request's headers, for its body, and between requests. */
const [HEADERS_TIMEOUT, REQUEST_TIMEOUT, KEEP_ALIVE] = [10_000, 30_000, 10_000];

export function makeApp({ limits, quiet, log, trustProxy }: AppSettings): FastifyInstance {
  return fastify({
    bodyLimit: limits.body,
    requestTimeout: REQUEST_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE,
    // A connection without traffic for longer than a request may take is dead.
    connectionTimeout: limits.seconds * 1000 + REQUEST_TIMEOUT,
    forceCloseConnections: "idle",
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    http: {
      headersTimeout: HEADERS_TIMEOUT,
      connectionsCheckingInterval: 1000,
    },
    routerOptions: { maxParamLength: 500 },
    requestIdHeader: false,
    genReqId: (request: IncomingMessage) =>
      saneRequestId(request.headers["x-request-id"]) ?? randomUUID(),
    logController: new LogController({
      requestIdLogLabel: "requestId",
      disableRequestLogging: true,
    }),
    logger: {
      stream: log ?? process.stderr,
      level: quiet ? "error" : "info",
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
    },
    // Requests are checked, not corrected; errors are in our own words.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, verbose: true } },
    clientErrorHandler: answerBadHttp,
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...SECURITY_HEADERS, "x-request-id": request.id });
      sendError(error, request, reply);
    },
  });
}

export async function buildApp(
  app: FastifyInstance,
  settings: AppSettings,
  context: ServiceContext,
  admission: Admission,
): Promise<void> {
  const { access } = settings;
  app.setErrorHandler(sendError);
  // Answers are not checked against their schemas here; tests do that.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.removeContentTypeParser("text/plain");
  for (const [name, schema] of Object.entries(SCHEMAS)) app.addSchema({ $id: name, ...schema });
  app.decorateRequest("client", "");
  app.addHook("onRequest", guard(new Access(access), context, admission));
  app.addHook("preParsing", (request, reply, body, done) =>
    done(null, admission.receive(request, reply, body)),
  );
  if (access.cors.length > 0) {
    await app.register(cors, { origin: [...access.cors], exposedHeaders: ["x-request-id"] });
  }
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "bracken",
        version: settings.version,
        description: "Constituency trees for sentences.",
        license: { name: "MIT", identifier: "MIT" },
      },
    },
    refResolver: { buildLocalReference: (json) => String(json.$id) },
  });
  addRoutes(app, context, { withOptions: access.cors.length === 0 });
  await app.ready();
}

/** Health checks: they need no key, have no limits, and are answered until the service ends. */
const CHECKS = new Set<string | undefined>([`/${PATHS.health}`, `/${PATHS.ready}`]);

/** The checks that every request has to pass. */
function guard(access: Access, context: ServiceContext, admission: Admission) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { headers, method, routeOptions } = request;
    reply.headers({ ...SECURITY_HEADERS, "x-request-id": request.id });
    // Clients should not send another request on a connection that will be closed.
    if (context.draining.aborted) reply.header("connection", "close");
    reply.raw.once("close", () => record(request, reply, context));
    if (request.raw.socket.destroyed) throw new HungUp();
    access.checkHost(headers);
    access.checkOrigin(headers);
    if (CHECKS.has(routeOptions.url)) return;
    admission.enter(reply);
    // A preflight request has no key.
    if (method === "OPTIONS") return;
    request.client = access.identify(headers) ?? clientOfAddress(request.ip);
    context.clients.check(request.client, "requests", 1);
    context.clients.use(request.client, "requests", 1);
    refuseEncodings(headers["content-encoding"]);
  };
}

/** Counts and logs a request that was answered, or whose client hung up. */
function record(request: FastifyRequest, reply: FastifyReply, { metrics }: ServiceContext): void {
  const { method, ip: address, client } = request;
  const status = reply.raw.writableFinished ? reply.statusCode : HUNG_UP;
  metrics.request(method, request.routeOptions.url ?? "none", status, reply.elapsedTime / 1000);
  const path = request.url.split("?")[0]?.slice(0, 200);
  const key = client && client !== clientOfAddress(address) ? { key: client } : {};
  request.log.info({ method, path, status, ms: Math.round(reply.elapsedTime), address, ...key });
}

function refuseEncodings(encoding: string | undefined): void {
  if (encoding === undefined || encoding === "identity") return;
  throw new ServiceError(415, "unsupported_media_type", "compressed bodies are not accepted");
}
