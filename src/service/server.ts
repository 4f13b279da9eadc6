/**
 * The HTTP service: threads, queue, routes and limits put together. It listens once the models are
 * loaded. To shut down it refuses what comes, finishes what it has accepted, and ends.
 */

import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import cors from "@fastify/cors";
import swagger from "@fastify/swagger";
import fastify, { type FastifyInstance, LogController } from "fastify";
import { InputError } from "../errors.js";
import type { Precision } from "../model/config.js";
import { Admission } from "./admission.js";
import { Batcher } from "./batcher.js";
import { Connections } from "./connections.js";
import type { ServiceContext } from "./context.js";
import { answerBadHttp, sendError } from "./error-handler.js";
import { listFiles } from "./files.js";
import { SECURITY_HEADERS, saneRequestId } from "./headers.js";
import { checkLimits, type Limits } from "./limits.js";
import { Metrics } from "./metrics.js";
import { openModels, type ServedModel } from "./models.js";
import { addRoutes } from "./routes/index.js";
import { SCHEMAS } from "./schemas.js";
import { ServiceError } from "./service-error.js";
import { ParserWorkers, Reader } from "./worker-pools.js";

export interface ServiceSettings {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  readonly models: readonly string[];
  readonly limits: Limits;
  readonly watch?: string | undefined;
  /** The folder of the page, if it is not the one that comes with bracken. */
  readonly page?: string | undefined;
  /** Origins whose pages may use the service. */
  readonly cors?: readonly string[] | undefined;
  /** How many threads parse, each with the models to itself. */
  readonly threads?: number | undefined;
  readonly precision?: Precision | undefined;
  /** Log errors only. */
  readonly quiet?: boolean | undefined;
  readonly version: string;
}

export interface Service {
  readonly url: string;
  readonly models: readonly ServedModel[];
  /** Fails when the service cannot go on. */
  readonly lost: Promise<never>;
  /** Finishes what was accepted and ends. */
  close(): Promise<void>;
}

/** Where the page is built to, seen from src/service and from dist/service alike. */
const PAGE = fileURLToPath(new URL("../../dist/web", import.meta.url));

/** Milliseconds for a request's headers, for its body, and between requests. */
const [HEADERS_TIMEOUT, REQUEST_TIMEOUT, KEEP_ALIVE] = [10_000, 30_000, 10_000];
const MOST_CONNECTIONS = 4096;

export async function startService(settings: ServiceSettings): Promise<Service> {
  const { limits } = settings;
  checkLimits(limits);
  const models = await openModels(settings.models);
  const app = makeApp(settings);
  const { engine, reader, lost } = await startWorkers(app, models, settings);
  const connections = new Connections(app.server, MOST_CONNECTIONS);
  const metrics: Metrics = new Metrics({
    waiting: () => batcher.waiting,
    connections: () => connections.open,
  });
  const batcher = new Batcher(engine, {
    queue: limits.queue,
    onRound: (report) => metrics.round(report),
    onRecord: (task, record) => metrics.record(task, record),
  });
  const closing = new AbortController();
  const admission = new Admission(limits.body);
  const close = async () => {
    closing.abort();
    await admission.close();
    await app.close();
    await Promise.all([engine.close(), reader.close()]);
  };
  try {
    const files = await listFiles(settings.page ?? PAGE, models);
    const { signal } = closing;
    const rest = { models, reader, batcher, metrics, files, closing: signal };
    await build(app, settings, { limits, watch: settings.watch, ...rest }, admission);
    await listen(app, settings);
  } catch (error) {
    await close();
    throw error;
  }
  return { url: urlOf(app.server.address() as AddressInfo), models, lost, close };
}

async function startWorkers(
  app: FastifyInstance,
  models: readonly ServedModel[],
  { limits, threads, precision }: ServiceSettings,
) {
  let lose: (error: Error) => void = () => {};
  const lost = new Promise<never>((_, reject) => {
    lose = reject;
  });
  // Nobody may be waiting yet.
  lost.catch(() => {});
  const options = {
    restart: true,
    onRestart: (error: Error) => app.log.error(error, "a worker died; another is started"),
    onLost: (error: Error) => lose(error),
  };
  const engine = await ParserWorkers.start(models, threads, { ...options, precision });
  return { engine, reader: await Reader.start(limits, options), lost };
}

async function listen(app: FastifyInstance, { host, port }: ServiceSettings): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const problem = LISTENING[code ?? ""];
    if (!problem) throw error;
    throw new InputError(`cannot listen on ${host}, port ${port}: ${problem}`, {}, REMEDY);
  }
}

const LISTENING: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program does",
  EACCES: "that is not permitted",
  EADDRNOTAVAIL: "this machine has no such address",
  ENOTFOUND: "there is no such host",
};
const REMEDY = "choose another --port or --host; --port 0 takes any that is free";

function urlOf({ address, port, family }: AddressInfo): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}/`;
}

function makeApp({ limits, quiet }: ServiceSettings): FastifyInstance {
  return fastify({
    bodyLimit: limits.body,
    requestTimeout: REQUEST_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE,
    // A connection on which nothing moves for longer than a request may take is dead.
    connectionTimeout: limits.seconds * 1000 + REQUEST_TIMEOUT,
    forceCloseConnections: true,
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
      stream: process.stderr,
      level: quiet ? "error" : "info",
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
    },
    // What a request says is checked, not mended.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
    clientErrorHandler: answerBadHttp,
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...SECURITY_HEADERS, "x-request-id": request.id });
      sendError(error, request, reply);
    },
  });
}

async function build(
  app: FastifyInstance,
  settings: ServiceSettings,
  context: ServiceContext,
  admission: Admission,
): Promise<void> {
  app.setErrorHandler(sendError);
  // Answers are written as handlers made them; tests hold them against their schemas.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.removeContentTypeParser("text/plain");
  for (const [name, schema] of Object.entries(SCHEMAS)) app.addSchema({ $id: name, ...schema });
  app.addHook("onRequest", async (request, reply) => {
    reply.headers({ ...SECURITY_HEADERS, "x-request-id": request.id });
    admission.enter(request, reply);
    refuseEncodings(request.headers["content-encoding"]);
  });
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "none";
    const [method, status] = [request.method, reply.statusCode];
    context.metrics.request(method, route, status, reply.elapsedTime / 1000);
    const path = request.url.split("?")[0]?.slice(0, 200);
    request.log.info({ method, path, status, ms: Math.round(reply.elapsedTime) });
  });
  if (settings.cors?.length) {
    await app.register(cors, { origin: [...settings.cors], exposedHeaders: ["x-request-id"] });
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
  addRoutes(app, context, { withOptions: settings.cors === undefined });
  await app.ready();
}

function refuseEncodings(encoding: string | undefined): void {
  if (encoding === undefined || encoding === "identity") return;
  throw new ServiceError(415, "unsupported_media_type", "bodies are taken uncompressed only");
}
