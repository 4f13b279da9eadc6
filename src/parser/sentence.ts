/**
 * What goes into the parser and what comes out: a sentence with its words, where they stand in the text
 * and brackets that its tree must or must not have; then its tree, and what the model thinks of each
 * phrase.
 */

import type { Bracket } from "../brackets/record.js";
import type { SpanMatrix } from "../chart/matrix.js";
import type { Decoding } from "../model/config.js";
import type { Leaf, Span, Tree } from "../trees/tree.js";

/** A sentence to parse. Only `leaves` is needed. */
export interface SentenceInput {
  /** The words, with part-of-speech tags where there are any. Tags are kept, not used. */
  readonly leaves: readonly Leaf[];
  /** The sentence as it was written. */
  readonly text?: string | undefined;
  /** Where `text` begins in the document; 0 if not given. */
  readonly begin?: number | undefined;
  /** For each word its half-open place in the document, in UTF-16 code units. */
  readonly offsets?: readonly Bracket[] | undefined;
  /** Brackets that the tree must have. */
  readonly required?: readonly Span[] | undefined;
  /** Brackets that the tree must not have. */
  readonly forbidden?: readonly Span[] | undefined;
}

/** A phrase of a tree, with what the model thinks of it. */
export interface ParsedSpan extends Span {
  /** `X`: the model does not name phrases. */
  readonly label: string;
  /** The model's score of the span; missing where the tree is not the model's. */
  readonly score?: number;
  /** The probability that the span is a phrase, where it was asked for. */
  readonly marginal?: number;
}

/** All spans of a sentence, in the layout of `bracken/chart`. */
export interface ParseChart {
  /** The model's scores. */
  readonly scores: SpanMatrix;
  /** Probabilities under the sentence's constraints. */
  readonly marginals: SpanMatrix;
  /** How the model reads its scores unless asked otherwise. */
  readonly decoding: Decoding;
}

/** A parsed sentence: the input and its tree. */
export interface Parse extends SentenceInput {
  readonly tree: Tree;
  /** The phrases of the tree, outermost first. */
  readonly spans: readonly ParsedSpan[];
  /**
   * The sum of the scores of the tree's spans, before a threshold leaves any out; missing where the
   * tree is not the model's.
   */
  readonly score?: number;
  /** The binary trees with the next best scores, where they were asked for. */
  readonly alternatives?: readonly { readonly tree: Tree; readonly score: number }[];
  /** The scores and probabilities of all spans, where they were asked for. */
  readonly chart?: ParseChart;
  /** Why the tree is not the model's: the sentence is longer than allowed, and was left flat. */
  readonly fallback?: string;
}

/** Why a sentence has no parse. */
export interface ParseProblem {
  readonly problem: string;
}
