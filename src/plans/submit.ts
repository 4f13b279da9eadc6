/** Puts the parts of a plan into a queue. */

import type { Plan } from "./plan.js";
import { jobIdOf, type PartJob, type PartQueue, partOfJobId, queueKeyOf } from "./queue.js";
import { listDone } from "./receipts.js";
import type { Store } from "./store.js";

export interface Submitted {
  /** Parts that are in the queue now and were not. */
  readonly added: number;
  /** Among them parts that had been set aside, and parts whose results are gone. */
  readonly again: number;
  /** Parts that were in the queue already. */
  readonly there: number;
  /** Parts that need nothing more. */
  readonly done: number;
}

/** How many jobs are sent at once. */
const BATCH = 1000;

/** After the first failure a part rests for so long, after each further one twice as long as before. */
const BACK_OFF_MS = 5000;

/**
 * Submitting twice doubles nothing: the ids of jobs come from the plan, its place and the part.
 *
 * @param tries how often a part may fail before it is set aside.
 */
export async function submitPlan(
  queue: PartQueue,
  store: Store,
  plan: Plan,
  tries: number,
): Promise<Submitted> {
  const done = await listDone(store);
  const undone = plan.parts.map(({ part }) => part).filter((part) => !done.has(part));
  const key = queueKeyOf(store, plan);
  const again = await removeEnded(queue, key, new Set(undone));
  const before = await idsOf(queue, key, OPEN);
  const opts = { attempts: tries, backoff: { type: "exponential", delay: BACK_OFF_MS } };
  const missing = undone.filter((part) => !before.has(part));
  for (let at = 0; at < missing.length; at += BATCH) {
    const jobs = missing.slice(at, at + BATCH).map((part) => {
      const data: PartJob = { plan: store.name, id: plan.id, part };
      return { name: plan.job.command, data, opts: { ...opts, jobId: jobIdOf(key, part) } };
    });
    await queue.addBulk(jobs);
  }
  const there = undone.length - missing.length;
  return { added: missing.length, again, there, done: plan.parts.length - undone.length };
}

/** The states of jobs that will be done without anyone's help. */
const OPEN = ["wait", "prioritized", "active", "delayed"] as const;

/** Jobs that have ended although their parts are not done, since they failed or since the result was deleted. */
async function removeEnded(
  queue: PartQueue,
  key: string,
  undone: ReadonlySet<number>,
): Promise<number> {
  const ended = await idsOf(queue, key, ["completed", "failed"]);
  const again = [...ended].filter((part) => undone.has(part));
  for (const part of again) await queue.remove(jobIdOf(key, part));
  return again.length;
}

/** The parts of a plan, by its key, whose jobs are in these states. */
export async function idsOf(
  queue: PartQueue,
  key: string,
  states: readonly ("wait" | "prioritized" | "active" | "delayed" | "completed" | "failed")[],
): Promise<Set<number>> {
  const ids = await queue.getRanges([...states], 0, -1);
  return new Set(ids.flatMap((id) => partOfJobId(id, key) ?? []));
}
