/** The JSON Schemas of the routes under /v1/annotation; see schemas.ts. */

import {
  count,
  flag,
  listOf,
  number,
  oneOfTexts,
  orNull,
  pairOf,
  record,
  refine,
  type Schema,
  type Shape,
  text,
} from "./schema-types.js";
import {
  type AnnotationAnswer,
  type AnnotationPerson,
  type AnnotationQuestion,
  type AnnotationStateRecord,
  LONGEST_NAME,
  VERDICTS,
} from "./wire-annotation.js";

const span = refine(pairOf(count), "[begin, end) over words");

const by = refine(text, {
  minLength: 1,
  maxLength: LONGEST_NAME,
  // Visible characters, with blanks between them only.
  pattern: "^[^\\s\\p{C}]+( [^\\s\\p{C}]+)*$",
  description: "The name of the person who answers.",
});

export const annotationPerson: Schema<Shape<AnnotationPerson>> = record({ by });

export const annotationAnswer: Schema<Shape<AnnotationAnswer>> = record(
  {
    by,
    question: refine(text, { maxLength: 200, description: "The id of the question." }),
    verdict: refine(oneOfTexts(VERDICTS), "Whether the span is a phrase."),
  },
  { right: refine(span, 'The phrase that is there instead, with the verdict "no".') },
);

export const annotationQuestion: Schema<Shape<AnnotationQuestion>> = refine(
  record(
    { id: text, tokens: listOf(text), span },
    {
      text: refine(text, "The sentence as it was written."),
      offsets: refine(listOf(span), "The positions of the words in the text."),
    },
  ),
  "Is this span a phrase?",
);

const agreement = {
  questions: refine(count, "Questions that two or more people answered."),
  share: refine(orNull(number), "The share of equal answers, from 0 to 1."),
  kappa: refine(orNull(number), "Agreement beyond chance; null if all answers are the same."),
};

const answers = refine(count, "Number of answers that the model learns from.");

export const annotationState: Schema<Shape<AnnotationStateRecord>> = record({
  answers: refine(count, "Answers of all people, without skipped questions."),
  heldBack: refine(count, "How many of them are held back to measure on."),
  skipped: count,
  people: listOf(record({ name: text, answers: count })),
  agreement: refine(
    record({ ...agreement, pairs: listOf(record({ people: pairOf(text), ...agreement })) }),
    "Fleiss' kappa for all people, and Cohen's kappa for each pair.",
  ),
  ready: refine(
    record({ scored: count, sentences: count }),
    "How many sentences of the corpus can be asked about so far, and how many there are.",
  ),
  curve: refine(
    listOf(
      record({
        answers,
        agreed: refine(count, "Held-back answers that its trees agree with."),
        heldBack: count,
        used: refine(flag, "Whether this model replaced the previous one."),
      }),
    ),
    "The learning curve: the model to start from, then the model of each lesson.",
  ),
  lesson: refine(
    orNull(record({ answers, step: count, steps: count })),
    "The lesson that is running.",
  ),
  nextLesson: refine(orNull(count), "Answers until the next lesson; null if there is none."),
  problem: refine(orNull(text), "What went wrong in the background."),
});
