/**
 * A thread that answers requests, and its two ends. The encoder blocks the thread it runs on and long
 * texts take their time, so neither is done where connections are served. Requests are answered in
 * order, one at a time, each perhaps with parts ahead of its answer. A thread that dies takes the
 * requests it has in hand with it, and another takes its place.
 */

import { parentPort, Worker } from "node:worker_threads";
import { type Failure, fromFailure, toFailure } from "./service-error.js";

type Message =
  | { kind: "ready" }
  | { kind: "unready"; failure: Failure }
  | { kind: "part"; id: number; value: unknown }
  | { kind: "answer"; id: number; value: unknown }
  | { kind: "failure"; id: number; failure: Failure };

type ToThread = { id: number; request: unknown } | "close";

interface Pending {
  onPart(part: unknown): void;
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

export interface ThreadOptions {
  /** Told when the thread died and another was started. */
  onRestart?(error: Error): void;
  /** Told when no thread could be started in place of a dead one. */
  onLost?(error: Error): void;
}

export class Thread<Request, Part, Answer> {
  readonly #file: URL;
  readonly #data: unknown;
  readonly #options: ThreadOptions;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #requests = 0;
  #isClosing = false;

  private constructor(file: URL, data: unknown, options: ThreadOptions) {
    this.#file = file;
    this.#data = data;
    this.#options = options;
  }

  /** Starts the thread and waits until it says that it is ready. */
  static async start<Request, Part, Answer>(
    file: URL,
    data: unknown,
    options: ThreadOptions = {},
  ): Promise<Thread<Request, Part, Answer>> {
    const thread = new Thread<Request, Part, Answer>(file, data, options);
    await thread.#start();
    return thread;
  }

  ask(request: Request, onPart: (part: Part) => void = () => {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const id = this.#requests++;
      this.#pending.set(id, {
        onPart: onPart as Pending["onPart"],
        resolve: resolve as Pending["resolve"],
        reject,
      });
      this.#worker?.postMessage({ id, request } satisfies ToThread);
    });
  }

  /** Lets the thread finish what it has and end. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const worker = this.#worker;
    if (!worker) return;
    const exited = new Promise((resolve) => worker.once("exit", resolve));
    worker.postMessage("close" satisfies ToThread);
    await exited;
  }

  #start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const worker = new Worker(this.#file, { workerData: this.#data });
      this.#worker = worker;
      let isReady = false;
      let reason = new Error("the thread ended");
      worker.on("message", (message: Message) => {
        if (message.kind === "ready") {
          isReady = true;
          resolve();
        } else if (message.kind === "unready") reason = fromFailure(message.failure);
        else this.#receive(message);
      });
      worker.on("error", (error) => {
        reason = error as Error;
      });
      worker.on("exit", () => {
        if (isReady) this.#died(reason);
        else reject(reason);
      });
    });
  }

  #receive(message: Exclude<Message, { kind: "ready" | "unready" }>): void {
    const pending = this.#pending.get(message.id);
    if (message.kind === "part") {
      pending?.onPart(message.value);
      return;
    }
    this.#pending.delete(message.id);
    if (message.kind === "answer") pending?.resolve(message.value);
    else pending?.reject(fromFailure(message.failure));
  }

  #died(reason: Error): void {
    const lost = [...this.#pending.values()];
    this.#pending.clear();
    if (!this.#isClosing) {
      this.#options.onRestart?.(reason);
      this.#start().catch((error: Error) => this.#options.onLost?.(error));
    }
    for (const { reject } of lost) reject(reason);
  }
}

export interface Handler<Request, Part, Answer> {
  handle(request: Request, emit: (part: Part) => void): Answer | Promise<Answer>;
  close?(): Promise<void>;
}

/** The other end, called in the thread itself. */
export async function answerRequests<Request, Part, Answer>(
  prepare: () => Handler<Request, Part, Answer> | Promise<Handler<Request, Part, Answer>>,
): Promise<void> {
  if (!parentPort) throw new Error("this module is for a thread");
  const port = parentPort;
  const post = (message: Message) => port.postMessage(message);
  let handler: Handler<Request, Part, Answer>;
  try {
    handler = await prepare();
  } catch (error) {
    post({ kind: "unready", failure: toFailure(error) });
    port.close();
    return;
  }
  const perform = async (id: number, request: Request) => {
    try {
      const emit = (value: Part) => post({ kind: "part", id, value });
      post({ kind: "answer", id, value: await handler.handle(request, emit) });
    } catch (error) {
      post({ kind: "failure", id, failure: toFailure(error) });
    }
  };
  let before = Promise.resolve();
  port.on("message", (message: ToThread) => {
    before = before.then(async () => {
      if (message !== "close") return perform(message.id, message.request as Request);
      await handler.close?.();
      port.close();
    });
  });
  post({ kind: "ready" });
}
