/** The workers of the service: some parse, one reads and scores. */

import { availableParallelism } from "node:os";
import type { Precision } from "../model/config.js";
import { WorkerHandle, type WorkerOptions } from "../workers/worker-handle.js";
import { WorkerPool } from "../workers/worker-pool.js";
import type { Engine } from "./batcher.js";
import type { Limits } from "./limits.js";
import type { ServedModel } from "./models.js";
import type { ParserWorkerData, RoundPart } from "./parser-worker.js";
import type { ReaderRequest } from "./reader-worker.js";
import { type Item, type ReadSentences, readBody } from "./sentences.js";
import type { Task, TaskRecord } from "./task.js";
import type { EvaluateRequest, EvaluateResponse, SentencesBody } from "./wire.js";

/** More workers than this are started only on request: each has its own copy of the models. */
const MOST_WORKERS = 8;

/** Workers that parse a round at a time each. */
export class ParserWorkers implements Engine {
  readonly #pool: WorkerPool<readonly Task[], undefined, RoundPart>;

  private constructor(pool: WorkerPool<readonly Task[], undefined, RoundPart>) {
    this.#pool = pool;
  }

  static async start(
    served: readonly ServedModel[],
    workers = Math.min(availableParallelism(), MOST_WORKERS),
    { precision, ...options }: WorkerOptions & { precision?: Precision | undefined } = {},
  ): Promise<ParserWorkers> {
    const models = served.map(({ name, folder }) => ({ name, folder }));
    const data: ParserWorkerData = { models, precision };
    const script = new URL("./parser-worker.js", import.meta.url);
    return new ParserWorkers(await WorkerPool.start(workers, script, data, options));
  }

  get width(): number {
    return this.#pool.size;
  }

  async run(
    tasks: readonly Task[],
    onRecord: (index: number, record: TaskRecord) => void,
    onLast: (() => void) | undefined,
  ): Promise<void> {
    const onPart = (part: RoundPart, free: () => void) => {
      if (part !== "last") for (const { index, record } of part) onRecord(index, record);
      else if (onLast) {
        free();
        onLast();
      }
    };
    await this.#pool.ask(tasks, { onPart });
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** Texts up to this many characters are read at once: that takes less time than sending them. */
const SHORT = 4096;

export class Reader {
  readonly #worker: WorkerHandle<ReaderRequest, unknown>;
  readonly #limits: Limits;

  private constructor(worker: WorkerHandle<ReaderRequest, unknown>, limits: Limits) {
    this.#worker = worker;
    this.#limits = limits;
  }

  static async start(limits: Limits, options: WorkerOptions): Promise<Reader> {
    const script = new URL("./reader-worker.js", import.meta.url);
    return new Reader(await WorkerHandle.start(script, undefined, options), limits);
  }

  /** Text that does not tell its language is split by the rules of the one with that code. */
  async read(body: SentencesBody, bytes: number, language: string): Promise<ReadSentences> {
    const limits = this.#limits;
    if (bytes <= SHORT) return readBody(body, limits, language);
    return (await this.#worker.ask({ read: body, limits, language })) as ReadSentences;
  }

  async gold(gold: string): Promise<Item[]> {
    return (await this.#worker.ask({ gold, limits: this.#limits })) as Item[];
  }

  async evaluate(body: EvaluateRequest, records: readonly string[]): Promise<EvaluateResponse> {
    return (await this.#worker.ask({ evaluate: body, records })) as EvaluateResponse;
  }

  close(): Promise<void> {
    return this.#worker.close();
  }
}
