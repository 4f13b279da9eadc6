/**
 * A worker as the thread that started it sees it: it can be asked, called off, restarted when it died,
 * and closed. A worker is never terminated (native-calls.ts says why): it ends by itself once it has
 * answered its requests.
 */

import type { EventEmitter } from "node:events";
import { isMainThread, Worker } from "node:worker_threads";
import type { FromWorker, ToWorker, WorkerData } from "./answer-requests.js";
import { unpackError } from "./error-crossing.js";
import { watchNativeCalls } from "./native-calls.js";

export interface WorkerOptions {
  /** Whether it is a process, also where a thread would do: it can be ended at any time. */
  readonly isProcess?: boolean | undefined;
  /** Whether another is started when it dies. Requests it had in hand are lost either way. */
  readonly restart?: boolean | undefined;
  /** Called when it died and another is about to be started. */
  onRestart?(error: Error): void;
  /** Called when it died for good: it is not to be restarted, or cannot be. */
  onLost?(error: Error): void;
}

/** What a request is refused with that comes after `close`. */
export class ClosedError extends Error {
  override readonly name = "ClosedError";

  constructor() {
    super("the worker is closed");
  }
}

export interface AskOptions<Part> {
  /** Called with each part of the answer, before the answer itself. */
  onPart?(part: Part): void;
  /** Buffers of the request that go over without a copy. */
  readonly transfer?: readonly ArrayBuffer[] | undefined;
  /** Calls the request off: the promise rejects at once, the worker stops when it can. */
  readonly signal?: AbortSignal | undefined;
  /** Called when the worker is done with the request, even one that was called off. */
  onDone?(): void;
}

interface Pending {
  onPart: (part: unknown) => void;
  onDone(): void;
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

export class WorkerHandle<Request, Answer, Part = never> {
  readonly #script: URL;
  readonly #data: unknown;
  readonly #options: WorkerOptions;
  readonly #launch: Launch;
  readonly #pending = new Map<number, Pending>();
  #worker: Launched["worker"] | undefined;
  #exited: Promise<void> = Promise.resolve();
  #asked = 0;
  #isClosed = false;
  #lost: Error | undefined;

  private constructor(script: URL, data: unknown, options: WorkerOptions, launch: Launch) {
    this.#launch = launch;
    this.#script = script;
    this.#data = data;
    this.#options = options;
  }

  /** Starts a worker and waits until it is ready. The script calls `answerRequests`. */
  static async start<Request, Answer, Part = never>(
    script: URL,
    data: unknown,
    options: WorkerOptions = {},
  ): Promise<WorkerHandle<Request, Answer, Part>> {
    const isThread = isMainThread && !options.isProcess;
    const launch = isThread ? launchThread : await loadLaunchProcess(options);
    const handle = new WorkerHandle<Request, Answer, Part>(script, data, options, launch);
    await handle.#start();
    return handle;
  }

  /** Whether it has answered all requests. */
  get isIdle(): boolean {
    return this.#pending.size === 0;
  }

