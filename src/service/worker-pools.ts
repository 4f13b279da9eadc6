/** The service's threads as the rest of it sees them: some parse, one reads and scores. */

import { availableParallelism } from "node:os";
import type { Precision } from "../model/precision.js";
import type { Engine } from "./batcher.js";
import type { EvaluateBody, evaluateBody } from "./evaluation.js";
import type { Limits } from "./limits.js";
import type { ServedModel } from "./models.js";
import type { ParserThreadData, RoundPart } from "./parser-worker.js";
import type { ReaderRequest } from "./reader-worker.js";
import { type Item, type ParseBody, readBody } from "./sentences.js";
import type { Task, TaskRecord } from "./task.js";
import { Thread, type ThreadOptions } from "./thread.js";

/** More threads than this are started only when asked for: each has the models to itself. */
const MOST_THREADS = 8;

type ParserThread = Thread<readonly Task[], RoundPart, undefined>;

/** Threads that parse a round at a time each. */
export class ParserThreads implements Engine {
  readonly #all: readonly ParserThread[];
  /** Those that have no round in hand that is not nearly done. */
  readonly #free: ParserThread[];

  private constructor(threads: readonly ParserThread[]) {
    this.#all = threads;
    this.#free = [...threads];
  }

  static async start(
    served: readonly ServedModel[],
    threads = Math.min(availableParallelism(), MOST_THREADS),
    { precision, ...options }: ThreadOptions & { precision?: Precision | undefined } = {},
  ): Promise<ParserThreads> {
    const models = served.map(({ name, folder }) => ({ name, folder }));
    const data: ParserThreadData = { models, precision };
    const file = new URL("./parser-worker.js", import.meta.url);
    const start = () => Thread.start<readonly Task[], RoundPart, undefined>(file, data, options);
    return new ParserThreads(await Promise.all(Array.from({ length: threads }, start)));
  }

  get width(): number {
    return this.#all.length;
  }

  async run(
    tasks: readonly Task[],
    onRecord: (index: number, record: TaskRecord) => void,
    onLast: () => void,
  ): Promise<void> {
    const thread = this.#free.shift() as ParserThread;
    let isNearlyDone = false;
    const giveBack = () => {
      if (isNearlyDone) return;
      isNearlyDone = true;
      this.#free.push(thread);
      onLast();
    };
    const onPart = (part: RoundPart) => {
      if (part === "last") giveBack();
      else for (const { index, record } of part) onRecord(index, record);
    };
    await thread.ask(tasks, onPart).finally(giveBack);
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((thread) => thread.close()));
  }
}

/** Texts up to this many characters are read at once: that takes less time than sending them. */
const SHORT = 4096;

export class Reader {
  readonly #thread: Thread<ReaderRequest, never, unknown>;
  readonly #limits: Limits;

  private constructor(thread: Thread<ReaderRequest, never, unknown>, limits: Limits) {
    this.#thread = thread;
    this.#limits = limits;
  }

  static async start(limits: Limits, options: ThreadOptions): Promise<Reader> {
    const file = new URL("./reader-worker.js", import.meta.url);
    return new Reader(await Thread.start(file, undefined, options), limits);
  }

  async read(body: ParseBody, bytes: number): Promise<Item[]> {
    if (bytes <= SHORT) return readBody(body, this.#limits);
    return (await this.#thread.ask({ read: body, limits: this.#limits })) as Item[];
  }

  async gold(gold: string): Promise<Item[]> {
    return (await this.#thread.ask({ gold, limits: this.#limits })) as Item[];
  }

  async evaluate(body: EvaluateBody, records: readonly string[]): ReturnType<typeof evaluateBody> {
    const report = this.#thread.ask({ evaluate: body, records });
    return (await report) as Awaited<ReturnType<typeof evaluateBody>>;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
