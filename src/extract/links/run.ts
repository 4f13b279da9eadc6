/**
 * A run over documents: read, batch, hand to the workers, and put together in the order of the
 * input. After each batch it is known up to which place everything is done, which is what a run
 * that is taken up again needs to know.
 */

import { InputError } from "../../errors.js";
import { inputSize, type OpenOptions } from "../../files/input.js";
import {
  beginOf,
  type DonePlace,
  doneWith,
  NOTHING_DONE,
  remaining,
  type Shard,
  stretchOf,
} from "../../files/shard.js";
import { mapOrdered } from "../../streams/map-ordered.js";
import type { DocumentFormat, StoredDocument } from "./articles.js";
import { startBatchRunner } from "./batch-runner.js";
import { type LocatedDocument, readDocuments } from "./documents.js";
import {
  addCounts,
  type BatchResult,
  countDropped,
  type JobCounts,
  type JobSettings,
  noCounts,
} from "./job.js";
import type { Site } from "./site.js";

export interface RunOptions extends Pick<OpenOptions, "onBytes"> {
  readonly files: readonly string[];
  readonly format: DocumentFormat;
  readonly extensions: readonly string[];
  readonly settings: JobSettings;
  readonly workers: number;
  readonly shard?: Shard | undefined;
  readonly done?: DonePlace | undefined;
}

export interface RunStep {
  readonly lines: string;
  readonly counts: JobCounts;
  readonly done: DonePlace;
}

interface RunBatch {
  readonly documents: StoredDocument[];
  readonly site: Site | undefined;
  readonly counts: JobCounts;
  readonly done: DonePlace;
}

export async function* runLinks(options: RunOptions): AsyncGenerator<RunStep> {
  const runner = await startBatchRunner(options.workers, options.settings);
  const { inflate, width } = runner;
  const open = { inflate, inFlight: 2 * width, onBytes: options.onBytes };
  try {
    const batches = batchDocuments(options, open);
    // One batch in hand and one waiting for each.
    const results = mapOrdered(batches, 2 * width, async (batch) => ({
      batch,
      result: await runner.run({ documents: batch.documents, site: batch.site }),
    }));
    for await (const { batch, result } of results) yield step(batch, result);
  } finally {
    await runner.close();
  }
}

function step({ counts, done }: RunBatch, result: BatchResult): RunStep {
  addCounts(counts, result.counts);
  const { failure, lines } = result;
  if (failure) throw new StoppedError({ lines, counts, done }, failure);
  return { lines, counts, done };
}

/** A malformed document, with what was done in its batch before it. */
export class StoppedError extends InputError {
  readonly step: RunStep;

  constructor(before: RunStep, { problem, place, remedy }: NonNullable<BatchResult["failure"]>) {
    super(problem, place, remedy);
    this.step = before;
  }
}

/** Large enough that handing it over costs little, small enough that threads end together. */
const BATCH_BYTES = 1 << 18;

/** What the reader itself leaves out is counted with the batch that follows. */
async function* batchDocuments(options: RunOptions, open: OpenOptions): AsyncGenerator<RunBatch> {
  const { settings, done: begun } = options;
  let counts = noCounts();
  const bad = (error: InputError) => {
    if (!settings.skipBad) throw error;
    counts.bad += 1;
  };
  const drop = (reason: string) => countDropped(counts, reason);
  let documents: LocatedDocument[] = [];
  let size = 0;
  let done = begun ?? NOTHING_DONE;
  const take = (): RunBatch => {
    const batch = { documents: documents.map(stored), site: documents[0]?.site, counts, done };
    documents = [];
    size = 0;
    counts = noCounts();
    return batch;
  };
  try {
    for await (const document of chosenDocuments(options, { ...open, bad, drop })) {
      const { bytes, site } = document;
      if (documents.length > 0 && documents[0]?.site !== site) yield take();
      done = doneWith(document, done);
      documents.push(document);
      size += bytes.length;
      if (size >= BATCH_BYTES) yield take();
    }
  } catch (error) {
    yield take();
    throw error;
  }
  yield take();
}

function stored({ format, file, name, bytes }: LocatedDocument): StoredDocument {
  return { format, file, name, bytes };
}

/** The documents of the shard, without those that are done. */
async function* chosenDocuments(
  { files, format, extensions, shard, done }: RunOptions,
  open: OpenOptions & { bad(error: InputError): void; drop(reason: string): void },
): AsyncGenerator<LocatedDocument> {
  const stretch = shard && stretchOf(shard, await Promise.all(files.map(inputSize)));
  const from = beginOf({ stretch, done });
  const inputs = files.map((name) => ({ name }));
  const documents = readDocuments(inputs, { ...open, format, extensions, from });
  yield* remaining(documents, { stretch, done });
}
