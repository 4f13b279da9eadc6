/** Scores the sentences that people are asked about. */

import { openModel } from "../model/open-model.js";
import { SpanModel } from "../model/span-model.js";
import { type AskableSentence, QuestionPool, type SentenceScores } from "./questions.js";

/** The scores of a model for sentences, as they are computed: with the place of each in the list. */
export async function* scoreSentences(
  sentences: readonly (readonly string[])[],
  model: string,
  threads: number | undefined,
): AsyncGenerator<SentenceScores & { readonly index: number }> {
  const spans = await SpanModel.load(await openModel(model), { threads });
  const hasPhrases = spans.config.decoding === "phrases";
  try {
    for await (const { index, scores } of spans.scores(sentences)) {
      yield { index, scores, hasPhrases };
    }
  } finally {
    await spans.close();
  }
}

/** The sentences with the scores of a model. */
export async function openPool(
  sentences: readonly AskableSentence[],
  model: string,
  threads: number | undefined,
): Promise<QuestionPool> {
  const pool = new QuestionPool(sentences);
  const tokens = sentences.map((sentence) => sentence.tokens);
  for await (const { index, ...scored } of scoreSentences(tokens, model, threads)) {
    pool.score((sentences[index] as AskableSentence).id, scored);
  }
  return pool;
}
