/**
 * Bracket recall: how well a parser agrees with brackets that it has not learnt from. Besides the training loss it
 * is the only number by which settings may be chosen without using gold trees.
 */

import { Chart, decode, toSpans } from "../chart/index.js";
import type { SpanModel } from "../model/span-model.js";
import type { Example } from "./examples.js";
import { LabelLoss } from "./label-loss.js";

/** How many validation brackets a model's trees have. */
export interface BracketRecall {
  /** The number of validation brackets. */
  readonly brackets: number;
  /** The share of these that are spans of the model's trees. A binary tree crosses the others. */
  readonly found: number;
  /** The share of spans with votes whose label is the one with the most, if the model names spans. */
  readonly labels?: number;
}

export async function measureBracketRecall(
  parser: SpanModel,
  examples: readonly Example[],
): Promise<BracketRecall> {
  const chart = new Chart();
  const names = parser.config.labels && new LabelLoss(parser.config.labels);
  let [brackets, found, voted, agreeing] = [0, 0, 0, 0];
  for await (const { index, scores, labels } of parser.scores(examples.map(({ words }) => words))) {
    const example = examples[index] as Example;
    const spans = toSpans(decode(scores, example.words.length, chart).spans);
    const phrases = new Set(spans.map(({ begin, end }) => `${begin},${end}`));
    brackets += example.brackets.length;
    for (const { begin, end } of example.brackets) {
      if (phrases.has(`${begin},${end}`)) found += 1;
    }
    if (!names || !labels) continue;
    const agreement = names.agreement(labels, example.labelled ?? []);
    voted += agreement.spans;
    agreeing += agreement.agreeing;
  }
  return { brackets, found: found / brackets, ...(voted > 0 ? { labels: agreeing / voted } : {}) };
}
