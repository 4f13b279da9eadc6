/**
 * A crew of threads that decode, each with the model to itself. While one encodes another may decode,
 * and the thread that reads and writes is never held up by either.
 */

import type { Precision } from "../model/precision.js";
import { ThreadPool } from "../workers/threads.js";
import type { DecodeOptions } from "./decode-sentence.js";
import type { DecodeOutcome, Decoder, DecodeTask } from "./decoder.js";

/** What a thread is told when it begins. */
export interface CrewSettings {
  readonly folders: readonly string[];
  readonly precision: Precision | undefined;
}

export interface CrewTask {
  readonly tasks: readonly DecodeTask[];
  readonly options: DecodeOptions;
}

/** About how many words a thread is given at a time: a few batches, so that none waits for long. */
const CHUNK_WORDS = 4096;

export class Crew implements Decoder {
  readonly #pool: ThreadPool<CrewTask, DecodeOutcome[]>;

  constructor(size: number, settings: CrewSettings) {
    const script = new URL("./decode-worker.js", import.meta.url);
    this.#pool = new ThreadPool(size, script, settings);
  }

  /** One call more than threads, so that there is work at hand when one ends. */
  get width(): number {
    return this.#pool.size + 1;
  }

  async decodeAll(tasks: readonly DecodeTask[], options: DecodeOptions): Promise<DecodeOutcome[]> {
    const outcomes = new Array<DecodeOutcome>(tasks.length);
    const sizes = tasks.map(({ words }) => words.length);
    await Promise.all(
      cutChunks(sizes, CHUNK_WORDS).map(async (indices) => {
        const chunk = indices.map((index) => tasks[index] as DecodeTask);
        const found = await this.#pool.run({ tasks: chunk, options });
        for (const [at, index] of indices.entries()) outcomes[index] = found[at] as DecodeOutcome;
      }),
    );
    return outcomes;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
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
