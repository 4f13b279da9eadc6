/** Processes the documents of a run, in this thread or in workers. */

import { setMaxListeners } from "node:events";
import { type Inflate, inflateSegment } from "../../files/bzip2.js";
import type { Segment } from "../../files/bzip2-scan.js";
import { WorkerPool } from "../../workers/worker-pool.js";
import type { DocumentSettings } from "../options.js";
import { type Batch, type BatchResult, runBatch } from "./job.js";

export interface BatchRunner {
  /** How many batches it works on at a time. */
  readonly width: number;
  readonly inflate: Inflate;
  run(batch: Batch): Promise<BatchResult>;
  /** Calls off what nobody waits for any more, and ends the workers. */
  close(): Promise<void>;
}

/** What a worker is asked: a block of bzip2 data to decode, or a batch to work on. */
export type BatchRequest = { readonly segment: Segment } | { readonly batch: Batch };

export type BatchAnswer = Uint8Array | BatchResult | undefined;

export async function startBatchRunner(
  workers: number,
  settings: DocumentSettings,
): Promise<BatchRunner> {
  return workers > 1 ? inWorkers(workers, settings) : inThisThread(settings);
}

function inThisThread(settings: DocumentSettings): BatchRunner {
  return {
    width: 1,
    inflate: async (segment) => inflateSegment(segment),
    run: (batch) => runBatch(batch, settings),
    close: async () => {},
  };
}

async function inWorkers(size: number, settings: DocumentSettings): Promise<BatchRunner> {
  const script = new URL("./batch-worker.js", import.meta.url);
  const pool = await WorkerPool.start<BatchRequest, BatchAnswer>(size, script, settings);
  const closing = new AbortController();
  const { signal } = closing;
  // Every block and batch listens to it.
  setMaxListeners(0, signal);
  return {
    width: size,
    inflate: async (segment) => (await pool.ask({ segment }, { signal })) as Uint8Array | undefined,
    run: async (batch) =>
      (await pool.ask({ batch }, { transfer: ownBuffers(batch), signal })) as BatchResult,
    close: async () => {
      closing.abort();
      await pool.close();
    },
  };
}

/** Buffers that hold one document and nothing else are handed over without a copy. */
function ownBuffers({ documents }: Batch): ArrayBuffer[] {
  return documents
    .map(({ bytes }) => bytes)
    .filter(({ buffer, byteLength }) => buffer.byteLength === byteLength)
    .map(({ buffer }) => buffer as ArrayBuffer);
}
