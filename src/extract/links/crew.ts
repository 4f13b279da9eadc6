/** Those who do the work: this thread alone, or a number of others that take it as it comes. */

import { type Inflate, inflateSegment } from "../../files/bzip2.js";
import type { Segment } from "../../files/bzip2-scan.js";
import { ThreadPool } from "../../workers/threads.js";
import { type Batch, type BatchResult, type JobSettings, runBatch } from "./job.js";

export interface Crew {
  /** How many can work at a time. */
  readonly size: number;
  readonly inflate: Inflate;
  run(batch: Batch): Promise<BatchResult>;
  close(): Promise<void>;
}

export interface CrewTask {
  readonly segment?: Segment | undefined;
  readonly batch?: Batch | undefined;
}

export interface CrewResult {
  readonly bytes: Uint8Array | undefined;
  readonly result: BatchResult | undefined;
}

export function assembleCrew(workers: number, settings: JobSettings): Crew {
  return workers > 1 ? threads(workers, settings) : thisThread(settings);
}

function thisThread(settings: JobSettings): Crew {
  return {
    size: 1,
    inflate: async (segment) => inflateSegment(segment),
    run: async (batch) => runBatch(batch, settings),
    close: async () => {},
  };
}

function threads(size: number, settings: JobSettings): Crew {
  const script = new URL("./worker.js", import.meta.url);
  const pool = new ThreadPool<CrewTask, CrewResult>(size, script, settings);
  return {
    size,
    inflate: async (segment) => (await pool.run({ segment })).bytes,
    run: async (batch) => (await pool.run({ batch }, ownBuffers(batch))).result as BatchResult,
    close: () => pool.close(),
  };
}

/** Buffers that hold one document and nothing else are handed over without a copy. */
function ownBuffers({ documents }: Batch): ArrayBuffer[] {
  return documents
    .map(({ bytes }) => bytes)
    .filter(({ buffer, byteLength }) => buffer.byteLength === byteLength)
    .map(({ buffer }) => buffer as ArrayBuffer);
}
