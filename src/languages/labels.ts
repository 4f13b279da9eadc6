/**
 * What a language knows about the labels of its phrases. Brackets have no labels, but their words, the question
 * that they answer and how they were found say something about them. A language turns this into votes, which are
 * often right and sometimes wrong. From them a model learns the label of a phrase in its context.
 */

import type { Span } from "../trees/tree.js";

/**
 * The votes for a span: how likely each label is, by this evidence alone. They add up to at most 1; the rest is
 * doubt. `NO_PHRASE` is also a vote: the span, a single word, is not a phrase by itself.
 */
export type LabelVotes = Readonly<Record<string, number>>;

/** A span that people marked, or that follows from one. */
export interface EvidenceSpan extends Span {
  /** How it was found: answer, link, predicate, … */
  readonly kind: string;
  /** The wh-words of the questions that it answers: `who`, `how long`. */
  readonly wh: ReadonlySet<string>;
}

/** A sentence with all evidence for its phrases. */
export interface LabelEvidence {
  /** The words of the sentence. */
  readonly tokens: readonly string[];
  /** The indices of verbs, as far as annotators were asked about them. */
  readonly verbs: ReadonlySet<number>;
  /** The marked spans. */
  readonly spans: readonly EvidenceSpan[];
}

/** A span with its votes. */
export interface VotedSpan extends Span {
  /** The votes for its label. */
  readonly votes: LabelVotes;
}

/** The labels of a language, and the rules that vote for them. */
export interface LabelRules {
  /** All labels that get votes, unary chains included. */
  readonly names: readonly string[];
  /** Votes for the given spans, and for others that follow from them or from their words. */
  vote(evidence: LabelEvidence): Iterable<VotedSpan>;
}
