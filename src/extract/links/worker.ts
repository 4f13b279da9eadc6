/** A thread of the crew: decodes bzip2 blocks and works on batches of documents, as they come. */

import { workerData } from "node:worker_threads";
import { inflateSegment } from "../../files/bzip2.js";
import { serveTasks } from "../../workers/threads.js";
import type { CrewResult, CrewTask } from "./crew.js";
import { type JobSettings, runBatch } from "./job.js";

const settings = workerData as JobSettings;

serveTasks<CrewTask, CrewResult>(
  ({ segment, batch }) => ({
    bytes: segment && inflateSegment(segment),
    result: batch && runBatch(batch, settings),
  }),
  ({ bytes }) => (bytes ? [bytes.buffer as ArrayBuffer] : []),
);
