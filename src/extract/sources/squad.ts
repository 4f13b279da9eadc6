/**
 * SQuAD 1.1, 2.0 and XQuAD as JSON, and the same as JSON lines with one question each: paragraphs
 * with answers by character offset. Paragraphs are split into sentences and tokens here, and an
 * answer becomes the smallest span of tokens that covers it, if it lies within one sentence.
 */

import { type Question, questionFromText } from "../../brackets/question.js";
import type { RawBracket, RawSentence } from "../../brackets/raw-sentence.js";
import { InputError, type Place } from "../../errors.js";
import type { TextInput } from "../../files/input.js";
import { splitSentences, tokenise } from "../../text/index.js";
import {
  type AnswerSource,
  field,
  isList,
  isObject,
  isString,
  parseJson,
  type SourceContext,
} from "./source.js";

export const squad: AnswerSource = {
  name: "squad",
  summary: "SQuAD 1.1, 2.0, XQuAD: JSON or JSON lines",
  extensions: [".json", ".jsonl"],
  recognises: (head) => /^\s*\{[\s\S]{0,4000}"(paragraphs|context)"\s*:/.test(head),
  read: async function* (inputs, context) {
    for (const input of inputs) {
      const isLines = !/^\s*\{[\s\S]{0,4000}"paragraphs"/.test(await input.head());
      yield* isLines ? readLines(input, context) : readDocument(input, context);
    }
  },
};

interface CharacterAnswer {
  readonly begin: number;
  readonly end: number;
  readonly annotator: string;
  readonly questions?: readonly Question[] | undefined;
}

async function* readDocument(
  input: TextInput,
  context: SourceContext,
): AsyncGenerator<RawSentence> {
  const place = { file: input.name };
  const articles = field(parseJson(await input.text(), place), "data", isList, place);
  for (const [articleIndex, article] of articles.entries()) {
    const paragraphs = field(article, "paragraphs", isList, place);
    for (const [index, paragraph] of paragraphs.entries()) {
      const found = context.attempt(() => {
        const text = field(paragraph, "context", isString, place);
        const questions = field(paragraph, "qas", isList, place);
        const answers = questions.flatMap((question) => readAnswers(question, place, context));
        const title = (article as Record<string, unknown>).title ?? articleIndex;
        return bracketParagraph(text, `${title}:${index}`, answers, context);
      });
      if (found) yield* found;
    }
  }
}

function readAnswers(question: unknown, place: Place, context: SourceContext): CharacterAnswer[] {
  const id = field(question, "id", isString, place);
  const questions = readQuestion(question, context);
  return field(question, "answers", isList, place).map((answer, index) => {
    const text = field(answer, "text", isString, place);
    const begin = field(answer, "answer_start", isOffset, place);
    return { begin, end: begin + text.length, annotator: `${id}#${index}`, questions };
  });
}

function readQuestion(record: unknown, { labels }: SourceContext): Question[] | undefined {
  const text = (record as Record<string, unknown>).question;
  const asked = labels && typeof text === "string" ? questionFromText(text) : undefined;
  return asked && [asked];
}

/** Lines as data-set hubs publish them: one question with its context and parallel answer lists. */
async function* readLines(input: TextInput, context: SourceContext): AsyncGenerator<RawSentence> {
  for await (const { text: line, line: number } of input.lines()) {
    if (line.trim() === "") continue;
    const place = { file: input.name, line: number };
    const found = context.attempt(() => {
      const record = parseJson(line, place);
      const text = field(record, "context", isString, place);
      const id = field(record, "id", isString, place);
      const answers = field(record, "answers", isObject, place);
      const texts = field(answers, "text", isList, place);
      const begins = field(answers, "answer_start", isList, place);
      if (texts.length !== begins.length) {
        throw new InputError('"text" and "answer_start" differ in length', place, "check the file");
      }
      const questions = readQuestion(record, context);
      const places = texts.map((answer, index) => {
        const begin = Number(begins[index]);
        return {
          begin,
          end: begin + String(answer).length,
          annotator: `${id}#${index}`,
          questions,
        };
      });
      return bracketParagraph(text, id, places, context);
    });
    if (found) yield* found;
  }
}

function bracketParagraph(
  text: string,
  name: string,
  answers: readonly CharacterAnswer[],
  context: SourceContext,
): RawSentence[] {
  const placed = new Set<CharacterAnswer>();
  const found = splitSentences(text, context).flatMap(({ begin, end }, index) => {
    const sentence = text.slice(begin, end);
    const tokens = tokenise(sentence, { language: context.language });
    const inside = answers.filter((answer) => answer.begin >= begin && answer.end <= end);
    const brackets = inside.flatMap((answer): RawBracket[] => {
      placed.add(answer);
      const first = tokens.findIndex((token) => token.end > answer.begin - begin);
      const last = tokens.findLastIndex((token) => token.begin < answer.end - begin);
      if (first < 0 || last < first) return [];
      const { annotator, questions } = answer;
      return [{ begin: first, end: last + 1, kind: "answer", annotators: [annotator], questions }];
    });
    if (tokens.length === 0) return [];
    return [
      {
        tokens: tokens.map((token) => token.text),
        id: `${name}:${index}`,
        source: "squad",
        text: sentence,
        offsets: tokens.map((token): [number, number] => [token.begin, token.end]),
        brackets,
      },
    ];
  });
  context.drop("answers that no single sentence holds", answers.length - placed.size);
  return found;
}

function isOffset(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}
