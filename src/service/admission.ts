/**
 * Who may come in. Bodies are held in memory until they are read, so their bytes are bounded over all
 * requests, not only for each. A service that shuts down takes nobody in and waits for those inside.
 */

import type { FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "./service-error.js";

/** How many of the largest bodies may be inside at a time. */
const BODIES = 32;

export class Admission {
  readonly #largestBody: number;
  readonly #inside = new Set<FastifyReply>();
  #bytes = 0;
  #isClosing = false;
  #onEmpty: (() => void) | undefined;

  constructor(largestBody: number) {
    this.#largestBody = largestBody;
  }

  /** Lets a request in or throws; it leaves when its answer is finished or its connection gone. */
  enter(request: FastifyRequest, reply: FastifyReply): void {
    if (this.#isClosing) {
      throw new ServiceError(503, "shutting_down", "the service is shutting down", {
        connection: "close",
        "retry-after": "5",
      });
    }
    const bytes = this.#bodyBytes(request);
    if (this.#bytes + bytes > BODIES * this.#largestBody) {
      throw new ServiceError(429, "too_busy", "too many large requests at a time", {
        connection: "close",
        "retry-after": "1",
      });
    }
    this.#bytes += bytes;
    this.#inside.add(reply);
    reply.raw.once("close", () => {
      this.#bytes -= bytes;
      this.#inside.delete(reply);
      if (this.#inside.size === 0) this.#onEmpty?.();
    });
  }

  /** A body that does not say how long it is may be as long as one may be. */
  #bodyBytes({ headers }: FastifyRequest): number {
    if (headers["transfer-encoding"] !== undefined) return this.#largestBody;
    return Math.min(Number(headers["content-length"] ?? 0) || 0, this.#largestBody);
  }

  /** Closes the door; resolves when all that are inside have left. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#inside.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
  }
}
