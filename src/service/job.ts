/**
 * The sentences of a request: handed out one by one, their records collected and returned in order. A
 * job whose reader is slow hands nothing out until the reader has caught up.
 */

import type { Item } from "./sentences.js";
import { costOf, problemRecord, type Task, type TaskOptions, type TaskRecord } from "./task.js";

/** A task, and where its record belongs. */
export interface Assignment {
  readonly job: Job;
  readonly index: number;
  readonly task: Task;
  readonly cost: number;
}

export interface JobOptions {
  readonly model: string;
  readonly options: TaskOptions;
  /** How many records may wait for the reader. */
  readonly ahead?: number;
}

export class Job {
  readonly sentences: number;
  readonly #records: (TaskRecord | undefined)[];
  readonly #tasks: Assignment[] = [];
  readonly #ahead: number;
  #taken = 0;
  #read = 0;
  #words = 0;
  #cost = 0;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;
  /** The cost of the tasks handed out so far, which the batcher uses to share fairly. */
  served = 0;
  /** Called when a job that had to wait for its reader can go on. */
  onReady: (() => void) | undefined;

  constructor(items: readonly Item[], { model, options, ahead }: JobOptions) {
    this.sentences = items.length;
    this.#ahead = ahead ?? Number.POSITIVE_INFINITY;
    this.#records = items.map(({ problem }) =>
      problem === undefined ? undefined : problemRecord(problem),
    );
    for (const [index, { input }] of items.entries()) {
      if (!input) continue;
      const task = { model, input, options };
      const cost = costOf(task);
      this.#tasks.push({ job: this, index, task, cost });
      this.#words += input.leaves.length;
      this.#cost += cost;
    }
  }

  /** Sentences not yet handed out. */
  get waiting(): number {
    return this.#tasks.length - this.#taken;
  }

  /** The words of those sentences. */
  get waitingWords(): number {
    return this.#words;
  }

  /** What they will cost. */
  get waitingCost(): number {
    return this.#cost;
  }

  get isOver(): boolean {
    return this.#failure !== undefined;
  }

  /** The next task to hand out; undefined if there is none or the reader is too far behind. */
  get next(): Assignment | undefined {
    const next = this.#tasks[this.#taken];
    return next && !this.isOver && next.index - this.#read < this.#ahead ? next : undefined;
  }

  take(): Assignment | undefined {
    const { next } = this;
    if (!next) return undefined;
    this.#taken += 1;
    this.#words -= next.task.input.leaves.length;
    this.#cost -= next.cost;
    return next;
  }

  put(index: number, record: TaskRecord): void {
    this.#records[index] = record;
    if (index === this.#read) this.#wakeReader();
  }

  /** Ends the job: the reader of its records gets the error, and nothing more is handed out. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.#wakeReader();
  }

  /** The records in the order of the sentences, as they come. */
  async *records(): AsyncGenerator<string> {
    while (this.#read < this.sentences) {
      const record = await this.#next();
      // Frees the memory of the record.
      this.#records[this.#read] = undefined;
      this.#read += 1;
      this.onReady?.();
      yield record.json;
    }
  }

  async #next(): Promise<TaskRecord> {
    for (;;) {
      if (this.#failure) throw this.#failure;
      const record = this.#records[this.#read];
      if (record) return record;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #wakeReader(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}
