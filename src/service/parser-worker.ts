/** A thread that parses: it has the models to itself, and takes rounds as they come. */

import { workerData } from "node:worker_threads";
import { loadParser, type Parser } from "../parser/parser.js";
import { type Finished, RoundParser } from "./parse-round.js";
import type { Task } from "./task.js";
import { answerRequests } from "./thread.js";

export type ParserThreadData = readonly { readonly name: string; readonly folder: string }[];

/** Sentences that are done, or word that only the last run is left. */
export type RoundPart = readonly Finished[] | "last";

await answerRequests<readonly Task[], RoundPart, undefined>(async () => {
  const parsers = new Map<string, Parser>();
  for (const { name, folder } of workerData as ParserThreadData) {
    // There are as many threads like this one as there are processors to use.
    parsers.set(name, await loadParser(folder, { threads: 1 }));
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
