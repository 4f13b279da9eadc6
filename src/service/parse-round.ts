/**
 * What the parser's thread does with a round: sentences of all models and options, cut into runs of
 * similar length, so that little of what goes through the encoder is padding, each decoded as its
 * request asked. A sentence that fails does not take others with it.
 */

import { Chart, constrain, spanMarginals } from "../chart/index.js";
import { InputError } from "../errors.js";
import { decodeSentence } from "../parser/decode-sentence.js";
import { toParseRecord } from "../parser/parse-record.js";
import type { Parser } from "../parser/parser.js";
import { CHART_WORDS } from "./limits.js";
import { problemRecord, type Task, type TaskRecord } from "./task.js";

export interface Finished {
  readonly index: number;
  readonly record: TaskRecord;
}

/** A run's own cost, in words, beside that of its padded sentences. */
const RUN_COST = 40;

export class RoundParser {
  readonly #parsers: ReadonlyMap<string, Parser>;
  readonly #chart = new Chart();

  constructor(parsers: ReadonlyMap<string, Parser>) {
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
    const parser = this.#parsers.get((tasks[run[0] as number] as Task).model) as Parser;
    for (const index of run) {
      const { input, options } = tasks[index] as Task;
      if (input.leaves.length <= options.maxTokens) {
        scored.push(index);
        continue;
      }
      for (const parse of await parser.parseAll([input], options)) {
        finished.push({ index, record: asRecord(toParseRecord(parse, options)) });
      }
    }
    const words = scored.map((index) => (tasks[index] as Task).input.leaves.map(wordOf));
    for await (const { index, scores } of parser.scores(words)) {
      const task = scored[index] as number;
      finished.push({ index: task, record: this.#decode(tasks[task] as Task, scores) });
    }
    return finished;
  }

  /** Constraints that conflict are the sentence's problem alone. */
  #decode({ input, options }: Task, scores: Float32Array): TaskRecord {
    try {
      const parse = decodeSentence(input, scores, options, this.#chart);
      const record = toParseRecord(parse, options);
      return asRecord(options.chart ? { ...record, chart: this.#chartOf(input, scores) } : record);
    } catch (error) {
      if (error instanceof InputError) return problemRecord(error.problem);
      throw error;
    }
  }

  /** The model's scores, and the probabilities under the sentence's constraints, of all spans. */
  #chartOf({ leaves, required = [], forbidden = [] }: Task["input"], scores: Float32Array) {
    const size = leaves.length;
    if (size > CHART_WORDS) return null;
    const allowed = constrain(scores, size, { required, forbidden }, this.#chart);
    const { marginals } = spanMarginals(allowed, size, {}, this.#chart);
    return { size, scores: base64(scores), marginals: base64(marginals) };
  }
}

function wordOf({ word }: { word: string }): string {
  return word;
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

/**
 * Indices of the wanted tasks in runs, from short sentences to long, such that the runs and what is
 * padded in them cost the least: the best cut of all before each place, from left to right.
 */
export function cutRuns(tasks: readonly Task[], isWanted: (task: Task) => boolean): number[][] {
  // What is too long for the parser does not go through the encoder.
  const lengths = tasks.map(({ input: { leaves }, options: { maxTokens } }) =>
    leaves.length > maxTokens ? 0 : leaves.length,
  );
  const length = (index: number) => lengths[index] as number;
  const order = [...tasks.keys()]
    .filter((index) => isWanted(tasks[index] as Task))
    .sort((a, b) => length(a) - length(b) || a - b);
  const best = [0];
  const cutAt = [0];
  for (let end = 1; end <= order.length; end++) {
    const padded = length(order[end - 1] as number);
    best[end] = Number.POSITIVE_INFINITY;
    for (let begin = 0; begin < end; begin++) {
      const cost = (best[begin] as number) + RUN_COST + (end - begin) * padded;
      if (cost >= (best[end] as number)) continue;
      best[end] = cost;
      cutAt[end] = begin;
    }
  }
  const runs: number[][] = [];
  for (let end = order.length; end > 0; end = cutAt[end] as number) {
    runs.unshift(order.slice(cutAt[end], end));
  }
  return runs;
}
