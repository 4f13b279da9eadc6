/**
 * A worker in a process of its own, for callers that are in a worker thread themselves. Whoever started such a
 * thread may terminate it at any moment, its own workers with it, and a thread that is ended inside ONNX
 * Runtime aborts the whole program (native-calls.ts). A process is left alone: it ends when it is told to, or
 * when its connection is gone. It is also for work that may be ended at any time, and that must not take the program
 * with it if it fails. It is used like a `Worker`.
 */

import { type ChildProcess, fork } from "node:child_process";
import { EventEmitter } from "node:events";
import type { Socket } from "node:net";

/** How much of what it writes to standard error is kept for the message about its end. */
const LAST_WORDS = 2000;

/** Emits "message", "error" and "exit", whose value is the code, or the signal that ended it. */
export class WorkerProcess extends EventEmitter {
  readonly #child: ChildProcess;
  #lastWords = "";

  /** @param isQuiet whether what it writes stays off the terminal, except in the message about its end. */
  constructor(script: URL, data: unknown, { isQuiet = false } = {}) {
    super();
    this.#child = fork(script, {
      // The caller's flags, such as --input-type, are not for this script.
      execArgv: [],
      serialization: "advanced",
      stdio: ["ignore", isQuiet ? "ignore" : "inherit", isQuiet ? "pipe" : "inherit", "ipc"],
    });
    this.#errors?.on("data", (chunk: Buffer) => {
      this.#lastWords = `${this.#lastWords}${chunk}`.slice(-LAST_WORDS);
    });
    this.#child.on("message", (message) => this.emit("message", message));
    this.#child.on("error", (error) => this.emit("error", error));
    // Not "exit", which may come before the last messages.
    this.#child.on("close", (code, signal) => {
      const said = this.#lastWords.trim();
      this.emit("exit", said ? `${code ?? signal}: ${said}` : (code ?? signal));
    });
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

  get #errors(): Socket | null {
    return this.#child.stderr as Socket | null;
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  ref(): void {
    this.#child.ref();
    this.#child.channel?.ref();
    this.#errors?.ref();
  }

  unref(): void {
    this.#child.unref();
    this.#child.channel?.unref();
    this.#errors?.unref();
  }
}
