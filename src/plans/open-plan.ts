/** Opens plans and their stores by paths and addresses. */

import { InputError } from "../errors.js";
import { isAddress } from "../files/address.js";
import { checkedOpener } from "./inputs.js";
import { openJob, type PartRunner, type WorkContext } from "./jobs.js";
import { ObjectStore } from "./object-store.js";
import { type Plan, readPlan } from "./plan.js";
import type { PartJob } from "./queue.js";
import { AnyRanges } from "./remote-inputs.js";
import { FolderStore, type Store } from "./store.js";
import { checkVersion } from "./work.js";
import type { OpenPlan } from "./work-queue.js";

/** The store at a path or an address. */
export function storeAt(place: string): Store {
  if (!isAddress(place)) return new FolderStore(place);
  if (place.startsWith("s3:")) return new ObjectStore(place);
  throw new InputError(
    "a plan cannot be kept on a web server",
    { file: place },
    "keep it in a folder, or in object storage: s3://bucket/folder",
  );
}

type Means = Pick<WorkContext, "threads" | "models" | "onNote">;

/** Loads what a worker needs for the parts of a plan. */
export async function openRunner(plan: Plan, store: Store, means: Means): Promise<PartRunner> {
  checkVersion(plan);
  const ranges = new AnyRanges();
  const openBytes = checkedOpener(plan.inputs, ranges.open);
  const runner = await openJob({ plan, store, openBytes, ...means });
  return {
    run: (part, output) => runner.run(part, output),
    close: async () => {
      await runner.close();
      await ranges.close();
    },
  };
}

/** Opens the plan of a job. */
export async function openPlan({ plan: place, id }: PartJob, means: Means): Promise<OpenPlan> {
  const store = storeAt(place);
  const plan = await readPlan(store);
  if (plan.id !== id) {
    throw new InputError(
      "the plan here is not the one that was submitted",
      { file: store.name },
      `submit it: bracken submit ${store.name} --queue …`,
    );
  }
  let runner: Promise<PartRunner> | undefined;
  return {
    ...{ plan, store },
    runner: () => {
      runner ??= openRunner(plan, store, means);
      return runner;
    },
    close: async () => (await runner?.catch(() => undefined))?.close(),
  };
}
