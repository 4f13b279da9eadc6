/**
 * A sentence that a model has looked at: its parse under any constraints. Where the whole chart is
 * here, the parse is computed here and at once; otherwise whoever has the model is asked again.
 */

import type { Constraints } from "../src/chart/index.js";
import { Chart, type SpanMatrix, spanIndex } from "../src/chart/index.js";
import type { Language } from "../src/languages/language.js";
import type { Decoding } from "../src/model/config.js";
import { assembleParse } from "../src/parser/parse-each.js";
import { ScoredSentence } from "../src/parser/scored-sentence.js";
import type { Parse, ParsedSpan, SentenceInput } from "../src/parser/sentence.js";
import type { SentenceLabels } from "../src/parser/sentence-labels.js";
import { type Span, type Tree, treeFromSpans } from "../src/trees/index.js";
import { CHAIN } from "../src/trees/labels.js";

export interface Sentence {
  readonly input: SentenceInput;
  /** The labels that the model has for phrases; none if it does not name them. */
  readonly labels: readonly string[];
  /** Rejects with an InputError where no tree meets the constraints. */
  parse(constraints: Constraints): Promise<Parse>;
  /** What the model thinks of any span, in the tree or not. */
  judge(span: Span): Judgement | undefined;
}

export interface Judgement {
  readonly score: number;
  readonly marginal: number;
  /** What it would be called; missing if the model does not name phrases. */
  readonly label?: string | undefined;
}

/** What is known of a sentence whose scores of all spans are here. */
export interface Scored {
  readonly scores: Float32Array;
  readonly decoding: Decoding;
  readonly spanLabels?: SentenceLabels | undefined;
}

/** What is known of the model that parses a sentence. */
export interface ModelNames {
  readonly labels: readonly string[];
  readonly language: Language;
}

const chart = new Chart();

/** A sentence whose scores of all spans are here, read as its model says. */
export function scoredSentence(
  input: SentenceInput,
  { scores, decoding, spanLabels }: Scored,
  { labels, language }: ModelNames,
): Sentence {
  const size = input.leaves.length;
  const scored = new ScoredSentence([scores], size, decoding, chart, spanLabels);
  const headLanguage = spanLabels && language;
  let marginals: SpanMatrix | undefined;
  return {
    input,
    labels,
    parse: async (constraints) => {
      const decoded = scored.decode(constraints, { marginals: true });
      return assembleParse({ ...input, ...constraints }, decoded, headLanguage);
    },
    judge: (span) => {
      marginals ??= scored.probabilities({});
      const at = spanIndex(size, span.begin, span.end);
      const label = scored.labelOf(span)?.labels.join(CHAIN);
      return { score: scores[at] as number, marginal: marginals[at] as number, label };
    },
  };
}

/** A sentence that is parsed elsewhere, and parsed again for other constraints. */
export function remoteSentence(
  first: Parse,
  labels: readonly string[],
  again: (input: SentenceInput) => Promise<Parse>,
): Sentence {
  const { leaves, text, begin, offsets } = first;
  const input = { leaves, text, begin, offsets };
  return {
    input,
    labels,
    parse: async (constraints) => {
      const { required = [], forbidden = [] } = constraints;
      return required.length + forbidden.length === 0 ? first : again({ ...input, ...constraints });
    },
    judge: ({ begin, end }) => {
      const known = first.spans.filter((span) => span.begin === begin && span.end === end);
      const [{ score, marginal } = {}] = known;
      if (marginal === undefined || score === undefined) return undefined;
      const label = labels.length > 0 ? known.map((span) => span.label).join(CHAIN) : undefined;
      return { score, marginal, label };
    },
  };
}

/** Which phrases of a parse are shown. */
export interface Shown {
  /** Phrases less probable than this are left out. */
  readonly threshold: number;
  /** Labels of phrases to show; all if there are none. */
  readonly only: readonly string[];
  /** Whether phrases of a single word are shown. */
  readonly oneWord: boolean;
}

/** The phrases that are shown. A threshold never takes away the whole sentence. */
export function shownSpans({ spans, leaves }: Parse, shown: Shown): ParsedSpan[] {
  const { threshold, only, oneWord } = shown;
  return spans.filter(({ begin, end, label, marginal = 1 }) => {
    const isWhole = begin === 0 && end === leaves.length;
    const isNamed = only.length === 0 || only.includes(label);
    return isNamed && (isWhole || marginal >= threshold) && (oneWord || end - begin > 1);
  });
}

/** The tree of the phrases that are shown; one that is not the model's own is left as it is. */
export function shownTree(parse: Parse, shown: Shown): Tree {
  if (parse.fallback !== undefined) return parse.tree;
  return treeFromSpans(parse.leaves, shownSpans(parse, shown));
}
