/** A worker that parses rounds, with its own copy of the models. */

import type { Precision } from "../model/config.js";
import { ModelFolder } from "../model/folder.js";
import type { Decoder } from "../parser/decoder.js";
import { openDecoder } from "../parser/load-parser.js";
import { answerRequests } from "../workers/answer-requests.js";
import { type Finished, RoundParser } from "./parse-round.js";
import type { Task } from "./task.js";

export interface ParserWorkerData {
  readonly models: readonly { readonly name: string; readonly folder: string }[];
  readonly precision: Precision | undefined;
}

/** Sentences that are done, or word that only the last run is left. */
export type RoundPart = readonly Finished[] | "last";

await answerRequests<ParserWorkerData, readonly Task[], undefined, RoundPart>(
  async ({ models, precision }) => {
    const decoders = new Map<string, Decoder>();
    for (const { name, folder } of models) {
      // The service has checked the folder already, and there is one worker per processor.
      const opened = await ModelFolder.open(folder, { thorough: false });
      decoders.set(name, await openDecoder([opened], { workers: 0, threads: 1, precision }));
    }
    const rounds = new RoundParser(decoders);
    return {
      handle: async (tasks, { emit }) => {
        await rounds.parse(tasks, emit, () => emit("last"));
        return undefined;
      },
      close: async () => {
        for (const decoder of decoders.values()) await decoder.close();
      },
    };
  },
);
