/**
 * A sentence that a model has looked at: its parse under any constraints. Where the whole chart is
 * here, the parse is computed here and at once; otherwise whoever has the model is asked again.
 */

import type { Constraints } from "../src/chart/index.js";
import { Chart, type SpanMatrix, spanIndex } from "../src/chart/index.js";
import type { Decoding } from "../src/model/config.js";
import { assembleParse } from "../src/parser/parse-each.js";
import { ScoredSentence } from "../src/parser/scored-sentence.js";
import type { Parse, ParsedSpan, SentenceInput } from "../src/parser/sentence.js";
import { type Span, type Tree, treeFromSpans } from "../src/trees/index.js";

export interface Sentence {
  readonly input: SentenceInput;
  /** Rejects with an InputError where no tree meets the constraints. */
  parse(constraints: Constraints): Promise<Parse>;
  /** What the model thinks of any span, in the tree or not. */
  judge(span: Span): { score: number; marginal: number } | undefined;
}

const chart = new Chart();

/** A sentence whose scores of all spans are here, read as its model says. */
export function scoredSentence(
  input: SentenceInput,
  scores: Float32Array,
  decoding: Decoding,
): Sentence {
  const size = input.leaves.length;
  const scored = new ScoredSentence([scores], size, decoding, chart);
  let marginals: SpanMatrix | undefined;
  return {
    input,
    parse: async (constraints) =>
      assembleParse({ ...input, ...constraints }, scored.decode(constraints, { marginals: true })),
    judge: ({ begin, end }) => {
      marginals ??= scored.probabilities({});
      const at = spanIndex(size, begin, end);
      return { score: scores[at] as number, marginal: marginals[at] as number };
    },
  };
}

/** A sentence that is parsed elsewhere, and parsed again for other constraints. */
export function remoteSentence(
  first: Parse,
  again: (input: SentenceInput) => Promise<Parse>,
): Sentence {
  const { leaves, text, begin, offsets } = first;
  const input = { leaves, text, begin, offsets };
  return {
    input,
    parse: async (constraints) => {
      const { required = [], forbidden = [] } = constraints;
      return required.length + forbidden.length === 0 ? first : again({ ...input, ...constraints });
    },
    judge: ({ begin, end }) => {
      const known = first.spans.find((span) => span.begin === begin && span.end === end);
      return known?.marginal === undefined || known.score === undefined
        ? undefined
        : { score: known.score, marginal: known.marginal };
    },
  };
}

/** The phrases that stay when those less probable than the threshold go: never the whole sentence. */
export function phrasesAbove({ spans, leaves }: Parse, threshold: number): ParsedSpan[] {
  return spans.filter(
    ({ begin, end, marginal = 1 }) =>
      (begin === 0 && end === leaves.length) || marginal >= threshold,
  );
}

/** The tree at a threshold; one that is not the model's own is left as it is. */
export function treeAbove(parse: Parse, threshold: number): Tree {
  if (parse.fallback !== undefined || threshold === 0) return parse.tree;
  return treeFromSpans(parse.leaves, phrasesAbove(parse, threshold));
}
