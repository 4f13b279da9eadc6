/**
 * QED: questions of Natural Questions with explained answers, as JSON lines. Short answers of several
 * annotators become brackets, and so do the phrases that refer to the same thing as a phrase of the
 * question. The passage has blanks between its tokens.
 */

import { type Question, questionFromText } from "../../brackets/question.js";
import type { RawBracket, RawSentence } from "../../brackets/raw-sentence.js";
import { InputError, type Place } from "../../errors.js";
import { bracketPassage } from "./passage.js";
import {
  type AnswerSource,
  field,
  isList,
  isObject,
  isString,
  readJsonLines,
  type SourceContext,
} from "./source.js";
import { layOutPassage } from "./tokenised.js";

export const qed: AnswerSource = {
  name: "qed",
  summary: "QED, .jsonlines",
  extensions: [".jsonlines", ".jsonl"],
  recognises: (head) => /^\s*\{[^\n]*?"paragraph_text"\s*:/.test(head),
  read: async function* (inputs, context) {
    for (const input of inputs) {
      yield* readJsonLines(input, context, (record, place) => readExample(record, place, context));
    }
  },
};

function readExample(record: unknown, place: Place, context: SourceContext): RawSentence[] {
  const passage = field(record, "paragraph_text", isString, place);
  const { example_id: example } = record as Record<string, unknown>;
  const id = String(example ?? place.line);
  const asked = context.labels
    ? questionFromText(field(record, "question_text", isString, place))
    : undefined;
  const tokens = new TokenPlaces(passage);
  const brackets = [
    ...readAnswers(record, id, asked && [asked], place),
    ...readMentions(record, place),
  ].map((mark) => tokens.cover(mark, place));
  const { text, marks } = layOutPassage(tokens.words, brackets, context.language);
  return bracketPassage({ id, source: "qed", text, marks }, context);
}

function readAnswers(
  record: unknown,
  id: string,
  questions: readonly Question[] | undefined,
  place: Place,
): RawBracket[] {
  return field(record, "original_nq_answers", isList, place).flatMap((spans, annotator) =>
    (isList(spans) ? spans : []).map((span) => ({
      ...readSpan(span, place),
      kind: "answer",
      annotators: [`${id}#${annotator}`],
      questions,
    })),
  );
}

/** Phrases of the passage that a phrase of the question refers to; a reference may also be implicit. */
function readMentions(record: unknown, place: Place): RawBracket[] {
  const { annotation } = record as Record<string, unknown>;
  const { referential_equalities: equalities = [] } = isObject(annotation) ? annotation : {};
  return (isList(equalities) ? equalities : [])
    .map((equality) => field(equality, "sentence_reference", isObject, place))
    .filter(({ start }) => start !== -1)
    .map((span) => ({ ...readSpan(span, place), kind: "mention", annotators: ["annotator"] }));
}

function readSpan(span: unknown, place: Place): { begin: number; end: number } {
  return { begin: field(span, "start", isNumber, place), end: field(span, "end", isNumber, place) };
}

function isNumber(value: unknown): value is number {
  return Number.isInteger(value);
}

/** The tokens of a passage with blanks between them. Places are counted in code points. */
class TokenPlaces {
  readonly words: readonly string[];
  readonly #begins: number[] = [];
  readonly #end: number;

  constructor(passage: string) {
    this.words = passage.split(" ").filter(Boolean);
    let at = 0;
    for (const part of passage.split(" ")) {
      if (part !== "") this.#begins.push(at);
      at += [...part].length + 1;
    }
    this.#end = at - 1;
  }

  /** The span of tokens that a stretch of the passage covers. */
  cover<Mark extends { begin: number; end: number }>(mark: Mark, place: Place): Mark {
    if (mark.begin < 0 || mark.end <= mark.begin || mark.end > this.#end) {
      throw new InputError(
        `the span [${mark.begin}, ${mark.end}) is not within the passage`,
        place,
        "check the file, or skip such lines with --skip-bad",
      );
    }
    const begin = this.#begins.findLastIndex((each) => each <= mark.begin);
    const end = this.#begins.findLastIndex((each) => each < mark.end) + 1;
    return { ...mark, begin: Math.max(0, begin), end };
  }
}
