/** Evaluations of trees written in a test. */

import { type EvaluationOptions, evaluateStreams } from "../../src/evaluation/evaluate.js";
import type { LabelledProtocolName } from "../../src/evaluation/protocols.js";
import { PennReader } from "../../src/trees/penn-reader.js";

export async function* readTrees(text: string, file: string) {
  const reader = new PennReader({ file });
  yield* reader.push(text);
  yield* reader.end();
}

export async function evaluateText(
  gold: string,
  predicted: string,
  protocol: LabelledProtocolName,
  options: EvaluationOptions = { labelled: true },
) {
  const streams = [readTrees(predicted, "pred")];
  const [found] = await evaluateStreams(readTrees(gold, "gold"), streams, protocol, options);
  if (!found) throw new Error("no evaluation");
  return found;
}
