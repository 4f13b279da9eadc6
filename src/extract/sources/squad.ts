/**
 * SQuAD 1.1 and 2.0 and the data sets that took over its format: one JSON document of articles with
 * paragraphs, or of paragraphs alone; and JSON lines with one question each, as data-set hubs publish
 * them. Answers are given by their text and their place in the paragraph.
 */

import { type Question, questionFromText } from "../../brackets/question.js";
import type { RawSentence } from "../../brackets/raw-sentence.js";
import { InputError, type Place } from "../../errors.js";
import type { TextInput } from "../../files/text-input.js";
import {
  type AnswerPlace,
  type GivenAnswer,
  isRepeated,
  placeAnswer,
  SearchedPlaces,
} from "./answer-places.js";
import { bracketPassage } from "./passage.js";
import {
  type AnswerSource,
  field,
  isList,
  isObject,
  isString,
  parseJson,
  readJsonLines,
  type SourceContext,
} from "./source.js";

const DOCUMENT = /^\s*(?:\[\s*)?\{[\s\S]{0,4000}?"(?:paragraphs|qas)"\s*:/;
const LINES = /^\s*\{[^\n]*"context"\s*:\s*"/;

export const squad: AnswerSource = {
  name: "squad",
  summary: "SQuAD 1.1, 2.0, XQuAD, TyDi QA, JaQuAD and the like: JSON or JSON lines",
  extensions: [".json", ".jsonl"],
  recognises: (head) => isDocument(head) || LINES.test(head),
  read: async function* (inputs, context) {
    for (const input of inputs) {
      const isWhole = isDocument(await input.head());
      if (isWhole) yield* readDocument(input, context);
      else
        yield* readJsonLines(input, context, (record, place) => readLine(record, place, context));
    }
  },
};

function isDocument(head: string): boolean {
  return DOCUMENT.test(head);
}

/** A paragraph with its answers, at the places where they were found. */
interface Paragraph {
  readonly id: string;
  readonly text: string;
  readonly answers: readonly PlacedAnswer[];
  readonly language: string | undefined;
}

interface PlacedAnswer extends AnswerPlace {
  readonly annotator: string;
  readonly questions: readonly Question[] | undefined;
}

async function* readDocument(
  input: TextInput,
  context: SourceContext,
): AsyncGenerator<RawSentence> {
  const place = { file: input.name };
  const document = parseJson(await input.text(), place);
  const articles = isList(document) ? document : field(document, "data", isList, place);
  const found = articles.flatMap((article, index) => readArticle(article, index, place, context));
  const searched = new SearchedPlaces();
  for (const { text, answers } of found) for (const each of answers) searched.add(text, each);
  for (const paragraph of found) {
    yield* bracket(searched.isLikely ? withoutRepeated(paragraph, context) : paragraph, context);
  }
}

/** The paragraphs of an article; a list without articles has one in the place of each. */
function readArticle(
  article: unknown,
  index: number,
  place: Place,
  context: SourceContext,
): Paragraph[] {
  const { title = index, paragraphs } = isObject(article) ? article : {};
  if (paragraphs === undefined && isObject(article) && "context" in article) {
    return readParagraph(article, String(index), place, context);
  }
  const list = context.attempt(() => field(article, "paragraphs", isList, place)) ?? [];
  return list.flatMap((paragraph, number) =>
    readParagraph(paragraph, `${title}:${number}`, place, context),
  );
}

function readParagraph(
  paragraph: unknown,
  id: string,
  place: Place,
  context: SourceContext,
): Paragraph[] {
  const found = context.attempt((): Paragraph => {
    const text = field(paragraph, "context", isString, place);
    const questions = field(paragraph, "qas", isList, place);
    const answers = questions.flatMap((question, number) =>
      readAnswers(question, `${id}.${number}`, text, place, context),
    );
    return { id, text, answers, language: questions.map(languageOf).find(Boolean) };
  });
  return found ? [found] : [];
}

function readAnswers(
  question: unknown,
  number: string,
  passage: string,
  place: Place,
  context: SourceContext,
): PlacedAnswer[] {
  const id = idOf(question) ?? number;
  const given = field(question, "answers", isList, place).map((answer) => ({
    text: field(answer, "text", isString, place),
    start: field(answer, "answer_start", isInteger, place),
  }));
  return placeAnswers(passage, id, given, readQuestion(question, context), context);
}

function placeAnswers(
  passage: string,
  id: string,
  given: readonly GivenAnswer[],
  questions: readonly Question[] | undefined,
  context: SourceContext,
): PlacedAnswer[] {
  return given.flatMap((answer, index) => {
    const found = placeAnswer(passage, answer);
    if (!found) context.drop("answers that are not where they are said to be");
    return found ? [{ ...found, annotator: `${id}#${index}`, questions }] : [];
  });
}

function withoutRepeated(paragraph: Paragraph, context: SourceContext): Paragraph {
  const answers = paragraph.answers.filter((answer) => !isRepeated(paragraph.text, answer));
  const dropped = paragraph.answers.length - answers.length;
  context.drop("answers that occur more than once, in data whose places were searched", dropped);
  return { ...paragraph, answers };
}

function readQuestion(record: unknown, { labels }: SourceContext): Question[] | undefined {
  const text = (record as Record<string, unknown>).question;
  const asked = labels && typeof text === "string" ? questionFromText(text) : undefined;
  return asked && [asked];
}

function idOf(record: unknown): string | undefined {
  const { id } = isObject(record) ? record : {};
  return typeof id === "number" ? String(id) : isString(id) ? id : undefined;
}

/** TyDi QA has eleven languages in one file, and names them in its ids. */
const TYDI_LANGUAGES = new Map([
  ["arabic", "ar"],
  ["bengali", "bn"],
  ["english", "en"],
  ["finnish", "fi"],
  ["indonesian", "id"],
  ["japanese", "ja"],
  ["korean", "ko"],
  ["russian", "ru"],
  ["swahili", "sw"],
  ["telugu", "te"],
  ["thai", "th"],
]);

function languageOf(question: unknown): string | undefined {
  const name = /^([a-z]+)-/.exec(idOf(question) ?? "")?.[1];
  return name === undefined ? undefined : TYDI_LANGUAGES.get(name);
}

/** One question with its context and parallel lists of answers. */
function readLine(record: unknown, place: Place, context: SourceContext): RawSentence[] {
  const text = field(record, "context", isString, place);
  const id = idOf(record) ?? String(place.line);
  const answers = field(record, "answers", isObject, place);
  const texts = field(answers, "text", isList, place);
  const starts = field(answers, "answer_start", isList, place);
  if (texts.length !== starts.length) {
    throw new InputError('"text" and "answer_start" differ in length', place, "check the file");
  }
  const given = texts.map((each, index) => {
    return { text: String(each), start: Number(starts[index]) };
  });
  const placed = placeAnswers(text, id, given, readQuestion(record, context), context);
  return bracket({ id, text, answers: placed, language: languageOf(record) }, context);
}

function bracket({ id, text, answers, language }: Paragraph, context: SourceContext) {
  const marks = answers.map(({ begin, end, annotator, questions }) => {
    return { begin, end, kind: "answer", annotators: [annotator], questions };
  });
  return bracketPassage({ id, source: "squad", text, marks, language }, context);
}

function isInteger(value: unknown): value is number {
  return Number.isInteger(value);
}
