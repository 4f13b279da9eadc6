/** From the scores of a sentence's spans to its phrases, in whichever way was asked for. */

import {
  type Chart,
  constrain,
  decode,
  flatten,
  kBest,
  meanMatrix,
  minimumRisk,
  type SpanList,
  type SpanMatrix,
  spanIndex,
  spanMarginals,
  toSpans,
} from "../chart/index.js";
import { INDUCED } from "../trees/labels.js";
import { treeFromSpans } from "../trees/transform.js";
import type { Span } from "../trees/tree.js";
import type { Parse, ParsedSpan, ParserInput } from "./sentence.js";

export interface DecodeOptions {
  /** Give each phrase its probability. */
  readonly marginals?: boolean | undefined;
  /** How many of the best trees to give. */
  readonly kBest?: number | undefined;
  /** The tree expected to have the most phrases right, or the best one; as the model says if not said. */
  readonly minimumRisk?: boolean | undefined;
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
  options: DecodeOptions,
  chart: Chart,
): Decoded {
  const restrict = restriction(constraints, size, chart);
  const scores = together(charts, size);
  const allowed = restrict(scores);
  const { threshold } = options;
  const byRisk = options.minimumRisk || charts.length > 1;
  const needsMarginals = options.marginals || byRisk || threshold !== undefined;
  const marginals = needsMarginals
    ? together(
        charts.map((each) => spanMarginals(restrict(each), size, {}, chart).marginals),
        size,
      )
    : undefined;
  const best =
    byRisk && marginals
      ? minimumRisk(restrict(marginals), size, chart)
      : decode(allowed, size, chart);
  const isFlat = threshold !== undefined && marginals !== undefined;
  const spans = isFlat ? flatten(best.spans, size, marginals, threshold) : best.spans;
  return {
    spans: describeSpans(spans, size, scores, options.marginals ? marginals : undefined),
    score: treeScore(best.spans, scores, size),
    ...(options.kBest ? { alternatives: alternatives(allowed, size, options.kBest, chart) } : {}),
  };
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

function together(matrices: readonly SpanMatrix[], size: number): SpanMatrix {
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
