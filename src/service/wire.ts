/**
 * The wire contract: the path and the JSON of every request, answer, record and event. The service and
 * the page both import it, so it holds types and constants only, and nothing that a browser lacks.
 * schemas.ts states the same types as JSON Schemas; the compiler checks that the two agree.
 */

import type { LabelledProtocolName } from "../evaluation/protocols.js";
import type { Decoding } from "../model/config.js";
import type { ParseRecord } from "../parser/parse-record.js";
import type { DocumentPhrase, Nesting } from "../parser/phrases.js";
import type { StepRecord } from "../training/log-record.js";
import type {
  AnnotationAnswer,
  AnnotationPerson,
  AnnotationQuestion,
  AnnotationResponse,
  AnnotationStateRecord,
} from "./wire-annotation.js";

export type { ParseRecord, StepRecord };

/** Relative to where the page is, so that a proxy may serve both under a folder. */
export const PATHS = {
  parse: "v1/parse",
  phrases: "v1/phrases",
  evaluate: "v1/evaluate",
  models: "v1/models",
  runs: "v1/runs",
  annotation: "v1/annotation",
  annotationQuestion: "v1/annotation/question",
  annotationAnswer: "v1/annotation/answer",
  annotationUndo: "v1/annotation/undo",
  health: "healthz",
  ready: "readyz",
  metrics: "metrics",
  openapi: "openapi.json",
} as const;

/** The log of a training run; with `follow` as server-sent events. */
export function runLogPath(name: string, follow: boolean): string {
  return `${PATHS.runs}/${encodeURIComponent(name)}/log${follow ? "?follow=1" : ""}`;
}

export const NDJSON = "application/x-ndjson";
export const EVENT_STREAM = "text/event-stream";

/** Sentences of a request that asks for charts, which grow with the square of the words. */
export const MAX_CHART_SENTENCES = 32;
/** Words of a sentence that gets a chart. */
export const MAX_CHART_WORDS = 200;
/** The largest `kBest`. */
export const MAX_TREES = 20;

/** Words begin to end, the end not included. */
export type SpanPair = readonly [begin: number, end: number];

/** One sentence, as `text` or as `tokens`. */
export interface SentenceBody {
  readonly text?: string;
  readonly tokens?: readonly string[];
  readonly tags?: readonly (string | null)[];
  readonly required?: readonly SpanPair[];
  readonly forbidden?: readonly SpanPair[];
}

export interface ParseOptionsBody {
  readonly scores?: boolean;
  readonly marginals?: boolean;
  readonly kBest?: number;
  readonly decoding?: Decoding;
  readonly threshold?: number;
  readonly maxTokens?: number;
  /** Whether single words can be phrases, where the model names phrases. */
  readonly oneWord?: boolean;
  readonly chart?: boolean;
}

/** Exactly one of these holds the sentences of a request. */
export interface SentencesBody {
  readonly text?: string;
  readonly tokens?: readonly string[];
  readonly lines?: readonly string[];
  readonly sentences?: readonly SentenceBody[];
  /** The code of the language; `auto`, the default, if the text tells it. */
  readonly language?: string;
}

/** What is said of the language of a request. */
export interface AnsweredLanguage {
  /** The code of its language, if that is sure. */
  readonly language?: string;
  /** Whether the model knows that language. */
  readonly supported?: boolean;
}

export interface ParseRequest extends SentencesBody {
  readonly model?: string;
  readonly options?: ParseOptionsBody;
}

/** Scores and probabilities of all spans: base64 of little-endian 32-bit floats, `size` × `size`. */
export interface ChartRecord {
  readonly size: number;
  readonly decoding: Decoding;
  readonly scores: string;
  readonly marginals: string;
  /** The most probable label of each span, if the model names phrases. */
  readonly labels?: {
    /** `-` for a single word that is no phrase, then the labels and chains of labels. */
    readonly classes: readonly string[];
    /** Base64 of little-endian 16-bit integers: places in `classes`. */
    readonly best: string;
    /** Base64 of little-endian 32-bit floats. */
    readonly probabilities: string;
  };
}

/** A sentence's tree. */
export interface AnsweredRecord extends ParseRecord {
  /** Null for sentences of more than `MAX_CHART_WORDS` words. */
  readonly chart?: ChartRecord | null;
}

