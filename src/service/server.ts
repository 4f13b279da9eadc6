/**
 * The HTTP service: puts together workers, queue and web application. It listens once the models are
 * loaded. To shut down it reports that it is not ready, refuses new requests, finishes those it has
 * accepted within a bounded time, and ends.
 */

import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import { type AnnotationOptions, AnnotationSession } from "../annotate/session.js";
import { InputError } from "../errors.js";
import type { Precision } from "../model/config.js";
import { Admission } from "./admission.js";
import { type AppSettings, buildApp, makeApp } from "./app.js";
import { Batcher, type Engine } from "./batcher.js";
import { ClientLimits, type ClientRates } from "./client-limits.js";
import { Connections } from "./connections.js";
import type { RequestReader } from "./context.js";
import { listFiles } from "./files.js";
import { checkLimits } from "./limits.js";
import { Metrics } from "./metrics.js";
import { openModels, type ServedModel } from "./models.js";
import { ParserWorkers, Reader } from "./worker-pools.js";

export interface ServiceSettings extends AppSettings {
  /** 0 for any that is free. */
  readonly port: number;
  readonly models: readonly string[];
  readonly rates: ClientRates;
  /** When shutting down: seconds to go on as before, then seconds to finish what was accepted. */
  readonly drain: { readonly delay: number; readonly seconds: number };
  readonly watch?: string | undefined;
  /** Ask people questions about their documents; the first model is the one to start from. */
  readonly annotation?: Omit<AnnotationOptions, "from"> | undefined;
  /** The folder of the page, if it is not the one that comes with bracken. */
  readonly page?: string | undefined;
  /** How many threads parse, each with the models to itself. */
  readonly threads?: number | undefined;
  readonly precision?: Precision | undefined;
}

export interface Service {
  readonly url: string;
  readonly models: readonly ServedModel[];
  /** Rejected when the service cannot go on. */
  readonly lost: Promise<never>;
  /** Finishes what was accepted and ends. */
  close(): Promise<void>;
}

/** What does the work behind the web application. */
export interface Workers {
  readonly engine: Engine & { close(): Promise<void> };
  readonly reader: RequestReader;
  readonly annotation?: AnnotationSession | undefined;
  readonly lost: Promise<never>;
}

/** Where the page is built to, seen from src/service and from dist/service alike. */
const PAGE = fileURLToPath(new URL("../../dist/web", import.meta.url));

const MOST_CONNECTIONS = 4096;

export async function startService(settings: ServiceSettings): Promise<Service> {
  checkLimits(settings.limits, settings.rates);
  const models = await openModels(settings.models);
  const app = makeApp(settings);
  const annotation = await openAnnotation(app, models, settings);
  try {
    const workers = await startWorkers(app, models, settings);
    return await runService(app, settings, models, { ...workers, annotation });
  } catch (error) {
    await annotation?.close();
    throw error;
  }
}

async function openAnnotation(
  { log }: FastifyInstance,
  [first]: readonly ServedModel[],
  { annotation }: ServiceSettings,
): Promise<AnnotationSession | undefined> {
  if (!annotation || !first) return undefined;
  return AnnotationSession.open({
    ...annotation,
    from: first.folder,
    onLesson: (outcome) => {
      if (outcome instanceof Error) log.error(outcome, "a lesson failed");
      else log.info({ lesson: outcome });
    },
  });
}

/** Runs the service with workers that were started before. */
export async function runService(
  app: FastifyInstance,
  settings: ServiceSettings,
  models: readonly ServedModel[],
  { engine, reader, annotation, lost }: Workers,
): Promise<Service> {
  const { limits, drain } = settings;
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
  const [draining, closing] = [new AbortController(), new AbortController()];
  const admission = new Admission(limits.body);
  const end = async () => {
    closing.abort();
    const late = await admission.close(drain.seconds);
    if (late > 0) app.log.warn(`${late} requests were cut off after ${drain.seconds} s`);
    await closeConnections(app);
    await Promise.all([engine.close(), reader.close(), annotation?.close()]);
  };
  try {
    const context = {
      ...{ limits, watch: settings.watch, models, reader, batcher, metrics, annotation },
      files: await listFiles(settings.page ?? PAGE, models),
      clients: new ClientLimits(settings.rates),
      draining: draining.signal,
      closing: closing.signal,
    };
    await buildApp(app, settings, context, admission);
    await listen(app, settings);
  } catch (error) {
    await end();
    throw error;
  }
  const close = async () => {
    draining.abort();
    await new Promise((resolve) => setTimeout(resolve, drain.delay * 1000));
    await end();
  };
  return { url: urlOf(app.server.address() as AddressInfo), models, lost, close };
}

/** Milliseconds in which clients that were just refused can read why. */
const REFUSAL_TIME = 1000;

/** Closes idle connections at once and the others a little later. */
async function closeConnections(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), REFUSAL_TIME);
  await app.close();
  clearTimeout(timer);
}

async function startWorkers(
  app: FastifyInstance,
  models: readonly ServedModel[],
  { limits, threads, precision }: ServiceSettings,
): Promise<Workers> {
  let lose: (error: Error) => void = () => {};
  const lost = new Promise<never>((_, reject) => {
    lose = reject;
  });
  // Not an unhandled rejection, even if nothing waits for it yet.
  lost.catch(() => {});
  const options = {
    restart: true,
    onRestart: (error: Error) => app.log.error(error, "a worker died; another is started"),
    onLost: (error: Error) => lose(error),
  };
  const engine = await ParserWorkers.start(models, threads, { ...options, precision });
  return { engine, reader: await Reader.start(limits, options), lost };
}

async function listen(app: FastifyInstance, { access, port }: ServiceSettings): Promise<void> {
  const { host, keys } = access;
  try {
    await app.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const problem = LISTENING[code ?? ""];
    if (!problem) throw error;
    throw new InputError(`cannot listen on ${host}, port ${port}: ${problem}`, {}, REMEDY);
  }
  if (keys || isLoopback(app.server.address() as AddressInfo)) return;
  app.log.warn(
    `whoever can reach ${host} may use the service: set --api-key-file to require a key`,
  );
}

const LISTENING: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program does",
  EACCES: "that is not permitted",
  EADDRNOTAVAIL: "this machine has no such address",
  EAI_AGAIN: "the host cannot be looked up",
  ENOTFOUND: "there is no such host",
};
const REMEDY = "choose another --port or --host; --port 0 takes any that is free";

function isLoopback({ address }: AddressInfo): boolean {
  return address === "::1" || address.startsWith("127.");
}

function urlOf({ address, port, family }: AddressInfo): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}/`;
}
