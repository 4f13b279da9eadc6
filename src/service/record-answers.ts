/** Answers of one record for each sentence, in order: all at once, or line by line as they are done. */

import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ServiceContext } from "./context.js";
import { Job, type JobOptions } from "./job.js";
import type { Limits } from "./limits.js";
import type { AnySchema } from "./schema-types.js";
import { ref } from "./schemas.js";
import type { Item } from "./sentences.js";
import { errorBody, HungUp, ServiceError } from "./service-error.js";
import { allRecords, submit } from "./submit.js";
import type { TaskOptions } from "./task.js";
import { type AnsweredLanguage, type Messages, NDJSON, type ParseOptionsBody } from "./wire.js";

/** How many records of a stream may wait for a client that is slow to read. */
const AHEAD = 64;

export interface StreamQuery {
  readonly stream?: string;
}

export const STREAM_QUERY: AnySchema = {
  type: "object",
  properties: {
    stream: {
      type: "string",
      enum: ["0", "1"],
      description: `1 answers ${NDJSON}, as the header "Accept: ${NDJSON}" does.`,
    },
  },
};

/** The description of an answer, whole or in lines. */
export function recordAnswers(whole: keyof Messages, line: keyof Messages): AnySchema {
  return {
    description: "A record for each sentence, in order.",
    content: { "application/json": { schema: ref(whole) }, [NDJSON]: { schema: ref(line) } },
  };
}

/** A request may lower the limit of a sentence's words, not raise it. */
export function taskOptions(options: ParseOptionsBody = {}, { words }: Limits): TaskOptions {
  return { ...options, maxTokens: Math.min(options.maxTokens ?? words, words) };
}

type RecordRequest = FastifyRequest<{ Querystring: StreamQuery }>;

/** Parses the sentences, and answers as the client wants it. */
export async function answerRecords(
  items: readonly Item[],
  { facts, ...task }: Pick<JobOptions, "model" | "options"> & { readonly facts: AnsweredLanguage },
  context: ServiceContext,
  request: RecordRequest,
  reply: FastifyReply,
): Promise<FastifyReply | string> {
  const isStream = wantsStream(request);
  const job = new Job(items, { ...task, ...(isStream ? { ahead: AHEAD } : {}) });
  submit(job, reply, context);
  if (isStream) return streamRecords(job, request, reply);
  const records = await allRecords(job);
  reply.type("application/json; charset=utf-8");
  const head = JSON.stringify({ model: task.model, ...facts }).slice(0, -1);
  return `${head},"sentences":[${records.join(",")}]}`;
}

function wantsStream(request: RecordRequest): boolean {
  const { stream } = request.query;
  return stream === undefined ? (request.headers.accept ?? "").includes(NDJSON) : stream === "1";
}

/** A request that fails before its first record gets an ordinary error answer. */
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
