/** `bracken work`: does parts of a plan, under Slurm, Kubernetes, GNU parallel, from a queue or by hand. */

import { availableParallelism } from "node:os";
import { type Command, InvalidArgumentError, Option } from "commander";
import { InputError, WorkFailure } from "../errors.js";
import type { AttemptResult } from "../plans/attempt.js";
import { openPlan, openRunner, storeAt } from "../plans/open-plan.js";
import { type Plan, readPlan } from "../plans/plan.js";
import { connectQueue } from "../plans/queue.js";
import { checkVersion, type Worker, workOnNext, workOnParts } from "../plans/work.js";
import type { WorkMetrics } from "../plans/work-metrics.js";
import { workOnQueue } from "../plans/work-queue.js";
import { collect, examples, threadsOption, wholeNumber } from "./options.js";
import { queueAddress, queueNameOption, queueOption } from "./queue-options.js";
import { onEndingSignal } from "./signals.js";

interface Options {
  readonly part: "auto" | "next" | readonly number[];
  readonly threads?: number;
  readonly model?: readonly string[];
  readonly lease: number;
  readonly tries: number;
  readonly wait: boolean;
  readonly queue?: string | true;
  readonly queueName: string;
  readonly metrics?: { readonly host: string; readonly port: number };
}

export function build(command: Command): void {
  command
    .argument(
      "[plan]",
      "the plan: a folder that all workers can write to, or s3://bucket/folder; leave it out with --queue",
    )
    .addOption(
      new Option(
        "--part <which>",
        "which parts to do: numbers such as 3,7-9; next: parts that nobody is doing, until all are done; auto: the part with this task's number in a Slurm array or a Kubernetes Indexed Job, otherwise as next",
      )
        .default("auto")
        .argParser(parts),
    )
    .addOption(threadsOption())
    .option(
      "-m, --model <name>",
      "where the model is now, if it has moved since the plan was made; repeat it for several",
      collect,
    )
    .option(
      "--lease <seconds>",
      "consider a worker dead after this long without a sign of life",
      wholeNumber(1),
      60,
    )
    .option("--tries <n>", "set a part aside after this many failures", wholeNumber(1), 3)
    .option("--no-wait", "end when no part is left to begin, even if others are still at work")
    .addOption(queueOption())
    .addOption(queueNameOption())
    .option("--metrics <port>", "serve metrics for Prometheus on this port, or host:port", listenAt)
    .addHelpText(
      "after",
      examples(
        "bracken work plan/",
        "parallel -j 4 bracken work plan/ --threads 1 --part {} ::: $(seq 400)",
        "sbatch --array=1-400 --wrap 'bracken work plan/'",
        "bracken work --queue redis://127.0.0.1:6379 --metrics 9100",
      ),
    )
    .action(run);
}

function parts(value: string): Options["part"] {
  if (value === "auto" || value === "next") return value;
  const numbers = value.split(",").flatMap((range) => {
    const [, first = "", last = first] = /^(\d+)(?:-(\d+))?$/.exec(range.trim()) ?? [];
    const length = first === "" ? 0 : Number(last) - Number(first) + 1;
    if (length < 1 || Number(first) < 1) {
      throw new InvalidArgumentError("It must be auto, next, or numbers like 3,7-9.");
    }
    return Array.from({ length }, (_, index) => Number(first) + index);
  });
  return [...new Set(numbers)];
}

function listenAt(value: string): Options["metrics"] {
  const [, host = "127.0.0.1", port = ""] = /^(?:(.+):)?(\d+)$/.exec(value) ?? [];
  if (port === "" || Number(port) > 65_535) {
    throw new InvalidArgumentError("It must be a port, or host:port.");
  }
  return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
}

async function run(place: string | undefined, options: Options): Promise<void> {
  checkPlace(place, options);
  const ending = new AbortController();
  const signals = onEndingSignal((signal) => {
    process.exitCode = signal === "SIGINT" ? 130 : 143;
    ending.abort();
  });
  const metrics = await openMetrics(options);
  try {
    if (place === undefined) await fromQueue(options, ending.signal, metrics);
    else await fromPlan(place, options, ending.signal, metrics);
  } catch (error) {
    if (!ending.signal.aborted) throw error;
    onNote("stopped: gave up the current part, which others may now take");
  } finally {
    signals.release();
    metrics?.close();
  }
}

const onNote = (note: string) => process.stderr.write(`${note}\n`);

