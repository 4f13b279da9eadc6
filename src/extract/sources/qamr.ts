/**
 * QAMR: a table of questions whose answers are token indices, from the writer of the question and two
 * others, and a table of the sentences. An answer counts if its indices are contiguous.
 */

import { questionFromText } from "../../brackets/question.js";
import type { RawBracket, RawSentence } from "../../brackets/raw-sentence.js";
import { InputError, type Place } from "../../errors.js";
import type { TextInput } from "../../files/text-input.js";
import { type AnswerSource, checkSpan, type SourceContext } from "./source.js";

export const qamr: AnswerSource = {
  name: "qamr",
  summary: "QAMR, .tsv with its table of sentences",
  extensions: [".tsv"],
  recognises: (head) => isQuestions(head) || isSentences(head),
  read: async function* (inputs, context) {
    const sentences: Sentences = new Map();
    const questions: TextInput[] = [];
    for (const input of inputs) {
      if (isQuestions(await input.head())) questions.push(input);
      else await readSentences(input, sentences, context);
    }
    for (const input of questions) yield* readQuestions(input, sentences, context);
  },
};

/**
 * Sentences by their id. Questions refer to the id that is here, since the one on their own line would keep
 * the line's text in memory.
 */
type Sentences = Map<string, { readonly id: string; readonly tokens: readonly string[] }>;

/** Name, indices of the words asked about, writer, …, question, answer, others' answers. */
function isQuestions(head: string): boolean {
  return /^\s*[^\t\n]+:[^\t\n]+\t\d+( \d+)*\t\d+\t\d+\t/.test(head);
}

function isSentences(head: string): boolean {
  return /^\s*[^\t\n]+:\d+:\d+\t[^\t\n]+\n/.test(head);
}

async function readSentences(
  input: TextInput,
  sentences: Sentences,
  context: SourceContext,
): Promise<void> {
  for await (const { text, line } of input.lines()) {
    if (text === "") continue;
    context.attempt(() => {
      const [id, sentence] = text.split("\t");
      if (!id || !sentence) throw wrongColumns({ file: input.name, line });
      sentences.set(id, { id, tokens: sentence.split(" ") });
    });
  }
}

async function* readQuestions(
  input: TextInput,
  sentences: Sentences,
  context: SourceContext,
): AsyncGenerator<RawSentence> {
  for await (const { text, line } of input.lines()) {
    if (text === "") continue;
    const found = context.attempt(() =>
      readQuestion(text, sentences, context, { file: input.name, line }),
    );
    if (found) yield found;
  }
}

function readQuestion(
  text: string,
  sentences: Sentences,
  context: SourceContext,
  place: Place,
): RawSentence {
  const [id, , writer, , , question, answer, ...others] = text.split("\t");
  if (!id || !writer || question === undefined || answer === undefined) throw wrongColumns(place);
  const sentence = sentences.get(id);
  if (!sentence) {
    throw new InputError(
      `there is no sentence for ${id}`,
      place,
      "also give the table of sentences (wiki-sentences.tsv)",
    );
  }
  const asked = context.labels ? questionFromText(question) : undefined;
  const questions = asked && [asked];
  const brackets: RawBracket[] = [];
  for (const given of [`${writer}:${answer}`, ...others]) {
    const colon = given.indexOf(":");
    const run = readRun(given.slice(colon + 1), context);
    if (!run) continue;
    const { begin, end } = run;
    checkSpan(begin, end, sentence.tokens.length, place);
    const annotators = [given.slice(0, colon)];
    const kind = "answer";
    if (questions) brackets.push({ begin, end, kind, annotators, questions });
    else brackets.push({ begin, end, kind, annotators });
  }
  return { ...sentence, source: "qamr", brackets };
}

/** The indices as a span; undefined if there are none or they are not contiguous. */
function readRun(text: string, context: SourceContext): { begin: number; end: number } | undefined {
  if (!/^\d+( \d+)*$/.test(text)) {
    context.drop("questions that an annotator calls invalid or redundant");
    return undefined;
  }
  const indices = text.split(" ");
  const begin = Number(indices[0]);
  if (indices.every((index, position) => Number(index) === begin + position)) {
    return { begin, end: begin + indices.length };
  }
  context.drop("answers that are not contiguous");
  return undefined;
}

function wrongColumns(place: Place): InputError {
  return new InputError(
    "too few columns separated by tabs",
    place,
    "expected QAMR's questions (filtered-*.tsv, full-*.tsv) or its table of sentences",
  );
}
