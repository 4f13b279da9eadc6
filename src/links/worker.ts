/** A thread of the crew: decodes bzip2 blocks and works on batches of documents, as they come. */

import { parentPort, workerData } from "node:worker_threads";
import { inflateSegment } from "../io/bzip2.js";
import type { Answer, Request } from "./crew.js";
import { type JobSettings, runBatch } from "./job.js";

const settings = workerData as JobSettings;

parentPort?.on("message", (request: Request) => {
  const [answer, transfer] = perform(request);
  parentPort?.postMessage(answer, transfer);
});

function perform({ id, segment, batch }: Request): [Answer, ArrayBuffer[]] {
  try {
    if (batch) return [{ id, result: runBatch(batch, settings) }, []];
    const bytes = segment && inflateSegment(segment);
    return [{ id, bytes }, bytes ? [bytes.buffer as ArrayBuffer] : []];
  } catch (error) {
    return [{ id, error: error as Error, errorName: (error as Error).name }, []];
  }
}