function checkPlace(place: string | undefined, { queue, part }: Options): void {
  if (place !== undefined && queue === undefined) return;
  if (place === undefined && queue !== undefined && part === "auto") return;
  throw new InputError(
    queue === undefined
      ? "there is no plan to work on"
      : "with --queue, plan and parts come from the queue, so give neither",
    {},
    queue === undefined ? "name a plan, or a queue with --queue" : "leave out the plan and --part",
  );
}

async function openMetrics({ metrics: place }: Options): Promise<WorkMetrics | undefined> {
  if (!place) return undefined;
  const { WorkMetrics } = await import("../plans/work-metrics.js");
  const metrics = new WorkMetrics();
  await metrics.listen(place);
  return metrics;
}

type Events = Pick<Worker, "onFailed"> & { onDone(result: AttemptResult, plan: Plan): void };

/** What is said and counted of parts. */
function eventsFor(metrics: WorkMetrics | undefined): Events {
  return {
    onDone: (result, plan) => {
      metrics?.done(result);
      onNote(describeDone(plan, result));
    },
    onFailed: (part, error) => {
      metrics?.failed();
      onNote(`part ${part}: failed: ${messageOf(error)}`);
    },
  };
}

function meansOf({ threads = availableParallelism(), model }: Options) {
  return { threads, models: model, onNote };
}

async function fromPlan(
  place: string,
  options: Options,
  signal: AbortSignal,
  metrics: WorkMetrics | undefined,
): Promise<void> {
  const store = storeAt(place);
  const plan = await readPlan(store);
  checkVersion(plan);
  const wanted = options.part === "auto" ? taskNumber(plan) : options.part;
  if (Array.isArray(wanted) && wanted.length === 0) return;
  const runner = await openRunner(plan, store, meansOf(options));
  const { lease, tries, wait } = options;
  const { onDone, onFailed } = eventsFor(metrics);
  const worker: Worker = {
    ...{ plan, store, runner, lease, tries, wait, signal, onFailed },
    onDone: (result) => onDone(result, plan),
  };
  try {
    if (typeof wanted === "object") await workOnParts(worker, wanted);
    else reportSetAside(await workOnNext(worker), place);
  } finally {
    await runner.close();
  }
}

async function fromQueue(
  options: Options,
  signal: AbortSignal,
  metrics: WorkMetrics | undefined,
): Promise<void> {
  const connection = await connectQueue(
    queueAddress(options.queue as string | true),
    options.queueName,
  );
  metrics?.watch(connection.queue);
  const { lease, wait } = options;
  try {
    await workOnQueue(connection, {
      ...{ lease, wait, signal, onNote, ...eventsFor(metrics) },
      open: (job) => openPlan(job, meansOf(options)),
    });
  } finally {
    // A connection that still waits for an answer must not keep the process alive.
    setTimeout(() => process.exit(), LINGER_MS).unref();
  }
}

const LINGER_MS = 1000;

/** The environment variables in which engines number their tasks, and the number of their first. */
const ARRAYS: readonly [variable: string, first: number][] = [
  ["SLURM_ARRAY_TASK_ID", 1],
  ["JOB_COMPLETION_INDEX", 0],
];

function taskNumber({ parts: { length } }: Plan): readonly number[] | "next" {
  for (const [variable, first] of ARRAYS) {
    const value = process.env[variable];
    if (value === undefined) continue;
    const number = Number(value) - first + 1;
    if (!/^\d+$/.test(value) || number < 1) {
      throw new InputError(
        `${variable} is ${JSON.stringify(value)}, but tasks are numbered from ${first}`,
        {},
        `number the tasks from ${first} to ${length + first - 1}`,
      );
    }
    if (number <= length) return [number];
    process.stderr.write(`nothing to do: task ${value}, but the plan has only ${length} parts\n`);
    return [];
  }
  return "next";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function describeDone({ parts: { length } }: Plan, { receipt, isLate }: AttemptResult): string {
  const { part, counts, seconds } = receipt;
  const what = `${counts.sentences.toLocaleString("en-US")} sentences in ${seconds.toFixed(1)} s`;
  return `part ${part} of ${length}: ${isLate ? "done, but another was first" : what}`;
}

function reportSetAside(
  { setAside }: { readonly setAside: readonly number[] },
  folder: string,
): void {
  if (setAside.length === 0) return;
  const parts = setAside.length === 1 ? "part" : "parts";
  throw new WorkFailure(
    `${setAside.length} ${parts} failed too often and were set aside: ${setAside.join(", ")}`,
    `bracken status ${folder} shows why; bracken work ${folder} --part ${setAside[0]} tries again`,
  );
}
