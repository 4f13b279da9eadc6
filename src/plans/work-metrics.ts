/** What a worker has done, for Prometheus: `bracken work --metrics PORT`. */

import { createServer, type Server } from "node:http";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { InputError } from "../errors.js";
import type { AttemptResult } from "./attempt.js";
import type { PartQueue } from "./queue.js";

/** From parts of a second to parts of a day. */
const SECONDS = [1, 5, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400];

export class WorkMetrics {
  readonly #registry = new Registry();
  readonly #parts: Counter<"result">;
  readonly #seconds: Histogram;
  readonly #sentences: Counter;
  #server: Server | undefined;

  constructor() {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#parts = new Counter({
      name: "bracken_parts_total",
      help: "Parts that this worker ended: done, late (another was first), or failed.",
      labelNames: ["result"],
      registers,
    });
    this.#seconds = new Histogram({
      name: "bracken_part_seconds",
      help: "Time that parts took.",
      buckets: SECONDS,
      registers,
    });
    this.#sentences = new Counter({
      name: "bracken_part_sentences_total",
      help: "Sentences in the parts that this worker did.",
      registers,
    });
  }

  done({ receipt, isLate }: AttemptResult): void {
    this.#parts.inc({ result: isLate ? "late" : "done" });
    this.#seconds.observe(receipt.seconds);
    this.#sentences.inc(receipt.counts.sentences);
  }

  failed(): void {
    this.#parts.inc({ result: "failed" });
  }

  /** Adds how many jobs of each state the queue has: the same from every worker. */
  watch(queue: PartQueue): void {
    new Gauge({
      name: "bracken_queue_jobs",
      help: "Parts in the queue, by the state of their jobs.",
      labelNames: ["state"],
      registers: [this.#registry],
      async collect() {
        const counts = await queue.getJobCounts();
        for (const [state, count] of Object.entries(counts)) this.set({ state }, count);
      },
    });
  }

  /** Serves them at /metrics. */
  async listen({ host, port }: { readonly host: string; readonly port: number }): Promise<void> {
    const server = createServer(async (request, response) => {
      if (request.url !== "/metrics") {
        response.writeHead(404).end();
        return;
      }
      try {
        const text = await this.#registry.metrics();
        response.writeHead(200, { "content-type": this.#registry.contentType }).end(text);
      } catch {
        // The queue cannot be asked now.
        response.writeHead(503).end();
      }
    });
    await new Promise<void>((resolve, reject) => {
      const refuse = ({ message }: Error) =>
        reject(
          new InputError(
            `the metrics cannot be served: ${message}`,
            {},
            "choose another --metrics",
          ),
        );
      server.once("error", refuse).listen(port, host, resolve);
    });
    this.#server = server;
  }

  close(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }
}
