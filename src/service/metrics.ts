/** What the service counts and times, for Prometheus. */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { RoundReport } from "./batcher.js";
import type { Task, TaskRecord } from "./task.js";

/** Values that are looked up at every request for the metrics. */
export interface Levels {
  waiting(): { sentences: number; words: number };
  connections(): number;
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const POWERS_OF_TWO = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

export class Metrics {
  readonly registry = new Registry();
  readonly #requests: Counter<"method" | "route" | "status">;
  readonly #latencies: Histogram<"method" | "route">;
  readonly #sentences: Counter<"model" | "outcome">;
  readonly #words: Counter<"model">;
  readonly #rounds: Histogram;
  readonly #roundSeconds: Histogram;

  constructor(levels: Levels) {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
    this.#requests = new Counter({
      name: "bracken_requests_total",
      help: "Requests answered.",
      labelNames: ["method", "route", "status"],
      registers,
    });
    this.#latencies = new Histogram({
      name: "bracken_request_seconds",
      help: "Time from a request's headers to the end of its answer.",
      labelNames: ["method", "route"],
      buckets: SECONDS,
      registers,
    });
    this.#sentences = new Counter({
      name: "bracken_sentences_total",
      help: "Sentences that went through the parser, as tree or problem.",
      labelNames: ["model", "outcome"],
      registers,
    });
    this.#words = new Counter({
      name: "bracken_words_total",
      help: "Words that went through the parser.",
      labelNames: ["model"],
      registers,
    });
    this.#rounds = new Histogram({
      name: "bracken_round_sentences",
      help: "Sentences parsed together.",
      buckets: POWERS_OF_TWO,
      registers,
    });
    this.#roundSeconds = new Histogram({
      name: "bracken_round_seconds",
      help: "Time that sentences parsed together took.",
      buckets: SECONDS,
      registers,
    });
    this.#gauge("bracken_queue_sentences", "Sentences waiting.", () => levels.waiting().sentences);
    this.#gauge("bracken_queue_words", "Words waiting.", () => levels.waiting().words);
    this.#gauge("bracken_connections", "Open connections.", levels.connections);
  }

  #gauge(name: string, help: string, level: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(level());
      },
    });
  }

  request(method: string, route: string, status: number, seconds: number): void {
    this.#requests.inc({ method, route, status });
    this.#latencies.observe({ method, route }, seconds);
  }

  record({ model, input }: Task, { isProblem }: TaskRecord): void {
    this.#sentences.inc({ model, outcome: isProblem ? "problem" : "tree" });
    this.#words.inc({ model }, input.leaves.length);
  }

  round({ sentences, seconds }: RoundReport): void {
    this.#rounds.observe(sentences);
    this.#roundSeconds.observe(seconds);
  }
}
