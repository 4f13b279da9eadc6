/**
 * The worker's end of a connection, for modules that are started as workers. Requests are answered in
 * order, one at a time, each perhaps with parts before its answer.
 */

import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";
import { type PackedError, packError } from "./error-crossing.js";
import { beginNativeCalls } from "./native-calls.js";

export type ToWorker =
  | { readonly kind: "request"; readonly id: number; readonly request: unknown }
  | { readonly kind: "abort"; readonly id: number }
  | { readonly kind: "close" };

export type FromWorker =
  | { readonly kind: "ready" }
  | { readonly kind: "unready"; readonly error: PackedError }
  | { readonly kind: "part"; readonly id: number; readonly value: unknown }
  | { readonly kind: "answer"; readonly id: number; readonly value: unknown }
  | { readonly kind: "failure"; readonly id: number; readonly error: PackedError };

/** What a worker is started with. */
export interface WorkerData<Data> {
  readonly data: Data;
  readonly cells: readonly Int32Array[];
}

export interface Exchange<Part> {
  /** Sends a part of the answer ahead. */
  emit(part: Part): void;
  /** Aborted when nobody wants the answer any more. */
  readonly signal: AbortSignal;
}

export interface RequestHandler<Request, Answer, Part = never> {
  handle(request: Request, exchange: Exchange<Part>): Answer | Promise<Answer>;
  /** The buffers of an answer that go over without a copy. */
  transfer?(answer: Answer): ArrayBuffer[];
  close?(): Promise<void>;
}

/**
 * Answers requests until the worker is asked to close. `prepare` gets the data it was started
 * with; the worker is ready when that is done.
 */
export async function answerRequests<Data, Request, Answer, Part = never>(
  prepare: (
    data: Data,
  ) => RequestHandler<Request, Answer, Part> | Promise<RequestHandler<Request, Answer, Part>>,
): Promise<void> {
  const { port, data } = await connect<Data>();
  try {
    answerOn(port, await prepare(data));
  } catch (error) {
    port.postMessage({ kind: "unready", error: packError(error) });
    port.close();
  }
}

/** The connection to whoever started this worker. */
interface Port {
  postMessage(message: FromWorker, transfer?: ArrayBuffer[]): void;
  on(event: "message", listener: (message: ToWorker) => void): unknown;
  close(): void;
}

/** A worker is a thread, or a process that gets its data in the first message (worker-process.ts). */
async function connect<Data>(): Promise<{ port: Port; data: Data }> {
  if (parentPort) {
    const { data, cells } = workerData as WorkerData<Data>;
    beginNativeCalls(cells);
    return { port: parentPort, data };
  }
  if (!process.send) throw new Error("this module is to be started as a worker");
  process.once("disconnect", () => process.exit());
  // Ctrl-C goes to all processes of a terminal; the one that started this one decides what it means here.
  process.on("SIGINT", () => {});
  const [data] = (await once(process, "message")) as [Data];
  const port: Port = {
    postMessage: (message) => process.send?.(message, undefined, undefined, () => {}),
    on: (event, listener) => process.on(event, listener as (message: unknown) => void),
    close: () => process.disconnect(),
  };
  return { port, data };
}

function answerOn<Request, Answer, Part>(
  port: Port,
  handler: RequestHandler<Request, Answer, Part>,
): void {
  const post = (message: FromWorker, transfer?: ArrayBuffer[]) =>
    port.postMessage(message, transfer);
  const controllers = new Map<number, AbortController>();
  const perform = async (id: number, request: Request, { signal }: AbortController) => {
    try {
      signal.throwIfAborted();
      const emit = (value: Part) => post({ kind: "part", id, value });
      const value = await handler.handle(request, { emit, signal });
      post({ kind: "answer", id, value }, handler.transfer?.(value));
    } catch (error) {
      post({ kind: "failure", id, error: packError(error) });
    }
    controllers.delete(id);
  };
  let before = Promise.resolve();
  port.on("message", (message: ToWorker) => {
    if (message.kind === "abort") {
      controllers.get(message.id)?.abort();
    } else if (message.kind === "close") {
      before = before.then(() => handler.close?.()).then(() => port.close());
    } else {
      const { id, request } = message;
      const controller = new AbortController();
      controllers.set(id, controller);
      before = before.then(() => perform(id, request as Request, controller));
    }
  });
  post({ kind: "ready" });
}
