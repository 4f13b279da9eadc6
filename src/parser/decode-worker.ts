/** A worker that decodes. It loads the models once. */

import { ModelFolder } from "../model/folder.js";
import { answerRequests } from "../workers/answer-requests.js";
import type { DecodeOutcome, DecodeTask } from "./decoder.js";
import { openDecoder } from "./load-parser.js";
import type { DecodeWorkerData } from "./worker-decoder.js";

await answerRequests<DecodeWorkerData, readonly DecodeTask[], DecodeOutcome[]>(
  async ({ folders, ...options }) => {
    // Whoever started this worker has checked what the folders hold.
    const open = (folder: string) => ModelFolder.open(folder, { thorough: false });
    const decoder = await openDecoder(await Promise.all(folders.map(open)), {
      ...options,
      workers: 0,
    });
    return {
      handle: (tasks, { signal }) => decoder.decode(tasks, signal),
      close: () => decoder.close(),
    };
  },
);
