/** A worker for documents: decodes bzip2 blocks and processes batches. */

import { inflateSegment } from "../../files/bzip2.js";
import { answerRequests } from "../../workers/answer-requests.js";
import type { DocumentSettings } from "../options.js";
import type { BatchAnswer, BatchRequest } from "./batch-runner.js";
import { runBatch } from "./job.js";

await answerRequests<DocumentSettings, BatchRequest, BatchAnswer>((settings) => ({
  handle: (request) =>
    "segment" in request ? inflateSegment(request.segment) : runBatch(request.batch, settings),
  transfer: (answer) => (answer instanceof Uint8Array ? [answer.buffer as ArrayBuffer] : []),
}));
