/**
 * A sentence on its way through the parser: its words with their tags, where they stand in the text,
 * and brackets that its tree must or must not have. And what comes out: the tree, and each of its
 * phrases with what the model thinks of it.
 */

import type { Bracket } from "../brackets/record.js";
import type { Leaf, Span, Tree } from "../trees/tree.js";

export interface ParserInput {
  readonly leaves: readonly Leaf[];
  readonly text?: string | undefined;
  /** For each word its half-open place in `text`. */
  readonly offsets?: readonly Bracket[] | undefined;
  readonly required?: readonly Span[] | undefined;
  readonly forbidden?: readonly Span[] | undefined;
}

export interface ParsedSpan extends Span {
  /** A slot: the parser does not name phrases. */
  readonly label: string;
  readonly score: number;
  /** The probability that it is a phrase of the sentence, where it was asked for. */
  readonly marginal?: number;
}

export interface Parse extends ParserInput {
  readonly tree: Tree;
  /** The phrases of the tree, outermost first. */
  readonly spans: readonly ParsedSpan[];
  /** The sum of the scores of the tree's spans, before any are left out for a threshold. */
  readonly score: number;
  /** The binary trees with the next best scores, where they were asked for. */
  readonly alternatives?: readonly { readonly tree: Tree; readonly score: number }[];
  /** Why the tree is not the model's: the sentence is longer than the parser was allowed to take. */
  readonly fallback?: string;
}
