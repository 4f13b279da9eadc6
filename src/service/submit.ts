/** Ties a job to its request: it leaves the queue when the client is gone or the time is up. */

import type { FastifyReply } from "fastify";
import type { ServiceContext } from "./context.js";
import type { Job } from "./job.js";
import { HungUp, ServiceError } from "./service-error.js";

export function submit(
  job: Job,
  reply: FastifyReply,
  { batcher, clients, limits }: Pick<ServiceContext, "batcher" | "clients" | "limits">,
): void {
  const [{ client }, words] = [reply.request, job.waitingWords];
  clients.check(client, "words", words);
  batcher.submit(job);
  clients.use(client, "words", words);
  const left = limits.seconds * 1000 - reply.elapsedTime;
  const timer = setTimeout(() => batcher.withdraw(job, tookTooLong(limits.seconds)), left);
  reply.raw.once("close", () => {
    clearTimeout(timer);
    batcher.withdraw(job, new HungUp());
  });
  // The client may have hung up while its body was read.
  if (reply.raw.destroyed) batcher.withdraw(job, new HungUp());
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
