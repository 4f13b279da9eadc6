/** Scores the sentences that people are asked about. */

import type { Bracketing } from "../brackets/record.js";
import { openModel } from "../model/open-model.js";
import { SpanModel } from "../model/span-model.js";
import { type PoolSentence, QuestionPool } from "./questions.js";

/** The sentences with the scores of a model. */
export async function openPool(
  sentences: readonly Pick<Bracketing, "id" | "tokens">[],
  model: string,
  threads: number | undefined,
): Promise<QuestionPool> {
  const spans = await SpanModel.load(await openModel(model), { threads });
  const scored: PoolSentence[] = [];
  try {
    const tokens = sentences.map((sentence) => sentence.tokens);
    for await (const { index, scores } of spans.scores(tokens)) {
      const { id, tokens: own } = sentences[index] as Pick<Bracketing, "id" | "tokens">;
      scored[index] = { id, tokens: own, scores };
    }
  } finally {
    await spans.close();
  }
  return new QuestionPool(scored, spans.config.decoding === "phrases");
}
