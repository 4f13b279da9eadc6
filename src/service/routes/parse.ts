/** `POST /v1/parse`: sentences in, trees out, at once or line by line as they are done. */

import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { chooseModel, type ServiceContext } from "../context.js";
import { Job } from "../job.js";
import type { Limits } from "../limits.js";
import { errorAnswers, ref } from "../schemas.js";
import { errorBody, HungUp, ServiceError } from "../service-error.js";
import { allRecords, submit } from "../submit.js";
import type { TaskOptions } from "../task.js";
import {
  MAX_CHART_SENTENCES,
  NDJSON,
  PATHS,
  type ParseOptionsBody,
  type ParseRequest,
} from "../wire.js";

/** How many records of a stream may wait for a client that is slow to read. */
const AHEAD = 64;

export function parseRoute(app: FastifyInstance, context: ServiceContext): void {
  app.post<{ Body: ParseRequest; Querystring: { stream?: string } }>(`/${PATHS.parse}`, {
    schema: {
      operationId: "parse",
      summary: "Parse text, words, lines or sentences",
      querystring: {
        type: "object",
        properties: {
          stream: {
            type: "string",
            enum: ["0", "1"],
            description: `1 answers ${NDJSON}, as the header "Accept: ${NDJSON}" does.`,
          },
        },
      },
      body: ref("ParseRequest"),
      response: {
        200: {
          description: "A record for each sentence, in order.",
          content: {
            "application/json": { schema: ref("ParseResponse") },
            [NDJSON]: { schema: ref("ParseLine") },
          },
        },
        ...errorAnswers(400, 408, 413, 415),
      },
    },
    handler: async (request, reply) => {
      const { model: asked, options, ...body } = request.body;
      const { name: model, language } = chooseModel(context, asked);
      const bytes = Number(request.headers["content-length"]);
      const items = await context.reader.read(body, bytes, language);
      if (options?.chart) checkCharts(items.length);
      const isStream = wantsStream(request);
      const job = new Job(items, {
        model,
        options: taskOptions(options, context.limits),
        ...(isStream ? { ahead: AHEAD } : {}),
      });
      submit(job, reply, context);
      if (isStream) return streamRecords(job, request, reply);
      const records = await allRecords(job);
      reply.type("application/json; charset=utf-8");
      return `{"model":${JSON.stringify(model)},"sentences":[${records.join(",")}]}`;
    },
  });
}

function checkCharts(sentences: number): void {
  if (sentences <= MAX_CHART_SENTENCES) return;
  throw new ServiceError(
    413,
    "too_many_sentences",
    `${sentences} sentences; a request with charts may have ${MAX_CHART_SENTENCES}`,
  );
}

/** A request may lower the limit of a sentence's words, not raise it. */
function taskOptions(options: ParseOptionsBody = {}, { words }: Limits): TaskOptions {
  return { ...options, maxTokens: Math.min(options.maxTokens ?? words, words) };
}

function wantsStream(request: FastifyRequest<{ Querystring: { stream?: string } }>): boolean {
  const { stream } = request.query;
  return stream === undefined ? (request.headers.accept ?? "").includes(NDJSON) : stream === "1";
}

/** A request that fails before its first record is answered as any other that fails. */
async function streamRecords(job: Job, request: FastifyRequest, reply: FastifyReply) {
  const records = job.records();
  const first = await records.next();
  async function* lines() {
    if (!first.done) yield `${first.value}\n`;
    try {
      for await (const record of records) yield `${record}\n`;
    } catch (error) {
      if (!(error instanceof ServiceError)) {
        if (!(error instanceof HungUp)) request.log.error(error);
        throw error;
      }
      yield `${JSON.stringify(errorBody(error, request.id))}\n`;
    }
  }
  reply.type(`${NDJSON}; charset=utf-8`);
  return reply.send(Readable.from(lines(), { objectMode: false }));
}
