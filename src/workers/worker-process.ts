/**
 * A worker in a process of its own, for callers that are in a worker thread themselves. Whoever started such a
 * thread may terminate it at any moment, its own workers with it, and a thread that is ended inside ONNX
 * Runtime aborts the whole program (native-calls.ts). A process is left alone: it ends when it is told to, or
 * when its connection is gone. It is used like a `Worker`.
 */

import { type ChildProcess, fork } from "node:child_process";
import { EventEmitter } from "node:events";

/** Emits "message", "error" and "exit", whose value is the code, or the signal that ended it. */
export class WorkerProcess extends EventEmitter {
  readonly #child: ChildProcess;

  constructor(script: URL, data: unknown) {
    super();
    this.#child = fork(script, {
      // The caller's flags, such as --input-type, are not for this script.
      execArgv: [],
      serialization: "advanced",
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    this.#child.on("message", (message) => this.emit("message", message));
    this.#child.on("error", (error) => this.emit("error", error));
    // Not "exit", which may come before the last messages.
    this.#child.on("close", (code, signal) => this.emit("exit", code ?? signal));
    try {
      this.postMessage(data);
    } catch (error) {
      this.#child.kill();
      throw error;
    }
  }

  /** What is sent to a process that has ended is lost; its end is an event. */
  postMessage(message: unknown): void {
    this.#child.send(message as object, () => {});
  }

  ref(): void {
    this.#child.ref();
    this.#child.channel?.ref();
  }

  unref(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }
}
