/** Ties a job to its request: it leaves the queue when the client is gone or the time is up. */

import type { FastifyReply } from "fastify";
import type { ServiceContext } from "./context.js";
import type { Job } from "./job.js";
import { ServiceError } from "./service-error.js";

export function submit(
  job: Job,
  reply: FastifyReply,
  { batcher, limits }: Pick<ServiceContext, "batcher" | "limits">,
): void {
  const left = limits.seconds * 1000 - reply.elapsedTime;
  const timer = setTimeout(() => batcher.withdraw(job, tookTooLong(limits.seconds)), left);
  reply.raw.once("close", () => {
    clearTimeout(timer);
    batcher.withdraw(job, new Error("the connection is closed"));
  });
  batcher.submit(job);
}

function tookTooLong(seconds: number): ServiceError {
  return new ServiceError(408, "timeout", `a request may take ${seconds} seconds`);
}

/** All records of a job. */
export async function allRecords(job: Job): Promise<string[]> {
  const records: string[] = [];
  for await (const record of job.records()) records.push(record);
  return records;
}
