/**
 * MultiSpanQA: questions over tokenised passages of Wikipedia that have several answers, each a span of
 * BIO labels.
 */

import { questionFromText } from "../../brackets/question.js";
import type { RawBracket, RawSentence } from "../../brackets/raw-sentence.js";
import { InputError, type Place } from "../../errors.js";
import { bioSpans } from "./bio-spans.js";
import { bracketPassage } from "./passage.js";
import {
  type AnswerSource,
  field,
  isList,
  isString,
  isTokenList,
  parseJson,
  type SourceContext,
} from "./source.js";
import { layOutPassage } from "./tokenised.js";

export const multispanqa: AnswerSource = {
  name: "multispanqa",
  summary: "MultiSpanQA, .json",
  extensions: [".json"],
  recognises: (head) => /^\s*\{[\s\S]{0,2000}"context"\s*:\s*\[\s*"/.test(head),
  read: async function* (inputs, context) {
    for (const input of inputs) {
      const place = { file: input.name };
      const document = parseJson(await input.text(), place);
      for (const item of field(document, "data", isList, place)) {
        const found = context.attempt(() => readItem(item, place, context));
        if (found) yield* found;
      }
    }
  },
};

function readItem(item: unknown, place: Place, context: SourceContext): RawSentence[] {
  const id = field(item, "id", isString, place);
  const tokens = field(item, "context", isTokenList, place);
  const question = field(item, "question", isTokenList, place);
  const labels = readLabels(item, tokens.length, id, place);
  const asked = context.labels ? questionFromText(question.join(" ")) : undefined;
  const questions = asked && [asked];
  const answers = bioSpans(labels).map((span): RawBracket => {
    return { ...span, kind: "answer", annotators: [id], questions };
  });
  const { text, marks } = layOutPassage(tokens, answers, context.language);
  return bracketPassage({ id, source: "multispanqa", text, marks }, context);
}

/** The published test file has no labels: then there are no answers. */
function readLabels(item: unknown, size: number, id: string, place: Place): string[] {
  const { label } = item as Record<string, unknown>;
  if (label === undefined) return [];
  const labels = field(item, "label", isTokenList, place);
  if (labels.length === size) return labels;
  throw new InputError(
    `${id} has ${labels.length} labels for ${size} tokens`,
    place,
    "check that the file is complete, or skip such questions with --skip-bad",
  );
}
