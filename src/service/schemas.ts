/**
 * The JSON Schemas of requests and responses. Requests are checked by them, and the OpenAPI document is
 * made from them; tests check the responses.
 */

import { DECODINGS } from "../model/config.js";
import { NESTINGS } from "../parser/phrases.js";
import {
  type AnySchema,
  anything,
  count,
  either,
  exactlyOne,
  flag,
  listOf,
  no,
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
  annotationAnswer,
  annotationPerson,
  annotationQuestion,
  annotationState,
} from "./schemas-annotation.js";
import { evaluateRequest, evaluateResponse } from "./schemas-evaluation.js";
import {
  ERROR_CODES,
  MAX_CHART_SENTENCES,
  MAX_CHART_WORDS,
  MAX_TREES,
  type Messages,
  RUN_STATUSES,
} from "./wire.js";

/** A message's schema, by its name. */
export function ref<Name extends keyof Messages>(name: Name): Schema<Shape<Messages[Name]>> {
  return { $ref: `${name}#` };
}

const words = listOf(refine(text, { minLength: 1 }));
const tags = listOf(orNull(text));
const span = refine(pairOf(count), "[begin, end) over words");
/** The most constraints: each is compared with every other and with every span of the sentence. */
const brackets = refine(listOf(span), { maxItems: 1000 });

const decoding = refine(
  oneOfTexts(DECODINGS),
  "Which tree: the binary tree with the highest score (best), the binary tree with the most spans expected to be right (risk), or the tree with the highest expected F1, binary or flat (phrases). By default the model's own.",
);

const threshold = refine(number, {
  minimum: 0,
  maximum: 1,
  description: "Drop phrases with a lower probability.",
});

const maxTokens = refine(count, {
  minimum: 1,
  description: "Sentences with more words are not parsed and get a flat tree.",
});

const oneWord = refine(flag, {
  default: true,
  description: "Whether single words can be phrases, if the model names phrases.",
});

const parseOptions = record(
  {},
  {
    scores: refine(flag, "The score of each phrase and of the tree."),
    marginals: refine(flag, "The probability of each phrase."),
    kBest: refine(count, { minimum: 1, maximum: MAX_TREES, description: "The k best trees." }),
    decoding,
    threshold,
    maxTokens,
    oneWord,
    chart: refine(
      flag,
      `The scores and probabilities of all spans; for at most ${MAX_CHART_SENTENCES} sentences a request.`,
    ),
  },
);

const sentence = refine(
  record(
    {},
    {
      text: refine(text, "One sentence, split into words."),
      tokens: words,
      tags,
      required: refine(brackets, "Brackets that the tree must have."),
      forbidden: refine(brackets, "Brackets that the tree must not have."),
    },
  ),
  exactlyOne("text", "tokens"),
);

const languageCode = refine(
  text,
  "The BCP 47 code of the language, if it was detected with certainty or given. Sentences have it only if the model knows several languages or does not know this one.",
);

const answeredLanguage = {
  language: languageCode,
  supported: refine(flag, "Whether the model knows that language; it parses the text in any case."),
};

const sentences = {
  text: refine(text, "Running text, split into sentences and words."),
  tokens: refine(words, "The words of one sentence."),
  lines: refine(listOf(text), "One sentence each, split into words."),
  sentences: listOf(ref("Sentence")),
  language: refine(text, {
    default: "auto",
    description:
      "The language of the text: a BCP 47 code such as de, or auto to detect it. It is not detected from words.",
  }),
};

const oneKindOfSentences = exactlyOne("text", "tokens", "lines", "sentences");

const parseRequest = refine(
  record({}, { ...sentences, model: text, options: ref("ParseOptions") }),
  oneKindOfSentences,
);

const phrasesRequest = refine(
  record(
    {},
    {
      ...sentences,
      model: text,
      labels: refine(listOf(text), {
        minItems: 1,
        description: "Phrases with one of these labels; by default with any.",
      }),
      nesting: refine(oneOfTexts(NESTINGS), {
        default: "all",
        description:
          "Which phrases with these labels: all, those inside no other, or those with no other inside.",
      }),
      options: record({}, { decoding, threshold, maxTokens, oneWord }),
    },
  ),
  oneKindOfSentences,
);

const phrase = { begin: count, end: count, label: text };

const parseRecord = record(
  {
    tokens: words,
    spans: refine(
      listOf(
        record(phrase, {
          head: refine(count, "The index of the head word; only if the model names phrases."),
          score: number,
          marginal: refine(number, "The probability that the span is a phrase."),
          labelProbability: refine(number, "The probability of the label, if it is a phrase."),
        }),
      ),
      "Outer ones first. Of a chain of phrases over the same words, the first is the outermost.",
    ),
  },
  {
    tags,
    text: refine(text, "The sentence as it was written."),
    begin: refine(count, "Where the sentence begins in the text of the request."),
    offsets: refine(listOf(span), "The positions of the words in the text of the request."),
    score: refine(number, "The score of the tree; missing if the tree is not the model's."),
    fallback: refine(text, "Why the tree is not the model's."),
    language: languageCode,
    supported: refine(no, "False if the model does not know that language."),
    alternatives: listOf(record({ spans: listOf(record(phrase)), score: number })),
    chart: refine(
      orNull(ref("Chart")),
      `Null for sentences of more than ${MAX_CHART_WORDS} words.`,
    ),
  },
);

const base64 = refine(text, { contentEncoding: "base64" });

