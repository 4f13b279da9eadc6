/**
 * Decoding in workers, each with its own copy of the models. While one encodes another can decode, and
 * the thread that reads and writes never waits for either.
 */

import { setMaxListeners } from "node:events";
import type { ModelConfig } from "../model/config.js";
import type { ModelFolder } from "../model/folder.js";
import type { SpanModelOptions } from "../model/span-model.js";
import { processors } from "../tensor/processors.js";
import { ClosedError } from "../workers/worker-handle.js";
import { WorkerPool } from "../workers/worker-pool.js";
import { closedError, type DecodeOutcome, type Decoder, type DecodeTask } from "./decoder.js";

/** What a worker starts from. */
export interface DecodeWorkerData extends Pick<SpanModelOptions, "precision" | "threads"> {
  readonly folders: readonly string[];
}

/** About how many words a worker gets at a time: a few batches, so that none waits for long. */
const CHUNK_WORDS = 4096;

export class WorkerDecoder implements Decoder {
  readonly configs: readonly ModelConfig[];
  readonly #pool: WorkerPool<readonly DecodeTask[], DecodeOutcome[]>;

  private constructor(
    pool: WorkerPool<readonly DecodeTask[], DecodeOutcome[]>,
    configs: readonly ModelConfig[],
  ) {
    this.#pool = pool;
    this.configs = configs;
  }

  /** Ready when each worker has loaded the models. The threads that compute are shared out. */
  static async start(
    workers: number,
    models: readonly ModelFolder[],
    { precision, threads = processors() }: Pick<SpanModelOptions, "precision" | "threads">,
  ): Promise<WorkerDecoder> {
    const data: DecodeWorkerData = {
      folders: models.map(({ folder }) => folder),
      precision,
      threads: Math.max(1, Math.floor(threads / workers)),
    };
    const script = new URL("./decode-worker.js", import.meta.url);
    const pool = await WorkerPool.start<readonly DecodeTask[], DecodeOutcome[]>(
      workers,
      script,
      data,
      { restart: true },
    );
    return new WorkerDecoder(
      pool,
      models.map(({ config }) => config),
    );
  }

  /** One call more than workers, so that there is work at hand when one ends. */
  get width(): number {
    return this.#pool.size + 1;
  }

  async decode(tasks: readonly DecodeTask[], signal?: AbortSignal): Promise<DecodeOutcome[]> {
    const outcomes = new Array<DecodeOutcome>(tasks.length);
    const failed = new AbortController();
    const unwanted = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
    // All chunks listen to it.
    setMaxListeners(0, unwanted);
    const decodeChunk = async (indices: readonly number[]) => {
      const chunk = indices.map((index) => tasks[index] as DecodeTask);
      const found = await this.#pool.ask(chunk, { signal: unwanted });
      for (const [at, index] of indices.entries()) outcomes[index] = found[at] as DecodeOutcome;
    };
    const sizes = tasks.map(({ words }) => words.length);
    try {
      await Promise.all(cutChunks(sizes, CHUNK_WORDS).map(decodeChunk));
    } catch (error) {
      // Without this chunk nobody wants the others.
      failed.abort();
      throw error instanceof ClosedError ? closedError() : error;
    }
    return outcomes;
  }

  /** Ends the workers when all calls under way are answered. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** Indices of sentences of similar length, the longest first, in chunks of about this many words. */
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
