/** Those who do the work: this thread alone, or a number of others that take it as it comes. */

import { Worker } from "node:worker_threads";
import { type Inflate, inflateSegment } from "../io/bzip2.js";
import type { Segment } from "../io/bzip2-scan.js";
import { type Batch, type BatchResult, type JobSettings, runBatch } from "./job.js";

export interface Crew {
  /** How many can work at a time. */
  readonly size: number;
  readonly inflate: Inflate;
  run(batch: Batch): Promise<BatchResult>;
  close(): Promise<void>;
}

export interface Request {
  readonly id: number;
  readonly segment?: Segment | undefined;
  readonly batch?: Batch | undefined;
}

export interface Answer {
  readonly id: number;
  readonly bytes?: Uint8Array | undefined;
  readonly result?: BatchResult | undefined;
  readonly error?: Error | undefined;
  /** Errors lose their names on the way between threads. */
  readonly errorName?: string | undefined;
}

export function assembleCrew(workers: number, settings: JobSettings): Crew {
  return workers > 1 ? new Threads(workers, settings) : thisThread(settings);
}

function thisThread(settings: JobSettings): Crew {
  return {
    size: 1,
    inflate: async (segment) => inflateSegment(segment),
    run: async (batch) => runBatch(batch, settings),
    close: async () => {},
  };
}

interface Waiting {
  readonly request: Request;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

class Threads implements Crew {
  readonly size: number;
  readonly #all: Worker[] = [];
  readonly #idle: Worker[] = [];
  readonly #queue: Waiting[] = [];
  readonly #atWork = new Map<number, Waiting>();
  #requests = 0;

  constructor(size: number, settings: JobSettings) {
    this.size = size;
    for (let index = 0; index < size; index++) this.#start(settings);
  }

  readonly inflate: Inflate = async (segment) => (await this.#ask({ segment })).bytes;

  async run(batch: Batch): Promise<BatchResult> {
    return (await this.#ask({ batch })).result as BatchResult;
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((worker) => worker.terminate()));
  }

  #start(settings: JobSettings): void {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { workerData: settings });
    worker.on("message", (answer: Answer) => {
      this.#idle.push(worker);
      this.#answer(answer);
      this.#dispatch();
    });
    worker.on("error", (error) => this.#fail(error as Error));
    this.#all.push(worker);
    this.#idle.push(worker);
  }

  #ask(task: Omit<Request, "id">): Promise<Answer> {
    const request = { id: this.#requests++, ...task };
    return new Promise((resolve, reject) => {
      this.#queue.push({ request, resolve, reject });
      this.#dispatch();
    });
  }

  #dispatch(): void {
    while (this.#idle.length > 0 && this.#queue.length > 0) {
      const worker = this.#idle.pop() as Worker;
      const waiting = this.#queue.shift() as Waiting;
      this.#atWork.set(waiting.request.id, waiting);
      worker.postMessage(waiting.request, ownBuffers(waiting.request.batch));
    }
  }

  #answer(answer: Answer): void {
    const waiting = this.#atWork.get(answer.id);
    this.#atWork.delete(answer.id);
    if (!answer.error) waiting?.resolve(answer);
    else waiting?.reject(Object.assign(answer.error, { name: answer.errorName }));
  }

  /** A thread has died, and what it had in hand with it. */
  #fail(error: Error): void {
    for (const { reject } of [...this.#atWork.values(), ...this.#queue]) reject(error);
    this.#atWork.clear();
    this.#queue.length = 0;
  }
}

/** Buffers that hold one document and nothing else are handed over without a copy. */
function ownBuffers(batch: Batch | undefined): ArrayBuffer[] {
  const buffers = batch?.documents.map(({ bytes }) => bytes) ?? [];
  return buffers
    .filter(({ buffer, byteLength }) => buffer.byteLength === byteLength)
    .map(({ buffer }) => buffer as ArrayBuffer);
}
