/** Makes a plan: cuts a job into parts and writes them down. */

import { packageVersion } from "../version.js";
import type { PlannedJob } from "./jobs.js";
import { type Part, type PlannedInput, writePlan } from "./plan.js";
import type { Store } from "./store.js";

export interface MadePlan {
  readonly parts: readonly Part[];
  readonly inputs: readonly PlannedInput[];
  /** Bytes of text in all. */
  readonly work: number;
  /** Whether the same plan was there already. */
  readonly wasThere: boolean;
  /** Messages for the user. */
  readonly notes: readonly string[];
}

/** @param count how many parts are wanted. */
export async function makePlan(
  store: Store,
  { job, inputs, places, work, more }: PlannedJob,
  count: number,
): Promise<MadePlan> {
  const parts = places.cut(count, work);
  const plan = { version: packageVersion(), job, inputs, parts };
  const wasThere = await writePlan(store, plan, more);
  const few = `${parts.length} parts instead of ${count}: there are no more places to cut at`;
  const notes = [...(parts.length < count ? [few] : []), ...slowInputs(parts, inputs)];
  return { parts, inputs, work, wasThere, notes };
}

/** More than this is a while to unpack before each part. */
const MUCH = 1 << 28;

/** Packed files that workers must unpack from far before their part. */
function slowInputs(parts: readonly Part[], inputs: readonly PlannedInput[]): string[] {
  const slow = parts.filter(({ start }) => start?.packing !== "bzip2" && (start?.skip ?? 0) > MUCH);
  const files = new Set(slow.map(({ from }) => inputs[from.input]?.name));
  return [...files].map(
    (file) =>
      `${file}: each worker unpacks it from far before its part; bgzip and bzip2 make files that can be read from the middle`,
  );
}
