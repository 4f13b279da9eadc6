/** Threads that take tasks as they come, and what runs in each of them. */

import { parentPort, Worker } from "node:worker_threads";

interface Request<Task> {
  readonly id: number;
  readonly task: Task;
}

interface Answer<Result> {
  readonly id: number;
  readonly result?: Result;
  readonly error?: Error;
  /** Errors lose their names on the way between threads. */
  readonly errorName?: string;
}

interface Waiting<Task, Result> {
  readonly request: Request<Task>;
  readonly transfer: readonly ArrayBuffer[];
  resolve(result: Result): void;
  reject(error: Error): void;
}

export class ThreadPool<Task, Result> {
  readonly #all: Worker[];
  readonly #idle: Worker[];
  readonly #queue: Waiting<Task, Result>[] = [];
  readonly #atWork = new Map<number, Waiting<Task, Result>>();
  #requests = 0;
  #failure: Error | undefined;

  /** `script` calls `serveTasks`; it finds the settings in its `workerData`. */
  constructor(size: number, script: URL, settings: unknown) {
    this.#all = Array.from({ length: size }, () => this.#start(script, settings));
    this.#idle = [...this.#all];
  }

  get size(): number {
    return this.#all.length;
  }

  /** Hands a task to the next idle thread; the buffers in `transfer` go over without a copy. */
  run(task: Task, transfer: readonly ArrayBuffer[] = []): Promise<Result> {
    if (this.#failure) return Promise.reject(this.#failure);
    const request = { id: this.#requests++, task };
    return new Promise((resolve, reject) => {
      this.#queue.push({ request, transfer, resolve, reject });
      this.#dispatch();
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((worker) => worker.terminate()));
  }

  #start(script: URL, settings: unknown): Worker {
    const worker = new Worker(script, { workerData: settings });
    worker.on("message", (answer: Answer<Result>) => {
      this.#idle.push(worker);
      this.#answer(answer);
      this.#dispatch();
    });
    worker.on("error", (error) => this.#fail(error as Error));
    return worker;
  }

  #dispatch(): void {
    while (this.#idle.length > 0 && this.#queue.length > 0) {
      const worker = this.#idle.pop() as Worker;
      const waiting = this.#queue.shift() as Waiting<Task, Result>;
      this.#atWork.set(waiting.request.id, waiting);
      worker.postMessage(waiting.request, waiting.transfer);
    }
  }

  #answer({ id, result, error, errorName }: Answer<Result>): void {
    const waiting = this.#atWork.get(id);
    this.#atWork.delete(id);
    if (error) waiting?.reject(Object.assign(error, { name: errorName }));
    else waiting?.resolve(result as Result);
  }

  /** A thread has died, and what it had in hand with it. */
  #fail(error: Error): void {
    this.#failure = error;
    for (const { reject } of [...this.#atWork.values(), ...this.#queue]) reject(error);
    this.#atWork.clear();
    this.#queue.length = 0;
  }
}

/** In a thread of the pool: performs each task that comes, one at a time. */
export function serveTasks<Task, Result>(
  perform: (task: Task) => Result | Promise<Result>,
  transferOf: (result: Result) => ArrayBuffer[] = () => [],
): void {
  parentPort?.on("message", async ({ id, task }: Request<Task>) => {
    try {
      const result = await perform(task);
      parentPort?.postMessage({ id, result } satisfies Answer<Result>, transferOf(result));
    } catch (error) {
      const { name } = error as Error;
      parentPort?.postMessage({ id, error: error as Error, errorName: name });
    }
  });
}
