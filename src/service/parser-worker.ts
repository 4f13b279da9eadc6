/** A thread that parses: it has the models to itself, and takes rounds as they come. */

import { workerData } from "node:worker_threads";
import { type Finished, RoundParser } from "./parse-round.js";
import { ServedParser } from "./served-parser.js";
import type { Task } from "./task.js";
import { answerRequests } from "./thread.js";

export type ParserThreadData = readonly { readonly name: string; readonly folder: string }[];

/** Sentences that are done, or word that only the last run is left. */
export type RoundPart = readonly Finished[] | "last";

await answerRequests<readonly Task[], RoundPart, undefined>(async () => {
  const parsers = new Map<string, ServedParser>();
  for (const { name, folder } of workerData as ParserThreadData) {
    parsers.set(name, await ServedParser.load(folder));
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
