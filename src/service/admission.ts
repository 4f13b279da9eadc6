/**
 * Bounds the requests that are inside. Bodies are in memory until they are answered, so their bytes are
 * bounded over all requests. They are counted as they arrive: an announced length takes no room. When
 * the bound is reached, the longest-running upload is refused. When the service shuts down, it lets
 * nobody in, cuts off running uploads and waits a bounded time for the others.
 */

import { type Readable, Transform } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { HungUp, ServiceError, shuttingDown } from "./service-error.js";

/** How many of the largest bodies may be inside at a time. */
const BODIES = 32;

export class Admission {
  readonly #mostBytes: number;
  readonly #inside = new Set<FastifyReply>();
  /** The unfinished uploads, the oldest first. */
  readonly #uploads = new Set<Transform>();
  #bytes = 0;
  #isClosed = false;
  #onEmpty: (() => void) | undefined;

  constructor(largestBody: number) {
    this.#mostBytes = BODIES * largestBody;
  }

  /** Lets a request in, or throws. It leaves when it is answered or its connection is closed. */
  enter(reply: FastifyReply): void {
    if (this.#isClosed) throw shuttingDown();
    this.#inside.add(reply);
    reply.raw.once("close", () => {
      this.#inside.delete(reply);
      if (this.#inside.size === 0) this.#onEmpty?.();
    });
  }

  /** The body of a request, counted as it comes. */
  receive({ headers }: FastifyRequest, reply: FastifyReply, body: Readable): Readable {
    const { "content-length": length, "transfer-encoding": encoding } = headers;
    if (length === undefined && encoding === undefined) return body;
    let held = 0;
    const upload = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        held += chunk.length;
        this.#bytes += chunk.length;
        done(null, chunk);
        if (this.#bytes > this.#mostBytes) this.#giveWay();
      },
      flush: (done) => {
        this.#uploads.delete(upload);
        done();
      },
    });
    this.#uploads.add(upload);
    upload.once("close", () => this.#uploads.delete(upload));
    // The framework may answer without reading the body, and then does not listen for errors.
    upload.on("error", () => {});
    reply.raw.once("close", () => {
      this.#bytes -= held;
      upload.destroy();
    });
    body.once("error", () => upload.destroy(new HungUp()));
    body.once("close", () => {
      if (!body.readableEnded) upload.destroy(new HungUp());
    });
    return body.pipe(upload);
  }

  #giveWay(): void {
    const [longest] = this.#uploads;
    longest?.destroy(
      new ServiceError(429, "too_busy", "too many large requests at a time", {
        connection: "close",
        "retry-after": "1",
      }),
    );
  }

  /**
   * Lets nobody in any more, and waits until all have left.
   * @returns the number of those that were still inside after `seconds`, and were cut off.
   */
  async close(seconds: number): Promise<number> {
    this.#isClosed = true;
    for (const upload of this.#uploads) upload.destroy(shuttingDown());
    if (this.#inside.size === 0) return 0;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
      timer = setTimeout(resolve, seconds * 1000);
    });
    clearTimeout(timer);
    const late = [...this.#inside];
    for (const { raw } of late) raw.destroy();
    return late.length;
  }
}