const chart = refine(
  record(
    { size: count, decoding, scores: base64, marginals: base64 },
    {
      labels: refine(
        record({ classes: listOf(text), best: base64, probabilities: base64 }),
        "The most probable label of each span: best is its index in classes, as uint16.",
      ),
    },
  ),
  "Float32, little-endian, size × size; the number of words begin to last, both included, is at begin × size + last. Scores are the model's; marginals are under the constraints.",
);

const phrasesRecord = record(
  {
    phrases: listOf(
      record(
        {
          text: refine(text, "The phrase as it is written in the text."),
          begin: refine(
            count,
            "Its position in the text or line; in a sentence given as tokens, its position in these.",
          ),
          end: count,
          label: text,
          head: refine(text, "The head word of the phrase."),
          words: refine(span, "Its position in the words of the sentence, [begin, end)."),
        },
        { probability: refine(number, "The probability that it is a phrase with this label.") },
      ),
    ),
  },
  { fallback: refine(text, "Why the sentence was not parsed and has no phrases.") },
);

const model = record({
  name: text,
  language: refine(text, "The language that the model knows; if it knows several, the first."),
  languages: refine(listOf(text), "All languages that the model knows."),
  layers: count,
  width: count,
  labels: refine(
    listOf(text),
    "The labels that the model has for phrases; none if it does not name them.",
  ),
  files: listOf(record({ name: text, bytes: count, sha256: text, url: text })),
});

const run = record({
  name: text,
  description: refine(anything, "What bracken train recorded about the run, or null."),
  step: orNull(count),
  bytes: count,
  changed: refine(text, { format: "date-time" }),
  status: refine(
    oneOfTexts(RUN_STATUSES),
    "Whether the run's log is growing, has not grown for a while, or the model is finished.",
  ),
});

const stepRecord = refine(
  record(
    {
      step: count,
      loss: number,
      violations: number,
      gradientNorm: number,
      rate: number,
      tokensPerSecond: number,
      seconds: number,
    },
    { bracketRecall: number, labelAgreement: number },
  ),
  { additionalProperties: true },
);

const LINES =
  "One line for each sentence, in order. If the request fails halfway, the last line is an Error.";

export const SCHEMAS: { readonly [Name in keyof Messages]: Schema<Shape<Messages[Name]>> } = {
  Sentence: sentence,
  ParseOptions: parseOptions,
  ParseRequest: parseRequest,
  Chart: chart,
  ParseRecord: parseRecord,
  ProblemRecord: refine(
    record({ error: text }),
    "Takes the place of a sentence that cannot be parsed.",
  ),
  ParseResponse: record(
    { model: text, sentences: listOf(either(ref("ParseRecord"), ref("ProblemRecord"))) },
    answeredLanguage,
  ),
  ParseLine: refine(either(either(ref("ParseRecord"), ref("ProblemRecord")), ref("Error")), LINES),
  PhrasesRequest: phrasesRequest,
  PhrasesRecord: phrasesRecord,
  PhrasesResponse: record(
    { model: text, sentences: listOf(either(ref("PhrasesRecord"), ref("ProblemRecord"))) },
    answeredLanguage,
  ),
  PhrasesLine: refine(
    either(either(ref("PhrasesRecord"), ref("ProblemRecord")), ref("Error")),
    LINES,
  ),
  EvaluateRequest: evaluateRequest,
  EvaluateResponse: evaluateResponse,
  Models: record({
    default: text,
    models: listOf(model),
    annotation: refine(flag, "Whether the service asks questions: the routes /v1/annotation."),
  }),
  Health: record({
    status: oneOfTexts(["ok"]),
    models: listOf(text),
    waiting: record({ sentences: count, words: count }),
  }),
  Ready: record({ status: oneOfTexts(["ready"]) }),
  Runs: record({ runs: listOf(run) }),
  StepRecord: stepRecord,
  AnnotationPerson: annotationPerson,
  AnnotationAnswer: annotationAnswer,
  AnnotationQuestion: annotationQuestion,
  AnnotationState: annotationState,
  Annotation: record({
    question: refine(
      orNull(ref("AnnotationQuestion")),
      "Null if there is none, or none yet: ready says how many sentences can be asked about.",
    ),
    state: ref("AnnotationState"),
  }),
  Error: record({
    error: record({ code: oneOfTexts(ERROR_CODES), message: text, requestId: text }),
  }),
};

export function jsonAnswer(name: keyof Messages, description: string): AnySchema {
  return { description, content: { "application/json": { schema: ref(name) } } };
}

/** The answers that a route may give beside those that any may. */
export function errorAnswers(...statuses: (keyof typeof ERRORS)[]): Record<string, AnySchema> {
  return Object.fromEntries(
    [...statuses, ...EVERYWHERE].map((status) => [status, jsonAnswer("Error", ERRORS[status])]),
  );
}

const EVERYWHERE = [401, 403, 405, 421, 429, 500, 503] as const;

const ERRORS = {
  400: "The request is malformed.",
  401: "The service requires a key, and the request has none of its keys.",
  403: "The request is from a web page of another origin.",
  404: "There is no such address, run or question.",
  405: "The method is not allowed for this address.",
  408: "The request took too long.",
  409: "There is nothing to undo.",
  413: "The body is too large, or has too many sentences or words.",
  415: "The body is not JSON.",
  421: "The service does not answer to the name in the Host header.",
  429: "Too many requests are waiting, or the client sends too many; Retry-After says when to try again.",
  500: "The service failed.",
  503: "The service is shutting down.",
} as const;