/** Stands in the place of a sentence that cannot be parsed. */
export interface ProblemRecord {
  readonly error: string;
}

export interface ParseResponse extends AnsweredLanguage {
  readonly model: string;
  readonly sentences: readonly (AnsweredRecord | ProblemRecord)[];
}

/** A line of an NDJSON answer; an `ErrorBody` can only be the last. */
export type ParseLine = AnsweredRecord | ProblemRecord | ErrorBody;

export interface PhrasesRequest extends SentencesBody {
  readonly model?: string;
  /** All labels of the model by default. */
  readonly labels?: readonly string[];
  readonly nesting?: Nesting;
  readonly options?: Pick<ParseOptionsBody, "decoding" | "threshold" | "maxTokens" | "oneWord">;
}

export type PhraseRecord = Omit<DocumentPhrase, "sentence">;

/** The phrases of one sentence. */
export interface PhrasesRecord {
  readonly phrases: readonly PhraseRecord[];
  /** Why the sentence was not parsed and has no phrases. */
  readonly fallback?: string;
}

export interface PhrasesResponse extends AnsweredLanguage {
  readonly model: string;
  readonly sentences: readonly (PhrasesRecord | ProblemRecord)[];
}

/** A line of an NDJSON answer; an `ErrorBody` can only be the last. */
export type PhrasesLine = PhrasesRecord | ProblemRecord | ErrorBody;

/** `gold` and either `predicted` or `model`. */
export interface EvaluateRequest {
  readonly gold: string;
  readonly predicted?: string;
  readonly model?: string;
  readonly protocol?: LabelledProtocolName;
  /** What is punctuation in gold: `auto`, a tag set, `characters` or a list of tags; default `auto`. */
  readonly punctuation?: string;
  /** Compare labels, too; `evalb` always does. */
  readonly labelled?: boolean;
  /** Count one-word phrases where labels are compared; `evalb` always does. */
  readonly oneWord?: boolean;
  readonly labels?: boolean;
  readonly byLength?: boolean;
  /** The predicted trees have no labels. */
  readonly unlabelled?: boolean;
}

/** F1, precision and recall in percent. */
export interface Measures {
  readonly sentenceF1: number;
  readonly corpusF1: number;
  readonly precision: number;
  readonly recall: number;
  readonly sentences: number;
  readonly gold: number;
  readonly predicted: number;
  readonly matched: number;
}

type ByLength = readonly (Measures & { readonly from: number; readonly to: number })[];

/** Recall and precision are missing if there is nothing to divide by. */
export interface LabelScores {
  readonly label: string;
  readonly recall?: number;
  readonly precision?: number;
  readonly f1: number;
  readonly gold: number;
  readonly predicted: number;
  readonly matched: number;
}

export interface LabelledMeasures extends Measures {
  /** Whether one-word phrases count. */
  readonly oneWord: boolean;
  /** Of phrases of two and more words. */
  readonly labels?: readonly LabelScores[];
  readonly oneWordLabels?: readonly LabelScores[];
  readonly byLength?: ByLength;
}

/** What EVALB prints; percentages but for `averageCrossing`. */
export interface EvalbMeasures extends Measures {
  readonly completeMatch: number;
  readonly averageCrossing: number;
  readonly noCrossing: number;
  readonly twoOrFewerCrossing: number;
}

export interface EvaluateResponse extends Measures {
  readonly protocol: LabelledProtocolName;
  /** The tag set by which punctuation was known, `characters` or `list`. */
  readonly punctuation: string;
  /** The tags of punctuation; none under `penn`, where the protocols have their own. */
  readonly punctuationTags: readonly string[];
  readonly skipped: number;
  /** Sentences with other words, which `evalb` leaves out. */
  readonly mismatched?: number;
  /** What a reader must know of the numbers. */
  readonly caution?: string;
  readonly labelled?: LabelledMeasures;
  readonly evalb?: {
    readonly all: EvalbMeasures;
    /** For sentences of at most this many tokens. */
    readonly short?: EvalbMeasures & { readonly tokens: number };
  };
  readonly labels?: readonly {
    readonly label: string;
    readonly gold: number;
    readonly found: number;
    readonly recall: number;
  }[];
  readonly byLength?: ByLength;
}

