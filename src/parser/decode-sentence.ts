/** From the scores of a sentence's spans to its parse, in whichever way was asked for. */

import {
  type Chart,
  constrain,
  decode,
  flatten,
  kBest,
  minimumRisk,
  type SpanList,
  type SpanMatrix,
  spanIndex,
  spanMarginals,
  toSpans,
  toTree,
} from "../chart/index.js";
import { INDUCED } from "../trees/labels.js";
import type { Parse, ParsedSpan, ParserInput } from "./sentence.js";

export interface DecodeOptions {
  /** Give each phrase its probability. */
  readonly marginals?: boolean | undefined;
  /** How many of the best trees to give. */
  readonly kBest?: number | undefined;
  /** The tree expected to have the most phrases right, in place of the most probable one. */
  readonly minimumRisk?: boolean | undefined;
  /** Leave out phrases less probable than this: the tree need not be binary. */
  readonly threshold?: number | undefined;
}

export function decodeSentence(
  input: ParserInput,
  scores: Float32Array,
  options: DecodeOptions,
  chart: Chart,
): Parse {
  const size = input.leaves.length;
  const { allowed, restrict } = constraintsOf(input, scores, chart);
  const { threshold } = options;
  const needsMarginals = options.marginals || options.minimumRisk || threshold !== undefined;
  const marginals = needsMarginals ? spanMarginals(allowed, size, {}, chart).marginals : undefined;
  const best =
    options.minimumRisk && marginals
      ? minimumRisk(restrict(marginals), size, chart)
      : decode(allowed, size, chart);
  const isFlat = threshold !== undefined && marginals !== undefined;
  const spans = isFlat ? flatten(best.spans, size, marginals, threshold) : best.spans;
  return {
    ...input,
    tree: toTree(spans, input.leaves, INDUCED),
    spans: describeSpans(spans, size, scores, options.marginals ? marginals : undefined),
    score: treeScore(best.spans, scores, size),
    ...(options.kBest ? { alternatives: alternatives(input, allowed, options.kBest, chart) } : {}),
  };
}

/** The scores under the input's constraints, and what applies the same constraints to others. */
function constraintsOf(
  { leaves, required = [], forbidden = [] }: ParserInput,
  scores: Float32Array,
  chart: Chart,
): { allowed: SpanMatrix; restrict: (matrix: SpanMatrix) => SpanMatrix } {
  const isFree = required.length + forbidden.length === 0;
  const restrict = (matrix: SpanMatrix) =>
    isFree ? matrix : constrain(matrix, leaves.length, { required, forbidden }, chart);
  return { allowed: restrict(scores), restrict };
}

function alternatives({ leaves }: ParserInput, scores: SpanMatrix, k: number, chart: Chart) {
  return kBest(scores, leaves.length, k, chart)
    .slice(1)
    .map(({ spans, score }) => ({ tree: toTree(spans, leaves, INDUCED), score }));
}

function describeSpans(
  list: SpanList,
  size: number,
  scores: Float32Array,
  marginals: SpanMatrix | undefined,
): ParsedSpan[] {
  return toSpans(list).map((span) => {
    const at = spanIndex(size, span.begin, span.end);
    const described = { ...span, label: INDUCED, score: scores[at] as number };
    return marginals ? { ...described, marginal: marginals[at] as number } : described;
  });
}

/** All spans of the tree count, single words included. */
function treeScore(list: SpanList, scores: Float32Array, size: number): number {
  let sum = 0;
  for (let word = 0; word < size; word++) sum += scores[spanIndex(size, word, word + 1)] as number;
  for (const { begin, end } of toSpans(list)) sum += scores[spanIndex(size, begin, end)] as number;
  return sum;
}
