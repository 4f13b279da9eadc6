/** `bracken work`: does parts of a plan, under Slurm, Kubernetes, GNU parallel or by hand. */

import { availableParallelism } from "node:os";
import { type Command, InvalidArgumentError, Option } from "commander";
import { InputError, WorkFailure } from "../errors.js";
import type { AttemptResult } from "../plans/attempt.js";
import { checkedOpener, openLocalRanges } from "../plans/inputs.js";
import { openJob } from "../plans/jobs.js";
import { type Plan, readPlan } from "../plans/plan.js";
import { FolderStore } from "../plans/store.js";
import { checkVersion, type Worker, workOnNext, workOnParts } from "../plans/work.js";
import { collect, examples, threadsOption, wholeNumber } from "./options.js";
import { onEndingSignal } from "./signals.js";

interface Options {
  readonly part: "auto" | "next" | readonly number[];
  readonly threads?: number;
  readonly model?: readonly string[];
  readonly lease: number;
  readonly tries: number;
  readonly wait: boolean;
}

export function build(command: Command): void {
  command
    .argument("<plan>", "the folder of the plan, which all workers can write to")
    .addOption(
      new Option(
        "--part <which>",
        "auto: the number of this task in a Slurm array or a Kubernetes Indexed Job, or else next; next: parts that nobody does, until all are done; or numbers: 3,7-9",
      )
        .default("auto")
        .argParser(parts),
    )
    .addOption(threadsOption())
    .option(
      "-m, --model <name>",
      "where the model is, if not where it was; repeat it for several",
      collect,
    )
    .option(
      "--lease <seconds>",
      "take a worker for dead after so long without a sign of it",
      wholeNumber(1),
      60,
    )
    .option("--tries <n>", "set a part aside after so many failures", wholeNumber(1), 3)
    .option("--no-wait", "end when nothing is left to begin, while others are still at work")
    .addHelpText(
      "after",
      examples(
        "bracken work plan/",
        "parallel -j 4 bracken work plan/ --threads 1 --part {} ::: $(seq 400)",
        "sbatch --array=1-400 --wrap 'bracken work plan/'",
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

async function run(folder: string, options: Options): Promise<void> {
  const store = new FolderStore(folder);
  const plan = await readPlan(store);
  checkVersion(plan);
  const wanted = options.part === "auto" ? taskNumber(plan) : options.part;
  if (Array.isArray(wanted) && wanted.length === 0) return;
  const ending = new AbortController();
  const signals = onEndingSignal((signal) => {
    process.exitCode = signal === "SIGINT" ? 130 : 143;
    ending.abort();
  });
  const onNote = (note: string) => process.stderr.write(`${note}\n`);
  const openBytes = checkedOpener(plan.inputs, openLocalRanges);
  const { threads = availableParallelism(), model: models, lease, tries, wait } = options;
  const runner = await openJob({ plan, store, openBytes, threads, models, onNote });
  const worker: Worker = {
    ...{ plan, store, runner, lease, tries, wait, signal: ending.signal },
    onDone: (result) => onNote(describeDone(plan, result)),
    onFailed: (part, error) => onNote(`part ${part}: failed: ${messageOf(error)}`),
  };
  try {
    if (typeof wanted === "object") await workOnParts(worker, wanted);
    else reportSetAside(await workOnNext(worker), folder);
  } catch (error) {
    if (!ending.signal.aborted) throw error;
    onNote("stopped: the part at hand was given up, and others may take it");
  } finally {
    signals.release();
    await runner.close();
  }
}

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
        `${variable} is ${JSON.stringify(value)}, and the first part is ${first}`,
        {},
        `number the tasks from ${first} to ${length + first - 1}`,
      );
    }
    if (number <= length) return [number];
    process.stderr.write(`nothing to do: task ${value}, and the plan has ${length} parts\n`);
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
