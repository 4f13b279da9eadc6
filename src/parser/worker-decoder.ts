/**
 * Decoding in worker threads, each with the models to itself. While one encodes another can decode, and
 * the thread that reads and writes is never held up by either.
 */

import type { ModelConfig } from "../model/config.js";
import type { ModelFolder } from "../model/folder.js";
import type { SpanModelOptions } from "../model/span-model.js";
import { processors } from "../tensor/processors.js";
import { ThreadPool } from "../workers/threads.js";
import type { DecodeOutcome, Decoder, DecodeTask } from "./decoder.js";

/** What a worker is told when it starts. */
export interface DecodeWorkerSettings extends Pick<SpanModelOptions, "precision" | "threads"> {
  readonly folders: readonly string[];
}

/** About how many words a worker gets at a time: a few batches, so that none waits for long. */
const CHUNK_WORDS = 4096;

export class WorkerDecoder implements Decoder {
  readonly configs: readonly ModelConfig[];
  readonly #pool: ThreadPool<readonly DecodeTask[], DecodeOutcome[]>;

  /** The threads that compute are shared out over the workers. */
  constructor(
    workers: number,
    models: readonly ModelFolder[],
    { precision, threads = processors() }: Pick<SpanModelOptions, "precision" | "threads">,
  ) {
    this.configs = models.map(({ config }) => config);
    const settings: DecodeWorkerSettings = {
      folders: models.map(({ folder }) => folder),
      precision,
      threads: Math.max(1, Math.floor(threads / workers)),
    };
    this.#pool = new ThreadPool(workers, new URL("./decode-worker.js", import.meta.url), settings);
  }

  /** One call more than workers, so that there is work at hand when one ends. */
  get width(): number {
    return this.#pool.size + 1;
  }

  async decode(tasks: readonly DecodeTask[], signal?: AbortSignal): Promise<DecodeOutcome[]> {
    const outcomes = new Array<DecodeOutcome>(tasks.length);
    const sizes = tasks.map(({ words }) => words.length);
    const chunks = cutChunks(sizes, CHUNK_WORDS).map(async (indices) => {
      const found = await this.#pool.run(indices.map((index) => tasks[index] as DecodeTask));
      for (const [at, index] of indices.entries()) outcomes[index] = found[at] as DecodeOutcome;
    });
    await unlessAborted(Promise.all(chunks), signal);
    return outcomes;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** The promise's value, or a rejection with the signal's reason if that comes first. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Indices of sentences of similar length, the longest first, in chunks of about so many words. */
export function cutChunks(sizes: readonly number[], words: number): number[][] {
  const order = [...sizes.keys()].sort((a, b) => (sizes[b] as number) - (sizes[a] as number));
  const chunks: number[][] = [];
  let room = 0;
  for (const index of order) {
    if (room <= 0) {
      chunks.push([]);
      room = words;
    }
    chunks.at(-1)?.push(index);
    room -= sizes[index] as number;
  }
  return chunks;
}
