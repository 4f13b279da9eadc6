/**
 * The QA-SRL Gold Standard: `*.gold.csv` with one question per row, whose answers are separated by
 * `~!~` and given as token ranges and as text, and `*.full.csv` with the sentences that the rows refer
 * to.
 */

import { questionFromSlots } from "../../brackets/question.js";
import type { RawBracket, RawSentence } from "../../brackets/raw-sentence.js";
import { InputError, type Place } from "../../errors.js";
import type { TextInput } from "../../files/text-input.js";
import { type CsvRow, csvColumn, readCsvRows } from "./csv-rows.js";
import { type AnswerSource, checkSpan, findMatches, type SourceContext } from "./source.js";

const SEPARATOR = "~!~";

export const qasrlGs: AnswerSource = {
  name: "qasrl-gs",
  summary: "QA-SRL Gold Standard, *.gold.csv with *.full.csv",
  extensions: [".csv"],
  recognises: (head) => /^\s*qasrl_id,/.test(head),
  read: async function* (inputs, context) {
    const sentences = new Map<string, string[]>();
    const questions: TextInput[] = [];
    for (const input of inputs) {
      const header = (await input.head()).split("\n", 1)[0] ?? "";
      if (header.includes("answer_range")) questions.push(input);
      else await readSentences(input, sentences, context);
    }
    for (const input of questions) yield* readQuestions(input, sentences, context);
  },
};

async function readSentences(
  input: TextInput,
  sentences: Map<string, string[]>,
  context: SourceContext,
): Promise<void> {
  for (const { row, place } of await readCsvRows(input)) {
    context.attempt(() => {
      const tokens = column(row, "tokens", place).split(" ");
      sentences.set(column(row, "qasrl_id", place), tokens);
    });
  }
}

async function* readQuestions(
  input: TextInput,
  sentences: ReadonlyMap<string, string[]>,
  context: SourceContext,
): AsyncGenerator<RawSentence> {
  for (const { row, place } of await readCsvRows(input)) {
    const found = context.attempt(() => {
      const id = column(row, "qasrl_id", place);
      const tokens = sentences.get(id);
      if (!tokens) throw withoutSentence(id, place);
      return { id, source: "qasrl-gs", tokens, brackets: readAnswers(row, tokens, place, context) };
    });
    if (found) yield found;
  }
}

function readAnswers(
  row: CsvRow,
  tokens: readonly string[],
  place: Place,
  context: SourceContext,
): RawBracket[] {
  const annotators = [row.worker_id ?? ""];
  const asked = context.labels ? questionFromSlots(row) : undefined;
  const questions = asked && [asked];
  const answer = (begin: number, end: number) => {
    return { begin, end, kind: "answer", annotators, questions };
  };
  if (context.matchText) {
    return column(row, "answer", place)
      .split(SEPARATOR)
      .flatMap((text) => {
        const matches = findMatches(text.trim().split(" "), tokens);
        if (matches.length === 0) context.drop("answers that stand nowhere in the sentence");
        return matches.map(([begin, end]) => answer(begin, end));
      });
  }
  const ranges = column(row, "answer_range", place).split(SEPARATOR).filter(Boolean);
  return ranges.map((range) => {
    const [begin = Number.NaN, end = Number.NaN] = range.split(":").map(Number);
    checkSpan(begin, end, tokens.length, place);
    return answer(begin, end);
  });
}

const COLUMNS =
  "QA-SRL Gold Standard files have qasrl_id, answer_range and answer, or qasrl_id and tokens";

function column(row: CsvRow, name: string, place: Place): string {
  return csvColumn(row, name, place, COLUMNS);
}

function withoutSentence(id: string, place: Place): InputError {
  return new InputError(
    `there is no sentence for ${id}`,
    place,
    "also give the *.full.csv files, which have the sentences",
  );
}
