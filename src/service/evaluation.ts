/** Trees in a request, scored as `bracken evaluate --json` scores those in files. */

import { InputError } from "../errors.js";
import { type Evaluation, evaluateStreams } from "../evaluation/evaluate.js";
import { reportJson } from "../evaluation/report.js";
import { fromRecord, type TreeRecord } from "../trees/json.js";
import { type LocatedTree, PennReader } from "../trees/penn-reader.js";
import { leaves } from "../trees/tree.js";
import type { Limits } from "./limits.js";
import { checkItems, type Item } from "./sentences.js";
import { ServiceError } from "./service-error.js";
import type { EvaluateRequest, EvaluateResponse } from "./wire.js";

/** The sentences of gold trees, tags included, as a parser takes them. */
export function goldSentences(gold: string, limits: Limits): Item[] {
  const trees = refusingBadTrees(() => readPenn(gold, "gold"));
  const items = trees.map(({ tree }) => ({ input: { leaves: leaves(tree) } }));
  // A sentence over the limit gets a flat tree, which must not be scored as the model's.
  const long = items.findIndex(({ input }) => input.leaves.length > limits.words);
  if (long < 0) return checkItems(items, limits);
  throw new ServiceError(
    413,
    "too_many_tokens",
    `gold tree ${long + 1} has ${items[long]?.input.leaves.length} words; a sentence may have at most ${limits.words}`,
  );
}

/** Scores the request's predicted trees, or those of a model, given as its records. */
export async function evaluateBody(
  request: EvaluateRequest,
  records: readonly string[] = [],
): Promise<EvaluateResponse> {
  const { gold, predicted, protocol = "kim", unlabelled } = request;
  return refusingBadTrees(async () => {
    const trees =
      predicted === undefined
        ? records.map(parsedTree)
        : readPenn(predicted, "predicted", unlabelled);
    const [evaluation] = await evaluateStreams(
      stream(readPenn(gold, "gold")),
      [stream(trees)],
      protocol,
      request,
    );
    const { labels, byLength } = request;
    return reportJson(evaluation as Evaluation, { labels, byLength });
  });
}

function readPenn(text: string, file: string, unlabelled?: boolean): LocatedTree[] {
  const reader = new PennReader({ file, unlabelled });
  return [...reader.push(text), ...reader.end()];
}

function parsedTree(json: string, index: number): LocatedTree {
  const record = JSON.parse(json) as TreeRecord | { error: string };
  if ("error" in record) throw new InputError(record.error, { file: `gold tree ${index + 1}` });
  return { tree: fromRecord(record), file: "predicted", line: index + 1 };
}

async function* stream<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

function refusingBadTrees<T>(read: () => T): T {
  const refuse = (error: unknown): never => {
    if (!(error instanceof InputError)) throw error;
    const remedy = error.remedy ? ` (${error.remedy})` : "";
    throw new ServiceError(400, "invalid_trees", `${error.message}${remedy}`);
  };
  try {
    const result = read();
    return result instanceof Promise ? (result.catch(refuse) as T) : result;
  } catch (error) {
    return refuse(error);
  }
}
