/** `GET /v1/runs` and `/v1/runs/:name/log`: the training runs under the watched folder. */

import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { ServiceContext } from "../context.js";
import { followLog, type LogEvent, type Run, readLog } from "../run-log.js";
import { findRuns, summarise } from "../runs.js";
import { errorAnswers, jsonAnswer, ref } from "../schemas.js";
import { ServiceError } from "../service-error.js";
import { EVENT_STREAM, NDJSON, PATHS, type RunEvents, type RunsResponse } from "../wire.js";

/** The most followers: each looks at its file twice a second. */
const MOST_FOLLOWERS = 64;

interface LogRequest {
  readonly Params: { readonly name: string };
  readonly Querystring: { readonly follow?: string };
}

export function runsRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { watch, closing } = context;
  if (watch === undefined) return;
  app.get(`/${PATHS.runs}`, {
    schema: {
      operationId: "runs",
      summary: "The training runs under the watched folder",
      response: { 200: jsonAnswer("Runs", "The runs."), ...errorAnswers() },
    },
    handler: async (): Promise<RunsResponse> => ({ runs: await summariseAll(watch) }),
  });
  const followers = new Set<FastifyReply>();
  app.get<LogRequest>(`/${PATHS.runs}/:name/log`, {
    schema: {
      operationId: "runLog",
      summary: "The log of a training run",
      params: {
        type: "object",
        properties: {
          name: { type: "string", description: "The name of the run, with %2F between folders." },
        },
        required: ["name"],
      },
      querystring: {
        type: "object",
        properties: {
          follow: {
            type: "string",
            enum: ["0", "1"],
            description:
              "Server-sent events: records, each with its id; reset when the log starts again; status; end when the run is finished or removed. With Last-Event-ID the events continue after that record.",
          },
        },
      },
      response: {
        200: {
          description: "The records of the log, in order.",
          content: {
            [NDJSON]: { schema: ref("StepRecord") },
            [EVENT_STREAM]: { schema: { type: "string" } },
          },
        },
        ...errorAnswers(404),
      },
    },
    handler: async (request, reply) => {
      const run = (await findRuns(watch)).find(({ name }) => name === request.params.name);
      if (!run) throw new ServiceError(404, "not_found", "there is no run of that name");
      if (request.query.follow !== "1") {
        reply.type(`${NDJSON}; charset=utf-8`);
        return reply.send(Readable.from(withNewlines(readLog(run)), { objectMode: false }));
      }
      if (followers.size >= MOST_FOLLOWERS) {
        throw new ServiceError(429, "too_busy", `${MOST_FOLLOWERS} are watching already`, {
          "retry-after": "10",
        });
      }
      followers.add(reply);
      reply.raw.once("close", () => followers.delete(reply));
      const after = request.headers["last-event-id"];
      return sendEvents(run, typeof after === "string" ? after : undefined, reply, closing);
    },
  });
}

/** Leaves out a run that is removed meanwhile. */
async function summariseAll(folder: string) {
  const runs = await findRuns(folder);
  const summaries = await Promise.all(runs.map((run) => summarise(run).catch(() => undefined)));
  return summaries.filter((summary) => summary !== undefined);
}

async function* withNewlines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

function sendEvents(
  run: Run,
  after: string | undefined,
  reply: FastifyReply,
  closing: AbortSignal,
) {
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort());
  const signal = AbortSignal.any([closing, gone.signal]);
  reply.header("cache-control", "no-store").type(`${EVENT_STREAM}; charset=utf-8`);
  return reply.send(Readable.from(events(run, after, signal), { objectMode: false }));
}

/** A browser whose connection breaks comes back by itself, with the id of the last record. */
async function* events(
  run: Run,
  after: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<string> {
  yield "retry: 1000\n\n";
  for await (const event of followLog(run, { after, signal })) yield onWire(event);
}

function onWire(event: LogEvent): string {
  switch (event.kind) {
    case "record":
      // A line end would end the event. In JSON it can only be white space.
      return `id: ${event.id}\ndata: ${event.text.replaceAll("\r", " ")}\n\n`;
    case "reset":
      return named("reset", {});
    case "status":
      return named("status", { status: event.status });
    case "end":
      return named("end", { reason: event.reason });
    case "quiet":
      return ": still here\n\n";
  }
}

function named<Name extends keyof RunEvents>(name: Name, data: RunEvents[Name]): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
