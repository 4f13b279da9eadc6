/** The wire contract of annotation: questions, answers, and how things stand. See wire.ts. */

import type { SpanPair } from "./wire.js";

export const VERDICTS = ["yes", "no", "skip"] as const;

/** Of a person, in characters. */
export const LONGEST_NAME = 60;

/** Who asks for a question, or takes an answer back. */
export interface AnnotationPerson {
  readonly by: string;
}

export interface AnnotationAnswer extends AnnotationPerson {
  /** The id of the question. */
  readonly question: string;
  readonly verdict: (typeof VERDICTS)[number];
  /** The phrase that is there instead, with the verdict "no". */
  readonly right?: SpanPair;
}

/** Is this span a phrase? */
export interface AnnotationQuestion {
  readonly id: string;
  readonly tokens: readonly string[];
  readonly span: SpanPair;
  readonly text?: string;
  readonly offsets?: readonly SpanPair[];
}

export interface AgreementRecord {
  /** Questions that two or more people answered. */
  readonly questions: number;
  readonly share: number | null;
  /** Null if all answers are alike. */
  readonly kappa: number | null;
}

/** A point of the learning curve. */
export interface AnnotationPoint {
  /** How many answers the model has learnt from. */
  readonly answers: number;
  /** How many of the held-back answers its trees agree with. */
  readonly agreed: number;
  readonly heldBack: number;
  /** Whether it took the place of the model before. */
  readonly used: boolean;
}

export interface AnnotationStateRecord {
  /** Of all people, without skipped questions. */
  readonly answers: number;
  /** Those of them to measure on. */
  readonly heldBack: number;
  readonly skipped: number;
  readonly people: readonly { readonly name: string; readonly answers: number }[];
  readonly agreement: AgreementRecord & {
    readonly pairs: readonly (AgreementRecord & { readonly people: readonly [string, string] })[];
  };
  /** How many sentences can be asked about by now, and how many there are. */
  readonly ready: { readonly scored: number; readonly sentences: number };
  readonly curve: readonly AnnotationPoint[];
  /** The lesson that is going on. */
  readonly lesson: {
    readonly answers: number;
    readonly step: number;
    readonly steps: number;
  } | null;
  /** Answers until the next lesson; null if there is none. */
  readonly nextLesson: number | null;
  /** What went wrong in the background. */
  readonly problem: string | null;
}

export interface AnnotationResponse {
  /** Null if there is none, or none yet. */
  readonly question: AnnotationQuestion | null;
  readonly state: AnnotationStateRecord;
}
