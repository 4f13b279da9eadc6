/** How far the parts of a plan are, by the queue: BullMQ knows who is at work, what waits and what has failed. */

import type { Plan } from "./plan.js";
import { type PartQueue, partOfJobId, type QueuedPart, queueKeyOf } from "./queue.js";
import type { AtWork, FailedPart, RunningPart } from "./status.js";
import type { Store } from "./store.js";
import { idsOf } from "./submit.js";

/** The jobs of one plan. */
export async function queueStatus(queue: PartQueue, store: Store, plan: Plan): Promise<AtWork> {
  const key = queueKeyOf(store, plan);
  const [active, ended, delayed] = await Promise.all([
    jobsOf(queue, key, "active"),
    jobsOf(queue, key, "failed"),
    jobsOf(queue, key, "delayed"),
  ]);
  const waiting = await idsOf(queue, key, ["wait", "prioritized"]);
  return {
    running: active.map(describeRunning),
    failed: [
      ...ended.map((job) => describeFailed(job, true)),
      ...delayed.map((job) => describeFailed(job, false)),
    ],
    lost: [],
    waiting: waiting.size + delayed.length,
  };
}

async function jobsOf(
  queue: PartQueue,
  key: string,
  state: "active" | "failed" | "delayed",
): Promise<QueuedPart[]> {
  const jobs = await queue.getJobs([state], 0, -1);
  // A job that ended since its id was read is undefined.
  return jobs.filter((job) => job?.id !== undefined && partOfJobId(job.id, key) !== undefined);
}

function describeRunning({ data, progress, processedBy }: QueuedPart): RunningPart {
  const share = typeof progress === "number" ? progress / 100 : 0;
  return { part: data.part, worker: processedBy ?? "unknown", share };
}

function describeFailed(
  { data, attemptsMade, failedReason }: QueuedPart,
  isSetAside: boolean,
): FailedPart {
  return { part: data.part, tries: attemptsMade, error: failedReason ?? "", isSetAside };
}