  ask(
    request: Request,
    { onPart, onDone, transfer, signal }: AskOptions<Part> = {},
  ): Promise<Answer> {
    const id = this.#asked++;
    return new Promise((resolve, reject) => {
      const callOff = () => {
        this.#post({ kind: "abort", id });
        pending.onPart = () => {};
        reject(signal?.reason as Error);
      };
      const pending: Pending = {
        onPart: (onPart ?? (() => {})) as Pending["onPart"],
        resolve: resolve as Pending["resolve"],
        reject,
        onDone: () => {
          signal?.removeEventListener("abort", callOff);
          onDone?.();
        },
      };
      try {
        signal?.throwIfAborted();
        if (this.#isClosed) throw new ClosedError();
        if (this.#lost) throw this.#lost;
        this.#post({ kind: "request", id, request }, transfer);
        this.#pending.set(id, pending);
        this.#keepAlive();
        signal?.addEventListener("abort", callOff);
      } catch (error) {
        pending.onDone();
        throw error;
      }
    });
  }

  /**
   * Lets the worker answer its requests, and end.
   *
   * @param patience the milliseconds after which a process is ended all the same; a thread always has its time.
   */
  async close(patience?: number): Promise<void> {
    if (!this.#isClosed) this.#post({ kind: "close" });
    this.#isClosed = true;
    this.#keepAlive();
    const timer = patience && setTimeout(() => this.#worker?.kill?.(), patience);
    await this.#exited;
    clearTimeout(timer);
  }

  #post(message: ToWorker, transfer: readonly ArrayBuffer[] = []): void {
    this.#worker?.postMessage(message, transfer);
  }

  async #start(): Promise<void> {
    const { worker, forget } = this.#launch(this.#script, this.#data);
    this.#worker = worker;
    let reason: Error | undefined;
    let [isReady, exited] = [false, () => {}];
    this.#exited = new Promise((resolve) => {
      exited = resolve;
    });
    await new Promise<void>((resolve, reject) => {
      worker.on("message", (message: FromWorker) => {
        if (message.kind === "ready") {
          isReady = true;
          this.#keepAlive();
          resolve();
        } else if (message.kind === "unready") reason = unpackError(message.error);
        else this.#receive(message);
      });
      worker.on("error", (error: Error) => {
        reason = error;
      });
      worker.on("exit", (code: number | string) => {
        forget();
        reason ??= new Error(`the worker ended with code ${code}`);
        if (isReady) this.#died(reason);
        else reject(reason);
        exited();
      });
    });
  }

  #receive(message: Exclude<FromWorker, { kind: "ready" | "unready" }>): void {
    const pending = this.#pending.get(message.id);
    if (message.kind === "part") {
      pending?.onPart(message.value);
      return;
    }
    this.#pending.delete(message.id);
    if (message.kind === "answer") pending?.resolve(message.value);
    else pending?.reject(unpackError(message.error));
    pending?.onDone();
    this.#keepAlive();
  }

  /** A worker keeps the process alive while it has something to do, as a timer does, and no longer. */
  #keepAlive(): void {
    if (this.#pending.size > 0 || this.#isClosed) this.#worker?.ref();
    else this.#worker?.unref();
  }

  #died(reason: Error): void {
    const inHand = [...this.#pending.values()];
    this.#pending.clear();
    if (this.#isClosed || !this.#options.restart) {
      this.#lose(reason);
    } else {
      this.#options.onRestart?.(reason);
      this.#start().catch((error: Error) => this.#lose(error));
    }
    for (const pending of inHand) fail(pending, reason);
  }

  #lose(reason: Error): void {
    this.#lost = reason;
    for (const pending of this.#pending.values()) fail(pending, reason);
    this.#pending.clear();
    if (!this.#isClosed) this.#options.onLost?.(reason);
  }
}

interface Launched {
  readonly worker: EventEmitter & {
    postMessage(message: ToWorker, transfer: readonly ArrayBuffer[]): void;
    ref(): void;
    unref(): void;
    /** Of a process. */
    kill?(): void;
  };
  /** Called when the worker has ended. */
  forget(): void;
}

/** Starts a worker. Data that cannot be sent is an error at once. */
type Launch = (script: URL, data: unknown) => Launched;

/** Threads of the main thread have processes as workers: worker-process.ts says why. */
async function loadLaunchProcess({ isProcess }: WorkerOptions): Promise<Launch> {
  const { WorkerProcess } = await import("./worker-process.js");
  const options = { isQuiet: isProcess === true };
  return (script, data) => ({ worker: new WorkerProcess(script, data, options), forget() {} });
}

function launchThread(script: URL, data: unknown): Launched {
  const { cells, forget } = watchNativeCalls();
  const workerData: WorkerData<unknown> = { data, cells };
  try {
    return { worker: new Worker(script, { workerData }), forget };
  } catch (error) {
    forget();
    throw error;
  }
}

function fail({ reject, onDone }: Pending, reason: Error): void {
  reject(reason);
  onDone();
}
