/** Plans in this process: made, worked on and gathered as the commands do it. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gather } from "../../src/plans/gather.js";
import { checkedOpener, openLocalRanges } from "../../src/plans/inputs.js";
import {
  openJob,
  type PartRunner,
  type PlanContext,
  type PlannedJob,
} from "../../src/plans/jobs.js";
import { makePlan } from "../../src/plans/make-plan.js";
import { type Plan, readPlan } from "../../src/plans/plan.js";
import { FolderStore } from "../../src/plans/store.js";
import type { Worker } from "../../src/plans/work.js";

export const CONTEXT: PlanContext = { openRanges: openLocalRanges, onBytes() {} };

/** Writes a plan of so many parts into a folder. */
export async function writeParts(folder: string, job: PlannedJob, parts: number): Promise<Plan> {
  const store = new FolderStore(folder);
  await store.prepare();
  await makePlan(store, job, parts);
  return readPlan(store);
}

/** What a worker needs, with its job open. */
export async function openWorker(
  folder: string,
  more: Partial<Worker> = {},
): Promise<Worker & { close(): Promise<void> }> {
  const store = new FolderStore(folder);
  const plan = await readPlan(store);
  const openBytes = checkedOpener(plan.inputs, openLocalRanges);
  const runner: PartRunner =
    more.runner ?? (await openJob({ plan, store, openBytes, threads: 1, onNote() {} }));
  return {
    ...{ plan, store, lease: 60, tries: 3, wait: true },
    signal: new AbortController().signal,
    onDone() {},
    onFailed: (part, error) => {
      throw new Error(`part ${part}: ${error}`);
    },
    ...more,
    runner,
    close: () => runner.close(),
  };
}

/** The joined output. */
export async function gathered(folder: string): Promise<Buffer> {
  const store = new FolderStore(folder);
  const out = join(folder, "joined");
  await gather(store, await readPlan(store), out);
  return readFileSync(out);
}
