/** A worker thread that decodes: it loads the models once, and decodes what it is given. */

import { workerData } from "node:worker_threads";
import { ModelFolder } from "../model/folder.js";
import { serveTasks } from "../workers/threads.js";
import type { DecodeOutcome, DecodeTask } from "./decoder.js";
import { openDecoder } from "./load-parser.js";
import type { DecodeWorkerSettings } from "./worker-decoder.js";

const { folders, ...options } = workerData as DecodeWorkerSettings;
// Whoever started this worker has checked what the folders hold.
const models = Promise.all(folders.map((folder) => ModelFolder.open(folder, { thorough: false })));
const decoder = models.then((opened) => openDecoder(opened, { ...options, workers: 0 }));

serveTasks<readonly DecodeTask[], DecodeOutcome[]>(async (tasks) => (await decoder).decode(tasks));
