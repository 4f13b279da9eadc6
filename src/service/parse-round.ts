/**
 * What the parser's thread does with a round: sentences of all models and options, cut into runs of
 * similar length, so that little of what goes through the encoder is padding, each decoded as its
 * request asked. A sentence that fails does not take others with it.
 */

import { InputError } from "../errors.js";
import { cutBatches } from "../model/span-model.js";
import { toParseRecord } from "../parser/parse-record.js";
import { CHART_WORDS } from "./limits.js";
import type { ServedParser } from "./served-parser.js";
import { problemRecord, type Task, type TaskRecord } from "./task.js";

export interface Finished {
  readonly index: number;
  readonly record: TaskRecord;
}

/** A run's own cost, in words, beside that of its padded sentences. */
const RUN_COST = 40;

export class RoundParser {
  readonly #parsers: ReadonlyMap<string, ServedParser>;

  constructor(parsers: ReadonlyMap<string, ServedParser>) {
    this.#parsers = parsers;
  }

  /** Calls back after each run, and before the last one, which blocks the thread as they all do. */
  async parse(
    tasks: readonly Task[],
    onFinished: (finished: Finished[]) => void,
    onLast: () => void,
  ): Promise<void> {
    const runs = [...this.#parsers.keys()].flatMap((model) =>
      cutRuns(tasks, (task) => task.model === model),
    );
    for (const [at, run] of runs.entries()) {
      if (at === runs.length - 1) onLast();
      onFinished(await this.#parseRun(tasks, run));
    }
  }

  async #parseRun(tasks: readonly Task[], run: readonly number[]): Promise<Finished[]> {
    try {
      return await this.#attempt(tasks, run);
    } catch (error) {
      const [only] = run;
      if (only !== undefined && run.length === 1) {
        return [{ index: only, record: problemRecord(`it cannot be parsed: ${told(error)}`) }];
      }
      const singly: Finished[] = [];
      for (const index of run) singly.push(...(await this.#parseRun(tasks, [index])));
      return singly;
    }
  }

  async #attempt(tasks: readonly Task[], run: readonly number[]): Promise<Finished[]> {
    const finished: Finished[] = [];
    const scored: number[] = [];
    const task = (index: number) => tasks[index] as Task;
    const parser = this.#parsers.get(task(run[0] as number).model) as ServedParser;
    for (const index of run) {
      const { input, options } = task(index);
      if (input.leaves.length <= options.maxTokens) {
        scored.push(index);
        continue;
      }
      const parse = await parser.fallback(input, options);
      finished.push({ index, record: asRecord(toParseRecord(parse, options)) });
    }
    for await (const { index: at, scores } of parser.scores(scored.map((i) => task(i).input))) {
      const index = scored[at] as number;
      finished.push({ index, record: decode(parser, task(index), scores) });
    }
    return finished;
  }
}

/** Constraints that conflict are the sentence's problem alone. */
function decode(parser: ServedParser, { input, options }: Task, scores: Float32Array): TaskRecord {
  try {
    const record = toParseRecord(parser.decode(input, scores, options), options);
    return asRecord(options.chart ? { ...record, chart: chartOf(parser, input, scores) } : record);
  } catch (error) {
    if (error instanceof InputError) return problemRecord(error.problem);
    throw error;
  }
}

/** The model's scores, and the probabilities under the sentence's constraints, of all spans. */
function chartOf(parser: ServedParser, input: Task["input"], scores: Float32Array) {
  const size = input.leaves.length;
  if (size > CHART_WORDS) return null;
  const marginals = base64(parser.marginals(input, scores));
  return { size, decoding: parser.decoding, scores: base64(scores), marginals };
}

function told(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function asRecord(value: object): TaskRecord {
  return { json: JSON.stringify(value), isProblem: false };
}

function base64({ buffer, byteOffset, byteLength }: Float32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}

/** Indices of the wanted tasks in runs of similar length, such that they cost the least together. */
export function cutRuns(tasks: readonly Task[], isWanted: (task: Task) => boolean): number[][] {
  const wanted = [...tasks.keys()].filter((index) => isWanted(tasks[index] as Task));
  const lengths = wanted.map((index) => {
    const { input, options } = tasks[index] as Task;
    // What is too long for the parser does not go through the encoder.
    return input.leaves.length > options.maxTokens ? 0 : input.leaves.length;
  });
  return cutBatches(lengths, Number.POSITIVE_INFINITY, RUN_COST).map((run) =>
    run.map((at) => wanted[at] as number),
  );
}
