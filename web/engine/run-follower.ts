/**
 * Follows a training run of the service as its log grows. The browser comes back by itself when the
 * connection breaks, with the id of the last record it has, and goes on behind it.
 */

import {
  type RunEvents,
  type RunStatus,
  runLogPath,
  type StepRecord,
} from "../../src/service/wire.js";
import { parseLog } from "../../src/training/log-record.js";
import { messageOf } from "../dom.js";

/** `connecting`: on the way to the server, for the first time or again. `lost`: it will not be there again. */
export type FollowState = RunStatus | "connecting" | "removed" | "lost";

export interface RunListener {
  onRecord(record: StepRecord): void;
  /** The log starts again: forget all records. */
  onReset(): void;
  onState(state: FollowState): void;
  onProblem(message: string): void;
}

export class RunFollower {
  readonly #source: EventSource;
  readonly #listener: RunListener;
  readonly #name: string;
  /** As the service last told; a connection that is made again goes on with it. */
  #status: RunStatus | undefined;

  constructor(name: string, listener: RunListener) {
    this.#name = name;
    this.#listener = listener;
    this.#source = new EventSource(runLogPath(name, true));
    listener.onState("connecting");
    this.#source.addEventListener("open", () => {
      if (this.#status) listener.onState(this.#status);
    });
    this.#source.addEventListener("error", () => {
      const isOver = this.#source.readyState === EventSource.CLOSED;
      listener.onState(isOver ? "lost" : "connecting");
    });
    this.#on("message", (record) => listener.onRecord(record));
    this.#on("reset", () => listener.onReset());
    this.#on("status", ({ status }) => {
      this.#status = status;
      listener.onState(status);
    });
    this.#on("end", ({ reason }) => {
      this.close();
      listener.onState(reason);
    });
  }

  close(): void {
    this.#source.close();
  }

  #on<Name extends keyof RunEvents>(name: Name, handle: (data: RunEvents[Name]) => void): void {
    this.#source.addEventListener(name, ({ data }: MessageEvent<string>) => {
      try {
        // A log may have been written by another version: its records are checked.
        const message = name === "message" ? parseLog(data, this.#name)[0] : JSON.parse(data);
        handle(message as RunEvents[Name]);
      } catch (error) {
        this.#listener.onProblem(messageOf(error));
      }
    });
  }
}
