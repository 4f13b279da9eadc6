/** A thread that parses: it has the models to itself, and takes rounds as they come. */

import { workerData } from "node:worker_threads";
import type { Precision } from "../model/precision.js";
import { type Finished, RoundParser } from "./parse-round.js";
import { ServedParser } from "./served-parser.js";
import type { Task } from "./task.js";
import { answerRequests } from "./thread.js";

export interface ParserThreadData {
  readonly models: readonly { readonly name: string; readonly folder: string }[];
  readonly precision: Precision | undefined;
}

/** Sentences that are done, or word that only the last run is left. */
export type RoundPart = readonly Finished[] | "last";

await answerRequests<readonly Task[], RoundPart, undefined>(async () => {
  const { models, precision } = workerData as ParserThreadData;
  const parsers = new Map<string, ServedParser>();
  for (const { name, folder } of models) {
    parsers.set(name, await ServedParser.load(folder, precision));
  }
  const rounds = new RoundParser(parsers);
  return {
    handle: async (tasks, emit) => {
      await rounds.parse(tasks, emit, () => emit("last"));
      return undefined;
    },
    close: async () => {
      for (const parser of parsers.values()) await parser.close();
    },
  };
});
