/** The service's two threads, as the routes see them: one parses, one reads and scores. */

import type { Engine } from "./batcher.js";
import type { EvaluateBody, evaluateBody } from "./evaluation.js";
import type { Limits } from "./limits.js";
import type { ServedModel } from "./models.js";
import type { ParserThreadData, RoundPart } from "./parser-worker.js";
import type { ReaderRequest } from "./reader-worker.js";
import { type Item, type ParseBody, readBody } from "./sentences.js";
import type { Task } from "./task.js";
import { Thread, type ThreadOptions } from "./thread.js";

export async function startEngine(
  models: readonly ServedModel[],
  threads: number | undefined,
  options: ThreadOptions,
): Promise<Engine & { close(): Promise<void> }> {
  const data: ParserThreadData = {
    models: models.map(({ name, folder }) => ({ name, folder })),
    threads,
  };
  const file = new URL("./parser-worker.js", import.meta.url);
  const thread = await Thread.start<readonly Task[], RoundPart, undefined>(file, data, options);
  return {
    run: (tasks, onRecord, onLast) =>
      thread.ask(tasks, (part) => {
        if (part === "last") onLast();
        else for (const { index, record } of part) onRecord(index, record);
      }),
    close: () => thread.close(),
  };
}

/** Texts up to this many characters are read at once: that takes less time than sending them. */
const SHORT = 4096;

export class Reader {
  readonly #thread: Thread<ReaderRequest, never, unknown>;
  readonly #limits: Limits;

  private constructor(thread: Thread<ReaderRequest, never, unknown>, limits: Limits) {
    this.#thread = thread;
    this.#limits = limits;
  }

  static async start(limits: Limits, options: ThreadOptions): Promise<Reader> {
    const file = new URL("./reader-worker.js", import.meta.url);
    return new Reader(await Thread.start(file, undefined, options), limits);
  }

  async read(body: ParseBody, bytes: number): Promise<Item[]> {
    if (bytes <= SHORT) return readBody(body, this.#limits);
    return (await this.#thread.ask({ read: body, limits: this.#limits })) as Item[];
  }

  async gold(gold: string): Promise<Item[]> {
    return (await this.#thread.ask({ gold, limits: this.#limits })) as Item[];
  }

  async evaluate(body: EvaluateBody, records: readonly string[]): ReturnType<typeof evaluateBody> {
    const report = this.#thread.ask({ evaluate: body, records });
    return (await report) as Awaited<ReturnType<typeof evaluateBody>>;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
