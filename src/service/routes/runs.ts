/** `GET /v1/runs` and `/v1/runs/:name/log`: the training runs under the watched folder. */

import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { ServiceContext } from "../context.js";
import { findRuns, followLog, type Run, readLog, summarise } from "../runs.js";
import { errorAnswers, jsonAnswer, ref } from "../schemas.js";
import { ServiceError } from "../service-error.js";
import { NDJSON } from "./parse.js";

const EVENTS = "text/event-stream";
/** Each looks at its file twice a second. */
const MOST_FOLLOWERS = 64;

export function runsRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { watch, closing } = context;
  if (watch === undefined) return;
  app.get("/v1/runs", {
    schema: {
      operationId: "runs",
      summary: "The training runs under the watched folder",
      response: { 200: jsonAnswer("Runs", "The runs."), ...errorAnswers() },
    },
    handler: async () => ({ runs: await summariseAll(watch) }),
  });
  const followers = new Set<FastifyReply>();
  app.get<{ Params: { name: string }; Querystring: { follow?: string } }>("/v1/runs/:name/log", {
    schema: {
      operationId: "runLog",
      summary: "The log of a training run",
      params: {
        type: "object",
        properties: { name: { type: "string", description: "With %2F between folders." } },
        required: ["name"],
      },
      querystring: {
        type: "object",
        properties: {
          follow: {
            type: "string",
            enum: ["0", "1"],
            description:
              "Server-sent events that go on as the log grows, and end when it is written anew.",
          },
        },
      },
      response: {
        200: {
          description: "The records of the log, in order.",
          content: {
            [NDJSON]: { schema: ref("StepRecord") },
            [EVENTS]: { schema: { type: "string" } },
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
      return sendEvents(run, reply, closing);
    },
  });
}

/** A run that is removed while it is being looked at is left out. */
async function summariseAll(folder: string) {
  const runs = await findRuns(folder);
  const summaries = await Promise.all(runs.map((run) => summarise(run).catch(() => undefined)));
  return summaries.filter((summary) => summary !== undefined);
}

async function* withNewlines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

function sendEvents(run: Run, reply: FastifyReply, closing: AbortSignal) {
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort());
  const signal = AbortSignal.any([closing, gone.signal]);
  reply.header("cache-control", "no-store").type(`${EVENTS}; charset=utf-8`);
  return reply.send(Readable.from(events(run, signal), { objectMode: false }));
}

/** Browsers come back by themselves when the stream ends, and then get the log from its beginning. */
async function* events(run: Run, signal: AbortSignal): AsyncGenerator<string> {
  yield "retry: 1000\n\n";
  for await (const event of followLog(run, { signal })) {
    yield event === "quiet" ? ": still here\n\n" : `data: ${event.text}\n\n`;
  }
}
