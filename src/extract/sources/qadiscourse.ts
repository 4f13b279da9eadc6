/**
 * QADiscourse: questions about discourse relations with free-text answers, separated by tabs. An answer
 * gives a bracket if its tokens follow each other in the sentence, ignoring case and the full stop that
 * annotators put after an answer.
 */

import { questionFromText } from "../../brackets/question.js";
import type { RawSentence } from "../../brackets/raw-sentence.js";
import { tokenKey } from "../../brackets/sentence-keys.js";
import { InputError, type Place } from "../../errors.js";
import { tokenise } from "../../text/index.js";
import { type AnswerSource, findMatches, type SourceContext } from "./source.js";

export const qadiscourse: AnswerSource = {
  name: "qadiscourse",
  summary: "QADiscourse, .tsv with free-text answers",
  extensions: [".tsv"],
  recognises: (head) => /^\s*qasrl_id\tsentence\t/.test(head),
  read: async function* (inputs, context) {
    for (const input of inputs) {
      let columns: string[] | undefined;
      for await (const { text, line } of input.lines()) {
        if (!columns) columns = text.split("\t");
        else if (text !== "") {
          const header = columns;
          const place = { file: input.name, line };
          const found = context.attempt(() => readRow(text.split("\t"), header, place, context));
          if (found) yield found;
        }
      }
    }
  },
};

function readRow(
  cells: readonly string[],
  columns: readonly string[],
  place: Place,
  context: SourceContext,
): RawSentence {
  const cell = (name: string): string => {
    const value = cells[columns.indexOf(name)];
    if (value !== undefined) return value;
    throw new InputError(
      `the column "${name}" is missing`,
      place,
      "QADiscourse has qasrl_id, sentence, worker_id and answer",
    );
  };
  const tokens = cell("sentence").split(" ").filter(Boolean);
  const answer = cell("answer")
    .replaceAll("\\'", "'")
    .replace(/[\s.]+$/, "");
  const words = tokenise(answer, context).map(({ text }) => text);
  const matches = findMatches(fold(words), fold(tokens));
  if (matches.length === 0) context.drop("answers that stand nowhere in the sentence");
  const annotators = [cell("worker_id")];
  const asked = context.labels ? questionFromText(cell("full_question")) : undefined;
  const questions = asked && [asked];
  return {
    tokens,
    id: cell("qasrl_id"),
    source: "qadiscourse",
    brackets: matches.map(([begin, end]) => {
      return { begin, end, kind: "answer", annotators, questions };
    }),
  };
}

function fold(tokens: readonly string[]): string[] {
  return tokens.map((token) => tokenKey([token]).toLowerCase());
}
