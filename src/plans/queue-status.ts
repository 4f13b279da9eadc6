/** How far the parts of a plan are, by the queue: BullMQ knows who is at work, what waits and what has failed. */

import type { PartQueue, QueuedPart } from "./queue.js";
import type { AtWork, FailedPart, RunningPart } from "./status.js";
import { idsOf } from "./submit.js";

/** The jobs of one plan. */
export async function queueStatus(queue: PartQueue, plan: string): Promise<AtWork> {
  const [active, ended, delayed] = await Promise.all([
    jobsOf(queue, plan, "active"),
    jobsOf(queue, plan, "failed"),
    jobsOf(queue, plan, "delayed"),
  ]);
  const waiting = await idsOf(queue, plan, ["wait", "prioritized"]);
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
  plan: string,
  state: "active" | "failed" | "delayed",
): Promise<QueuedPart[]> {
  const jobs = await queue.getJobs([state], 0, -1);
  // A job that ended since its id was read is undefined.
  return jobs.filter((job) => job?.data.id === plan);
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
