/**
 * Words with BIO labels, one per line: the word, then one or more columns of labels (`B-PER`, `I-PER`,
 * `O`), separated by tabs; blank lines between sentences. Several columns are layers of mentions within
 * each other, as in LitBank.
 */

import type { RawBracket, RawSentence } from "../../brackets/raw-sentence.js";
import { InputError, type Place } from "../../errors.js";
import type { TextInput } from "../../files/text-input.js";
import { bioSpans } from "./bio-spans.js";
import type { AnswerSource, SourceContext } from "./source.js";

const LABEL = "(?:O|[BI](?:-[^\\s]+)?)";

export const bio: AnswerSource = {
  name: "bio",
  summary: "words with columns of BIO labels, such as LitBank's entities",
  extensions: [".tsv", ".bio"],
  recognises: (head) => new RegExp(`^\\s*[^\\s]+(?:\\t${LABEL})+\\t?\\r?\\n`).test(head),
  read: async function* (inputs, context) {
    for (const input of inputs) yield* readFile(input, context);
  },
};

interface Row {
  readonly word: string;
  readonly labels: readonly string[];
}

async function* readFile(input: TextInput, context: SourceContext): AsyncGenerator<RawSentence> {
  let rows: Row[] = [];
  let count = 0;
  const finish = (): RawSentence[] => {
    const words = rows.filter(({ word }) => !isMarkup(word));
    rows = [];
    return words.length > 0 ? [readSentence(words, `${nameOf(input)}:${count++}`)] : [];
  };
  for await (const { text, line } of input.lines()) {
    if (text.trim() === "") {
      yield* finish();
      continue;
    }
    const place = { file: input.name, line };
    const row = context.attempt(() => readRow(text, rows[0]?.labels.length, place));
    if (row) rows.push(row);
  }
  yield* finish();
}

/** Project Gutenberg's sign for italics, which is no word. */
function isMarkup(word: string): boolean {
  return word === "_";
}

function nameOf({ name }: TextInput): string {
  return (
    name
      .split("/")
      .at(-1)
      ?.replace(/\.[a-z]+(?:\.gz|\.bz2|\.xz)?$/, "") ?? name
  );
}

const ONE_LABEL = new RegExp(`^${LABEL}$`);

function readRow(text: string, layers: number | undefined, place: Place): Row {
  const [word, ...labels] = text.replace(/\t$/, "").split("\t");
  const isRow = word && labels.length > 0 && labels.every((label) => ONE_LABEL.test(label));
  if (!isRow || (layers !== undefined && labels.length !== layers)) {
    throw new InputError(
      "expected a word and its BIO labels, separated by tabs",
      place,
      "all lines of a sentence have the same number of labels: B-PER, I-PER or O",
    );
  }
  return { word, labels };
}

function readSentence(rows: readonly Row[], id: string): RawSentence {
  const layers = rows[0]?.labels.length ?? 0;
  const brackets = Array.from({ length: layers }, (_, layer) =>
    bioSpans(rows.map(({ labels }) => labels[layer] as string)),
  ).flatMap((spans) =>
    spans.map((span): RawBracket => ({ ...span, kind: "mention", annotators: ["annotator"] })),
  );
  return { tokens: rows.map(({ word }) => word), id, source: "bio", brackets };
}
