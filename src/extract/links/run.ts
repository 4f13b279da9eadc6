/**
 * A run over documents: read, batch, process in workers, and put the results in the order of the input.
 * After each batch the run knows up to which place everything is done, so that it can be resumed.
 */

import { InputError } from "../../errors.js";
import { inputSize, type OpenOptions, type ReadStart } from "../../files/input.js";
import {
  beginOf,
  type DonePlace,
  doneWith,
  NOTHING_DONE,
  remaining,
  type Shard,
  type Stretch,
  stretchOf,
} from "../../files/shard.js";
import { mapOrdered } from "../../streams/map-ordered.js";
import { singly } from "../../streams/windows.js";
import type { DocumentSettings } from "../options.js";
import { ExtractReport, type ReportCounts } from "../report.js";
import type { DocumentSource } from "../sources/source.js";
import type { StoredDocument } from "./articles.js";
import { startBatchRunner } from "./batch-runner.js";
import { type DocumentInput, type LocatedDocument, readDocuments } from "./documents.js";
import type { BatchResult } from "./job.js";
import type { Site } from "./site.js";

export interface DocumentRun extends Pick<OpenOptions, "onBytes" | "openBytes"> {
  readonly inputs: readonly DocumentInput[];
  readonly source: DocumentSource;
  readonly settings: DocumentSettings;
  readonly threads: number;
  readonly shard?: Shard | undefined;
  /** What to take of the inputs, where that is known without their sizes. */
  readonly stretch?: Stretch | undefined;
  /** Where to open the input that it begins in. */
  readonly start?: ReadStart | undefined;
  readonly done?: DonePlace | undefined;
}

export interface DocumentStep {
  readonly lines: string;
  readonly counts: ReportCounts;
  readonly done: DonePlace;
}

interface RunBatch {
  readonly documents: StoredDocument[];
  readonly site: Site | undefined;
  /** What the reader left out before it. */
  readonly report: ExtractReport;
  readonly done: DonePlace;
}

export async function* runDocuments(options: DocumentRun): AsyncGenerator<DocumentStep> {
  const runner = await startBatchRunner(options.threads, options.settings);
  const { inflate, width } = runner;
  const { onBytes, openBytes } = options;
  const open = { inflate, inFlight: 2 * width, onBytes, openBytes };
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

function step({ report, done }: RunBatch, result: BatchResult): DocumentStep {
  const { failure, lines } = result;
  report.add(result.counts);
  const counts = report.toJSON();
  if (failure) throw new StoppedError({ lines, counts, done }, failure);
  return { lines, counts, done };
}

/** A malformed document, with what was done in its batch before it. */
export class StoppedError extends InputError {
  readonly step: DocumentStep;

  constructor(
    before: DocumentStep,
    { problem, place, remedy }: NonNullable<BatchResult["failure"]>,
  ) {
    super(problem, place, remedy);
    this.step = before;
  }
}

/** Large enough that handing it over costs little, small enough that threads end together. */
const BATCH_BYTES = 1 << 18;

/** What the reader itself leaves out is counted with the batch that follows. */
async function* batchDocuments(options: DocumentRun, open: OpenOptions): AsyncGenerator<RunBatch> {
  const { settings, done: begun } = options;
  let report = new ExtractReport();
  const bad = (error: InputError) => {
    if (!settings.skipBad) throw error;
    report.bad += 1;
  };
  const drop = (reason: string) => report.drop(reason);
  let documents: LocatedDocument[] = [];
  let size = 0;
  let done = begun ?? NOTHING_DONE;
  const take = (): RunBatch => {
    const batch = { documents: documents.map(stored), site: documents[0]?.site, report, done };
    documents = [];
    size = 0;
    report = new ExtractReport();
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
  { inputs, source, shard, done, start, ...run }: DocumentRun,
  open: OpenOptions & { bad(error: InputError): void; drop(reason: string): void },
): AsyncGenerator<LocatedDocument> {
  const stretch =
    run.stretch ??
    (shard && stretchOf(shard, await Promise.all(inputs.map(({ name }) => inputSize(name)))));
  const from = beginOf({ stretch, done });
  const { format, extensions } = source;
  const documents = readDocuments(inputs, { ...open, format, extensions, from, start });
  for await (const left of remaining(singly(documents), { stretch, done })) yield* left;
}
