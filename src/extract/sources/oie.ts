/**
 * Open Information Extraction columns, made from QA-SRL: one word per row, one extraction per block,
 * and in the last column the argument that the word belongs to (`A0-B`, `A1-I`, `O`). Arguments were
 * answers; the predicate `P` was a word of the question and gives no bracket.
 */

import type { RawBracket, RawSentence } from "../../brackets/raw-sentence.js";
import { InputError, type Place } from "../../errors.js";
import type { TextInput } from "../../files/text-input.js";
import { bioSpans } from "./bio-spans.js";
import type { AnswerSource, SourceContext } from "./source.js";

export const oie: AnswerSource = {
  name: "oie",
  summary: "Open-IE columns with BIO labels",
  extensions: [".conll"],
  recognises: (head) => /^\s*word_id\tword\t/.test(head),
  read: async function* (inputs, context) {
    for (const input of inputs) yield* readFile(input, context);
  },
};

interface Row {
  readonly word: string;
  readonly sentence: string;
  readonly label: string;
}

async function* readFile(input: TextInput, context: SourceContext): AsyncGenerator<RawSentence> {
  let [block, begun]: [Row[], number] = [[], 1];
  const finish = () => {
    const rows = block;
    block = [];
    return rows.length > 0 ? readExtraction(rows, { file: input.name, line: begun }) : undefined;
  };
  for await (const { text, line } of input.lines()) {
    if (text.startsWith("word_id\t")) continue;
    if (text.trim() === "") {
      const found = finish();
      if (found) yield found;
      continue;
    }
    if (block.length === 0) begun = line;
    const row = context.attempt(() => readRow(text, block.length, { file: input.name, line }));
    if (row) block.push(row);
  }
  const last = finish();
  if (last) yield last;
}

function readRow(text: string, expectedIndex: number, place: Place): Row {
  const columns = text.split("\t");
  const [index, word, sentence, label] = [columns[0], columns[1], columns[5], columns.at(-1)];
  if (!word || columns.length < 8 || !label || sentence === undefined) {
    throw new InputError(
      "expected 8 columns separated by tabs",
      place,
      "columns are word_id word pred pred_id head_pred_id sent_id run_id label",
    );
  }
  if (Number(index) !== expectedIndex) {
    throw new InputError(
      `word ${index} is where word ${expectedIndex} is expected`,
      place,
      "each extraction begins at word 0 after a blank line",
    );
  }
  return { word, sentence, label };
}

function readExtraction(rows: readonly Row[], place: Place): RawSentence {
  const labels = rows.map(({ label }) => label.replace(/^(A\d+)-([BI])$/, "$2-$1"));
  const arguments_ = labels.map((label) => (/^[BI]-A/.test(label) ? label : "O"));
  const brackets = bioSpans(arguments_).map((span): RawBracket => {
    return { ...span, kind: "answer", annotators: ["annotator"] };
  });
  const name =
    place.file
      ?.split("/")
      .at(-1)
      ?.replace(/\.oie.*$/, "") ?? "";
  return {
    tokens: rows.map(({ word }) => word),
    id: `${name}:${rows[0]?.sentence}`,
    source: "oie",
    brackets,
  };
}
