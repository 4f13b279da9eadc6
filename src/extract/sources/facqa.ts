/**
 * FacQA of IndoNLU: Indonesian questions with tokenised passages, and the answer as BIO labels. The
 * columns of its CSV are lists in Python's notation.
 */

import { questionFromText } from "../../brackets/question.js";
import type { RawBracket, RawSentence } from "../../brackets/raw-sentence.js";
import { InputError, type Place } from "../../errors.js";
import { findLanguage } from "../../languages/index.js";
import { bioSpans } from "./bio-spans.js";
import { type CsvRow, readCsvRows } from "./csv-rows.js";
import { bracketPassage } from "./passage.js";
import type { AnswerSource, SourceContext } from "./source.js";
import { layOutPassage } from "./tokenised.js";

export const facqa: AnswerSource = {
  name: "facqa",
  summary: "FacQA (Indonesian), .csv",
  extensions: [".csv"],
  recognises: (head) => /^\s*question,passage,seq_label\r?\n/.test(head),
  read: async function* (inputs, context) {
    for (const input of inputs) {
      for (const { row, place } of await readCsvRows(input)) {
        const found = context.attempt(() => readRow(row, place, context));
        if (found) yield* found;
      }
    }
  },
};

const LANGUAGE = "id";

function readRow(row: CsvRow, place: Place, context: SourceContext): RawSentence[] {
  const tokens = readList(row, "passage", place);
  const labels = readList(row, "seq_label", place);
  if (labels.length !== tokens.length) {
    throw new InputError(
      `there are ${labels.length} labels for ${tokens.length} tokens`,
      place,
      "check the file, or skip such lines with --skip-bad",
    );
  }
  const id = `${place.file?.split("/").at(-1)}:${place.line}`;
  const asked = context.labels ? questionFromText(row.question ?? "") : undefined;
  const language = context.language ?? findLanguage(LANGUAGE);
  const questions = asked && [asked];
  const answers = bioSpans(labels).map((span): RawBracket => {
    return { ...span, kind: "answer", annotators: [id], questions };
  });
  const { text, marks } = layOutPassage(tokens, answers, language);
  const passage = { id, source: "facqa", text, marks, language: LANGUAGE };
  return bracketPassage(passage, context);
}

/** `['a', "b's", 'c']`, with Python's escapes of quotes and backslashes. */
function readList(row: CsvRow, column: string, place: Place): string[] {
  const list = row[column] ?? "";
  const items = [...list.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g)].map(
    ([, single, double]) => (single ?? double ?? "").replace(/\\(.)/g, "$1"),
  );
  if (/^\[.*\]$/s.test(list.trim()) && items.length > 0 && items.every(Boolean)) return items;
  throw new InputError(
    `the column "${column}" is not a list of words`,
    place,
    "FacQA has the columns question, passage and seq_label",
  );
}
