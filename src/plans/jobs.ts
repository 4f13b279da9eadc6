/** The work that can be planned: what each kind needs to be planned, and how a worker does a part of it. */

import type { ByteOpener } from "../files/input.js";
import type { DonePlace } from "../files/shard.js";
import type { CutPlaces } from "./cut.js";
import type { DistilJob } from "./distil-job.js";
import type { ExtractJob } from "./extract-job.js";
import type { OpenRanges } from "./inputs.js";
import type { ParseJob } from "./parse-job.js";
import type { Part, Plan, PlannedInput } from "./plan.js";
import type { Store } from "./store.js";

/** What is done, with all that determines the output beside the inputs. */
export type Job = ParseJob | ExtractJob | DistilJob;

/** A job with its inputs read through, ready to be cut. */
export interface PlannedJob {
  readonly job: Job;
  readonly inputs: readonly PlannedInput[];
  readonly places: CutPlaces;
  /** How much there is to do in all. */
  readonly work: number;
  /** Further files of the plan. */
  readonly more?: Readonly<Record<string, string>> | undefined;
}

/** How inputs are found and read when a plan is made. */
export interface PlanContext {
  readonly openRanges: OpenRanges;
  /** Called as inputs are read, with bytes on disk. */
  onBytes(count: number): void;
}

/** What a worker knows when it opens a job. */
export interface WorkContext {
  readonly plan: Plan;
  readonly store: Store;
  readonly openBytes: ByteOpener;
  /** Processors to use; all if not given. */
  readonly threads?: number | undefined;
  /** Where the models are on this machine, if not where they were when the plan was made. */
  readonly models?: readonly string[] | undefined;
  /** Called with messages about what could not be parsed or read. */
  onNote(note: string): void;
}

/** What a part has counted. */
export interface Counts {
  /** Sentences, for extraction those that were written. */
  readonly sentences: number;
  /** Sentences without a tree. */
  readonly problems?: number | undefined;
  /** The report of an extraction. */
  readonly report?: object | undefined;
}

/** Where a part's output goes. */
export interface PartOutput {
  /** Writes text; everything up to the place is then done. */
  write(text: string, done: DonePlace): Promise<void>;
  /** Ends the work early. */
  readonly signal: AbortSignal;
}

/** A job that is open: models stay loaded from part to part. */
export interface PartRunner {
  run(part: Part, output: PartOutput): Promise<Counts>;
  close(): Promise<void>;
}

/** Loads what the job needs. */
export async function openJob(context: WorkContext): Promise<PartRunner> {
  const { job } = context.plan;
  switch (job.command) {
    case "parse":
      return (await import("./parse-job.js")).openParseJob(job, context);
    case "extract":
      return (await import("./extract-job.js")).openExtractJob(job, context);
    case "distil":
      return (await import("./distil-job.js")).openDistilJob(job, context);
  }
}
