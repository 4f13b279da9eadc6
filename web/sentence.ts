/**
 * A sentence that a model has looked at: its parse under any constraints. Where the whole chart is
 * here, the parse is computed here and at once; otherwise whoever has the model is asked again.
 */

import { Chart, type Constraints, type SpanMatrix, spanIndex } from "../src/chart/index.js";
import type { Decoding } from "../src/model/config.js";
import { assembleParse, decodeSentence, probabilitiesOf } from "../src/parser/decode-sentence.js";
import type { Parse, ParsedSpan, ParserInput } from "../src/parser/sentence.js";
import { type Span, type Tree, treeFromSpans } from "../src/trees/index.js";

export interface Sentence {
  readonly input: ParserInput;
  /** Rejects with an InputError where no tree meets the constraints. */
  parse(constraints: Constraints): Promise<Parse>;
  /** What the model thinks of any span, in the tree or not. */
  judge(span: Span): { score: number; marginal: number } | undefined;
}

const chart = new Chart();

/** A sentence whose scores of all spans are here, read as its model says. */
export function scoredSentence(
  input: ParserInput,
  scores: Float32Array,
  decoding: Decoding,
): Sentence {
  const size = input.leaves.length;
  const options = { marginals: true, decoding };
  let marginals: SpanMatrix | undefined;
  return {
    input,
    parse: async (constraints) =>
      assembleParse(
        { ...input, ...constraints },
        decodeSentence([scores], size, constraints, options, chart),
      ),
    judge: ({ begin, end }) => {
      marginals ??= probabilitiesOf([scores], size, {}, decoding, chart);
      const at = spanIndex(size, begin, end);
      return { score: scores[at] as number, marginal: marginals[at] as number };
    },
  };
}

/** A sentence that is parsed elsewhere, and parsed again for other constraints. */
export function remoteSentence(
  first: Parse,
  again: (input: ParserInput) => Promise<Parse>,
): Sentence {
  const { leaves, text, offsets } = first;
  const input = { leaves, text, offsets };
  return {
    input,
    parse: async (constraints) => {
      const { required = [], forbidden = [] } = constraints;
      return required.length + forbidden.length === 0 ? first : again({ ...input, ...constraints });
    },
    judge: ({ begin, end }) => {
      const known = first.spans.find((span) => span.begin === begin && span.end === end);
      return known?.marginal === undefined
        ? undefined
        : { score: known.score, marginal: known.marginal };
    },
  };
}

/** The words alone, for a sentence that no model parsed. */
export function unparsed(input: ParserInput, fallback: string): Parse {
  const tree = treeFromSpans(input.leaves, []);
  return { ...input, tree, spans: [], score: Number.NaN, fallback };
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
