/** Logs of `bracken annotate`: what people answered about single spans. */

import {
  type AnnotationEvent,
  looksLikeAnnotations,
  parseEvent,
} from "../../brackets/annotation-log.js";
import { ANNOTATIONS, AnswerBook } from "../../brackets/answer-book.js";
import { toRawBrackets } from "../../brackets/bracket-fields.js";
import type { AnswerSource } from "./source.js";

export const annotations: AnswerSource = {
  name: ANNOTATIONS,
  summary: "logs of bracken annotate",
  extensions: [".jsonl"],
  recognises: looksLikeAnnotations,
  read: async function* (inputs, context) {
    const book = new AnswerBook();
    for (const input of inputs) {
      for await (const { text, line } of input.lines()) {
        if (text.trim() === "") continue;
        const event = context.attempt(
          (): AnnotationEvent => parseEvent(text, { file: input.name, line }),
        );
        if (event) book.add(event);
      }
    }
    for (const { tokens, source, id, ...record } of book.records()) {
      yield { tokens, source, id, brackets: toRawBrackets(record) };
    }
  },
};
