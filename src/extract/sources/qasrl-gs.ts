/**
 * The QA-SRL Gold Standard: `*.gold.csv` with one question per row, whose answers are separated by
 * `~!~` and given as token ranges and as text, and `*.full.csv` with the sentences that the rows refer
 * to.
 */

import { parse } from "csv-parse/sync";
import { questionFromSlots } from "../../brackets/question.js";
import type { RawBracket, RawSentence } from "../../brackets/raw-sentence.js";
import { InputError, type Place } from "../../errors.js";
import type { TextInput } from "../../files/input.js";
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

type Row = Record<string, string | undefined>;

async function readRows(input: TextInput): Promise<{ row: Row; place: Place }[]> {
  try {
    const rows = parse(await input.text(), { columns: true, info: true, bom: true }) as {
      record: Row;
      info: { lines: number };
    }[];
    return rows.map(({ record, info }) => ({
      row: record,
      place: { file: input.name, line: info.lines },
    }));
  } catch (error) {
    const { message, lines } = error as { message: string; lines?: number };
    throw new InputError(
      message,
      { file: input.name, line: lines },
      "check that the file is whole",
    );
  }
}

async function readSentences(
  input: TextInput,
  sentences: Map<string, string[]>,
  context: SourceContext,
): Promise<void> {
  for (const { row, place } of await readRows(input)) {
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
  for (const { row, place } of await readRows(input)) {
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
  row: Row,
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

function column(row: Row, name: string, place: Place): string {
  const value = row[name];
  if (value !== undefined) return value;
  throw new InputError(
    `the column "${name}" is missing`,
    place,
    "QA-SRL Gold Standard files have qasrl_id, answer_range and answer, or qasrl_id and tokens",
  );
}

function withoutSentence(id: string, place: Place): InputError {
  return new InputError(
    `there is no sentence for ${id}`,
    place,
    "also give the *.full.csv files, which have the sentences",
  );
}
