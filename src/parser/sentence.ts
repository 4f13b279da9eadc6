/** The parser's input and output: a sentence with constraints, and its tree with scores. */

import type { Bracket } from "../brackets/record.js";
import type { SpanMatrix } from "../chart/matrix.js";
import type { Decoding } from "../model/config.js";
import type { Leaf, Span, Tree } from "../trees/tree.js";
import type { LabelChart } from "./sentence-labels.js";

/** A sentence to parse. Only `leaves` is required. */
export interface SentenceInput {
  /** The words, optionally with part-of-speech tags. Tags are kept in the tree but not used. */
  readonly leaves: readonly Leaf[];
  /** The sentence as it was written. */
  readonly text?: string | undefined;
  /** Where `text` begins in the document; 0 by default. */
  readonly begin?: number | undefined;
  /** The half-open place of each word in the document, in UTF-16 code units. */
  readonly offsets?: readonly Bracket[] | undefined;
  /** The BCP 47 code of its language, if that is known. */
  readonly language?: string | undefined;
  /** Brackets that the tree must have. */
  readonly required?: readonly Span[] | undefined;
  /** Brackets that the tree must not have. */
  readonly forbidden?: readonly Span[] | undefined;
}

/** A phrase of a tree, with its score and probability. */
export interface ParsedSpan extends Span {
  /** NP, VP, …; `X` where the model does not name phrases. */
  readonly label: string;
  /** The probability of the label, given that the span is a phrase; missing without names. */
  readonly labelProbability?: number;
  /** The index of the head word in the sentence; missing without names. */
  readonly head?: number;
  /** The model's score of the span; missing if the sentence was not parsed. */
  readonly score?: number;
  /** The probability that the span is a phrase, if `marginals` was set. */
  readonly marginal?: number;
}

/** All spans of a sentence, in the layout of `bracken/chart`. */
export interface ParseChart {
  /** The model's scores. */
  readonly scores: SpanMatrix;
  /** Probabilities under the sentence's constraints. */
  readonly marginals: SpanMatrix;
  /** The model's default decoding. */
  readonly decoding: Decoding;
  /** The most probable label of each span, if the model names phrases. */
  readonly labels?: LabelChart;
}

/** A parsed sentence: the input and its tree. */
export interface Parse extends SentenceInput {
  /** The tree over `leaves`. */
  readonly tree: Tree;
  /** The phrases of the tree, outermost first. */
  readonly spans: readonly ParsedSpan[];
  /**
   * The sum of the scores of the tree's spans, before `threshold` drops any; missing if the sentence was
   * not parsed.
   */
  readonly score?: number;
  /** The binary trees with the next best scores, if `kBest` was given. */
  readonly alternatives?: readonly {
    /** The tree over `leaves`. */
    readonly tree: Tree;
    /** The sum of the scores of its spans. */
    readonly score: number;
  }[];
  /** The scores and probabilities of all spans, if `chart` was set. */
  readonly chart?: ParseChart;
  /** Why the sentence was not parsed and has a flat tree: it is longer than allowed. */
  readonly fallback?: string;
  /** False if the models do not know the sentence's language, which `language` names. */
  readonly supported?: false;
}

/** Takes the place of a parse if a sentence cannot be parsed. */
export interface ParseProblem {
  /** Why it cannot be parsed. */
  readonly problem: string;
}