export interface ModelRecord {
  readonly name: string;
  /** The code of the language that it parses; of several, the first. */
  readonly language: string;
  /** All languages that it parses. */
  readonly languages: readonly string[];
  readonly layers: number;
  readonly width: number;
  /** The names that it has for phrases; none if it does not name them. */
  readonly labels: readonly string[];
  readonly files: readonly {
    readonly name: string;
    readonly bytes: number;
    readonly sha256: string;
    readonly url: string;
  }[];
}

export interface ModelsResponse {
  readonly default: string;
  readonly models: readonly ModelRecord[];
  /** Whether the service asks people questions. */
  readonly annotation: boolean;
}

/** What a plain file server has instead of a `ModelsResponse`: the page then parses by itself. */
export interface StaticModels {
  readonly files: true;
  readonly models: readonly {
    readonly name: string;
    /** Of all its files. */
    readonly bytes?: number;
    /** Default English. */
    readonly language?: string;
    /** All languages, if there are several. */
    readonly languages?: readonly string[];
  }[];
}

export interface HealthResponse {
  readonly status: "ok";
  readonly models: readonly string[];
  /** What waits for the parser. */
  readonly waiting: { readonly sentences: number; readonly words: number };
}

export interface ReadyResponse {
  readonly status: "ready";
}

/** `stopped`: the log has not grown for a while. `finished`: the model is there. */
export const RUN_STATUSES = ["growing", "stopped", "finished"] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export interface RunSummary {
  /** The run's folder under the watched one, `.` for that itself. */
  readonly name: string;
  /** What `bracken train` wrote down about the run; null if it cannot be read. */
  readonly description: unknown;
  /** Of the last record; null if there is none. */
  readonly step: number | null;
  readonly bytes: number;
  readonly changed: string;
  readonly status: RunStatus;
}

export interface RunsResponse {
  readonly runs: readonly RunSummary[];
}

/**
 * The events of a log that is followed, by name. Every record has an id; a client that comes back with
 * the last one in `Last-Event-ID` gets what follows it, or a `reset` if the log was written anew.
 */
export interface RunEvents {
  /** A record; SSE's default event, which has no name on the wire. */
  readonly message: StepRecord;
  /** Forget all records: the log starts again. */
  readonly reset: Readonly<Record<string, never>>;
  readonly status: { readonly status: RunStatus };
  /** Nothing more will come: the client must not come back. */
  readonly end: { readonly reason: "finished" | "removed" };
}

export const ERROR_CODES = [
  "bad_http",
  "body_too_large",
  "foreign_origin",
  "internal",
  "invalid_json",
  "invalid_request",
  "invalid_trees",
  "method_not_allowed",
  "no_labels",
  "not_found",
  "nothing_to_undo",
  "rate_limited",
  "shutting_down",
  "timeout",
  "too_busy",
  "too_many_sentences",
  "too_many_tokens",
  "unauthorized",
  "unknown_host",
  "unknown_label",
  "unknown_language",
  "unknown_model",
  "unknown_question",
  "unsupported_media_type",
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

export interface ErrorBody {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly requestId: string;
  };
}

/** The messages by their names in the OpenAPI document. */
export interface Messages {
  readonly Sentence: SentenceBody;
  readonly ParseOptions: ParseOptionsBody;
  readonly ParseRequest: ParseRequest;
  readonly Chart: ChartRecord;
  readonly ParseRecord: AnsweredRecord;
  readonly ProblemRecord: ProblemRecord;
  readonly ParseResponse: ParseResponse;
  readonly ParseLine: ParseLine;
  readonly PhrasesRequest: PhrasesRequest;
  readonly PhrasesRecord: PhrasesRecord;
  readonly PhrasesResponse: PhrasesResponse;
  readonly PhrasesLine: PhrasesLine;
  readonly EvaluateRequest: EvaluateRequest;
  readonly EvaluateResponse: EvaluateResponse;
  readonly Models: ModelsResponse;
  readonly Health: HealthResponse;
  readonly Ready: ReadyResponse;
  readonly Runs: RunsResponse;
  readonly StepRecord: StepRecord;
  readonly AnnotationPerson: AnnotationPerson;
  readonly AnnotationAnswer: AnnotationAnswer;
  readonly AnnotationQuestion: AnnotationQuestion;
  readonly AnnotationState: AnnotationStateRecord;
  readonly Annotation: AnnotationResponse;
  readonly Error: ErrorBody;
}
