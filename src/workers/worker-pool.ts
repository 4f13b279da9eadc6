/** Workers of one kind that share the work: each request goes to the next free one. */

import { type AskOptions, ClosedError, WorkerHandle, type WorkerOptions } from "./worker-handle.js";

export interface PoolAskOptions<Part> extends Pick<AskOptions<Part>, "transfer" | "signal"> {
  /** Called with each part of the answer; `free` lets the worker have its next request already. */
  onPart?(part: Part, free: () => void): void;
}

export class WorkerPool<Request, Answer, Part = never> {
  readonly #workers: readonly WorkerHandle<Request, Answer, Part>[];
  readonly #free: WorkerHandle<Request, Answer, Part>[];
  /** Those who wait for a free worker, in their order. */
  readonly #waiting = new Set<(worker: WorkerHandle<Request, Answer, Part>) => void>();
  readonly #underWay = new Set<Promise<Answer>>();
  #isClosed = false;

  private constructor(workers: readonly WorkerHandle<Request, Answer, Part>[]) {
    this.#workers = workers;
    this.#free = [...workers];
  }

  /** Starts this many workers and waits until all are ready; if one fails, all are ended. */
  static async start<Request, Answer, Part = never>(
    size: number,
    script: URL,
    data: unknown,
    options: WorkerOptions = {},
  ): Promise<WorkerPool<Request, Answer, Part>> {
    const starts = await Promise.allSettled(
      Array.from({ length: size }, () =>
        WorkerHandle.start<Request, Answer, Part>(script, data, options),
      ),
    );
    const workers = starts.flatMap((start) => (start.status === "fulfilled" ? [start.value] : []));
    const failed = starts.find((start) => start.status === "rejected");
    if (!failed) return new WorkerPool(workers);
    await Promise.all(workers.map((worker) => worker.close()));
    throw failed.reason;
  }

  get size(): number {
    return this.#workers.length;
  }

  ask(request: Request, options: PoolAskOptions<Part> = {}): Promise<Answer> {
    if (this.#isClosed) return Promise.reject(new ClosedError());
    const answer = this.#ask(request, options);
    this.#underWay.add(answer);
    const done = () => this.#underWay.delete(answer);
    answer.then(done, done);
    return answer;
  }

  /** Ends the workers when all they were asked is answered, what still waits included. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#underWay);
    await Promise.all(this.#workers.map((worker) => worker.close()));
  }

  async #ask(request: Request, { onPart, transfer, signal }: PoolAskOptions<Part>) {
    const worker = await this.#nextFree(signal);
    let isFree = false;
    const free = () => {
      if (!isFree) this.#giveBack(worker);
      isFree = true;
    };
    return worker.ask(request, {
      onPart: (part) => onPart?.(part, free),
      onDone: free,
      transfer,
      signal,
    });
  }

  #nextFree(signal: AbortSignal | undefined): Promise<WorkerHandle<Request, Answer, Part>> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const free = this.#takeFree();
      if (free) return resolve(free);
      const take = (worker: WorkerHandle<Request, Answer, Part>) => {
        signal?.removeEventListener("abort", callOff);
        resolve(worker);
      };
      const callOff = () => {
        this.#waiting.delete(take);
        reject(signal?.reason as Error);
      };
      this.#waiting.add(take);
      signal?.addEventListener("abort", callOff, { once: true });
    });
  }

  /** One that is idle if there is any, or else the one that was given back first. */
  #takeFree(): WorkerHandle<Request, Answer, Part> | undefined {
    const idle = this.#free.findIndex((worker) => worker.isIdle);
    return this.#free.splice(Math.max(0, idle), 1)[0];
  }

  #giveBack(worker: WorkerHandle<Request, Answer, Part>): void {
    const [take] = this.#waiting;
    if (!take) {
      this.#free.push(worker);
      return;
    }
    this.#waiting.delete(take);
    take(worker);
  }
}
