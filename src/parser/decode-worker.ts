/** A thread of the crew: loads the model once and decodes what it is given. */

import { workerData } from "node:worker_threads";
import { serveTasks } from "../workers/threads.js";
import type { DecodeOutcome } from "./decoder.js";
import { openDecoder } from "./load-parser.js";
import type { CrewSettings, CrewTask } from "./worker-decoder.js";

const { folders, precision } = workerData as CrewSettings;
const decoder = openDecoder(folders, { threads: 1, precision, thorough: false });

serveTasks<CrewTask, DecodeOutcome[]>(async ({ tasks, options }) =>
  (await decoder).decodeAll(tasks, options),
);
