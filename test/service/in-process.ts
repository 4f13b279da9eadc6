/** The service in this process, with an engine that the test drives: nothing depends on how fast it is. */

import { PassThrough } from "node:stream";
import { afterEach } from "vitest";
import { makeApp } from "../../src/service/app.js";
import type { Engine } from "../../src/service/batcher.js";
import type { RequestReader } from "../../src/service/context.js";
import { DEFAULT_LIMITS, type Limits } from "../../src/service/limits.js";
import { readBody } from "../../src/service/sentences.js";
import { runService, type Service, type ServiceSettings } from "../../src/service/server.js";
import type { Task } from "../../src/service/task.js";
import { temporaryFolder } from "../temporary.js";

/** Gives every sentence its words back, when it is told to or at once. */
export class EchoEngine implements Engine {
  readonly width = 1;
  readonly tasks: Task[] = [];
  /** Characters that make every record longer. */
  padding = 0;
  #rounds = 0;
  #heldFrom = Number.POSITIVE_INFINITY;
  #failure: Error | undefined;
  #waiting: (() => void)[] = [];

  /** Rounds wait for `release`, after so many that do not. */
  hold(after = 0): void {
    this.#heldFrom = this.#rounds + after;
  }

  release(): void {
    this.#heldFrom = Number.POSITIVE_INFINITY;
    for (const go of this.#waiting.splice(0)) go();
  }

  /** Fails the next round that is released. */
  failNext(error: Error): void {
    this.#failure = error;
  }

  /** How many rounds have begun. */
  get rounds(): number {
    return this.#rounds;
  }

  async run(
    tasks: readonly Task[],
    onRecord: Parameters<Engine["run"]>[1],
    onLast: (() => void) | undefined,
  ): Promise<void> {
    this.tasks.push(...tasks);
    const round = this.#rounds++;
    if (round >= this.#heldFrom) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure) throw failure;
    onLast?.();
    for (const [index, { input }] of tasks.entries()) {
      const tokens = input.leaves.map(({ word }) => word);
      const json = JSON.stringify({ tokens, spans: [], text: " ".repeat(this.padding) });
      onRecord(index, { json, isProblem: false });
    }
  }

  async close(): Promise<void> {
    this.release();
  }
}

export interface InProcess extends Service {
  readonly port: number;
  readonly engine: EchoEngine;
  /** How many connections were made to it. */
  connections(): number;
  /** What was logged, one object a line. */
  log(): Record<string, unknown>[];
}

const running: InProcess[] = [];
const page = temporaryFolder();

afterEach(async () => {
  for (const service of running.splice(0)) {
    service.engine.release();
    await service.close();
  }
});

export async function startInProcess(
  changes: Partial<Omit<ServiceSettings, "limits">> & { readonly limits?: Partial<Limits> } = {},
): Promise<InProcess> {
  const log = new PassThrough();
  let text = "";
  log.on("data", (chunk: Buffer) => {
    text += chunk;
  });
  const settings: ServiceSettings = {
    port: 0,
    models: [],
    rates: {},
    access: { host: "127.0.0.1", allowHosts: [], cors: [], keys: undefined },
    trustProxy: [],
    drain: { delay: 0, seconds: 30 },
    page,
    version: "0",
    log,
    ...changes,
    limits: { ...DEFAULT_LIMITS, ...changes.limits },
  };
  const reader = {
    read: async (body, _bytes, language) => readBody(body, settings.limits, language),
    close: async () => {},
  } as Partial<RequestReader> as RequestReader;
  const engine = new EchoEngine();
  const models = [
    {
      ...{ name: "model", folder: page, language: "en", languages: ["en"] },
      ...{ layers: 1, width: 1, labels: [], files: [] },
    },
  ];
  const lost = new Promise<never>(() => {});
  const app = makeApp(settings);
  let connections = 0;
  app.server.on("connection", () => {
    connections += 1;
  });
  const service = await runService(app, settings, models, { engine, reader, lost });
  const started: InProcess = {
    ...service,
    port: Number(new URL(service.url).port),
    engine,
    connections: () => connections,
    log: () =>
      text
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
  };
  running.push(started);
  return started;
}
