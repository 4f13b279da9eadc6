/** From the scores of a sentence's spans to its phrases, in whichever way was asked for. */

import {
  type Chart,
  constrain,
  decode,
  expectedF1Tree,
  flatten,
  kBest,
  meanMatrix,
  minimumRisk,
  phraseProbabilities,
  type SpanList,
  type SpanMatrix,
  spanIndex,
  spanMarginals,
  toSpans,
} from "../chart/index.js";
import type { Decoding } from "../model/config.js";
import { INDUCED } from "../trees/labels.js";
import { treeFromSpans } from "../trees/transform.js";
import type { Span } from "../trees/tree.js";
import type { Parse, ParsedSpan, ParserInput } from "./sentence.js";

export interface DecodeOptions {
  /** Give each phrase its probability. */
  readonly marginals?: boolean | undefined;
  /** How many of the best trees to give. */
  readonly kBest?: number | undefined;
  /** Which tree; as the model says if not said. */
  readonly decoding?: Decoding | undefined;
  /** Leave out phrases less probable than this: the tree need not be binary. */
  readonly threshold?: number | undefined;
}

export interface Constraints {
  readonly required?: readonly Span[] | undefined;
  readonly forbidden?: readonly Span[] | undefined;
}

/** The phrases of a sentence's tree, outermost first, and of further trees. Plain data. */
export interface Decoded {
  readonly spans: readonly ParsedSpan[];
  readonly score: number;
  readonly alternatives?: readonly { readonly spans: readonly Span[]; readonly score: number }[];
}

/** Several models' scores of the same sentence decide together, by their mean probabilities. */
export function decodeSentence(
  charts: readonly Float32Array[],
  size: number,
  constraints: Constraints,
  { decoding = "best", threshold, ...options }: DecodeOptions,
  chart: Chart,
): Decoded {
  const scores = meanOf(charts, size);
  const allowed = restriction(constraints, size, chart)(scores);
  const isByScore = decoding === "best" && charts.length === 1;
  const probabilities =
    isByScore && !options.marginals && threshold === undefined
      ? undefined
      : probabilitiesOf(charts, size, constraints, decoding, chart);
  const whole =
    isByScore || !probabilities
      ? decode(allowed, size, chart).spans
      : likelySpans(probabilities, size, constraints, decoding, chart);
  const isCut = threshold !== undefined && probabilities !== undefined;
  const spans = isCut ? flatten(whole, size, probabilities, threshold) : whole;
  return {
    spans: describeSpans(spans, size, scores, options.marginals ? probabilities : undefined),
    score: treeScore(whole, scores, size),
    ...(options.kBest ? { alternatives: alternatives(allowed, size, options.kBest, chart) } : {}),
  };
}

/**
 * How probable each span is: that a binary tree has it, or, where phrases are asked for, that a tree
 * has it and it is a phrase. Required brackets are certain.
 */
export function probabilitiesOf(
  charts: readonly Float32Array[],
  size: number,
  constraints: Constraints,
  decoding: Decoding,
  chart: Chart,
): SpanMatrix {
  const restrict = restriction(constraints, size, chart);
  const marginals = meanOf(
    charts.map((each) => spanMarginals(restrict(each), size, {}, chart).marginals),
    size,
  );
  if (decoding !== "phrases") return marginals;
  const phrase = meanOf(
    charts.map((each) => phraseProbabilities(each, size)),
    size,
  );
  const phrases = marginals.map((marginal, at) => marginal * (phrase[at] as number));
  const certain = [{ begin: 0, end: size }, ...(constraints.required ?? [])];
  for (const { begin, end } of certain) phrases[spanIndex(size, begin, end)] = 1;
  return phrases;
}

/** The phrases of the tree that the probabilities speak for. */
function likelySpans(
  probabilities: SpanMatrix,
  size: number,
  constraints: Constraints,
  decoding: Decoding,
  chart: Chart,
): SpanList {
  if (decoding === "phrases") return expectedF1Tree(probabilities, size, chart).spans;
  const allowed = restriction(constraints, size, chart)(probabilities);
  return minimumRisk(allowed, size, chart).spans;
}

/** The sentence with the trees of its phrases. */
export function assembleParse(input: ParserInput, { spans, score, alternatives }: Decoded): Parse {
  const treeOf = (phrases: readonly Span[]) =>
    treeFromSpans(
      input.leaves,
      phrases.map(({ begin, end }) => ({ begin, end, label: INDUCED })),
    );
  return {
    ...input,
    tree: treeOf(spans),
    spans,
    score,
    ...(alternatives
      ? { alternatives: alternatives.map((other) => ({ ...other, tree: treeOf(other.spans) })) }
      : {}),
  };
}

/** What applies a sentence's constraints to a matrix. */
function restriction(
  { required = [], forbidden = [] }: Constraints,
  size: number,
  chart: Chart,
): (matrix: SpanMatrix) => SpanMatrix {
  if (required.length + forbidden.length === 0) return (matrix) => matrix;
  return (matrix) => constrain(matrix, size, { required, forbidden }, chart);
}

function meanOf(matrices: readonly SpanMatrix[], size: number): SpanMatrix {
  return matrices.length === 1 ? (matrices[0] as SpanMatrix) : meanMatrix(matrices, size);
}

function alternatives(scores: SpanMatrix, size: number, k: number, chart: Chart) {
  return kBest(scores, size, k, chart)
    .slice(1)
    .map(({ spans, score }) => ({ spans: toSpans(spans), score }));
}

function describeSpans(
  list: SpanList,
  size: number,
  scores: SpanMatrix,
  marginals: SpanMatrix | undefined,
): ParsedSpan[] {
  return toSpans(list).map((span) => {
    const at = spanIndex(size, span.begin, span.end);
    const described = { ...span, label: INDUCED, score: scores[at] as number };
    return marginals ? { ...described, marginal: marginals[at] as number } : described;
  });
}

/** All spans of the tree count, single words included. */
function treeScore(list: SpanList, scores: SpanMatrix, size: number): number {
  let sum = 0;
  for (let word = 0; word < size; word++) sum += scores[spanIndex(size, word, word + 1)] as number;
  for (const { begin, end } of toSpans(list)) sum += scores[spanIndex(size, begin, end)] as number;
  return sum;
}
