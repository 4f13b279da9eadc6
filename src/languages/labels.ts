/**
 * What a language knows about the names of its phrases. Brackets come without names; their words, the
 * question that they answer and how they were found say something about it. A language turns that
 * into votes, which are often right and sometimes wrong: a model learns from them what a phrase's
 * name is in its context.
 */

import type { Span } from "../trees/tree.js";

/**
 * A span's votes: how likely each label is, by this evidence alone. They add up to at most 1; the rest
 * is doubt. `NO_PHRASE` is a vote too: the span, a single word, is no phrase by itself.
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
  readonly tokens: readonly string[];
  /** Places of verbs, as far as annotators were asked about them. */
  readonly verbs: ReadonlySet<number>;
  readonly spans: readonly EvidenceSpan[];
}

/** A span with its votes. */
export interface VotedSpan extends Span {
  readonly votes: LabelVotes;
}

/** A language's names for phrases. */
export interface LabelRules {
  /** All labels that votes may name, chains included. */
  readonly names: readonly string[];
  /** Votes for the given spans, and for others that follow from them or from their own words. */
  vote(evidence: LabelEvidence): Iterable<VotedSpan>;
}
