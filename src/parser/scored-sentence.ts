/**
 * A sentence whose span scores are known: it can be decoded in any way, and again under other
 * constraints, without running the encoder. The library, the command, the service and the page all
 * decode here.
 */

import { Chart } from "../chart/chart.js";
import { type Constraints, constrain } from "../chart/constraints.js";
import { decode } from "../chart/decode.js";
import { expectedF1Tree } from "../chart/expected-f1.js";
import { kBest } from "../chart/k-best.js";
import { spanMarginals } from "../chart/marginals.js";
import { type SpanMatrix, spanIndex } from "../chart/matrix.js";
import { multiplyByPhrases, phraseProbabilities } from "../chart/phrase-probability.js";
import { meanMatrix, minimumRisk } from "../chart/risk.js";
import { flatten, type SpanList, toSpans } from "../chart/span-list.js";
import type { Decoding } from "../model/config.js";
import { INDUCED } from "../trees/labels.js";
import type { Span } from "../trees/tree.js";
import type { DecodeOptions } from "./options.js";
import type { ParseChart, ParsedSpan } from "./sentence.js";
import type { SentenceLabels, SpanLabel } from "./sentence-labels.js";

/** The result of decoding a sentence, as plain data. */
export interface Decoded {
  /** The phrases of the tree, outermost first. */
  readonly spans: readonly ParsedSpan[];
  /** The sum of the scores of the tree's spans. */
  readonly score: number;
  /** The next best trees, if `kBest` was given. */
  readonly alternatives?: readonly {
    /** The phrases of the tree, outermost first. */
    readonly spans: readonly Span[];
    /** The sum of the scores of its spans. */
    readonly score: number;
  }[];
  /** The scores and probabilities of all spans, if `chart` was set. */
  readonly chart?: ParseChart;
}

/** A sentence whose span scores are known, to be decoded as often as needed. */
export class ScoredSentence {
  readonly #scores: readonly SpanMatrix[];
  readonly #size: number;
  readonly #decoding: Decoding;
  readonly #chart: Chart;
  readonly #labels: SentenceLabels | undefined;

  /**
   * @param scores one matrix per model; several models decide together by the mean of their probabilities.
   * @param size the number of words.
   * @param decoding the default decoding.
   * @param chart working memory, which sentences can share one after the other.
   * @param labels the labels of its spans, if the models have any.
   */
  constructor(
    scores: readonly SpanMatrix[],
    size: number,
    decoding: Decoding,
    chart: Chart = new Chart(),
    labels?: SentenceLabels,
  ) {
    this.#scores = scores;
    this.#size = size;
    this.#decoding = decoding;
    this.#chart = chart;
    this.#labels = labels;
  }

  /**
   * Finds the tree.
   *
   * @param constraints brackets that the tree must or must not have.
   * @throws InputError if no tree satisfies the constraints.
   */
  decode(constraints: Constraints, options: DecodeOptions): Decoded {
    const { decoding = this.#decoding, threshold, marginals = false, kBest: k, chart } = options;
    const size = this.#size;
    const scores = this.#mean(this.#scores);
    const allowed = this.#restrict(scores, constraints);
    const isByScore = decoding === "best" && this.#scores.length === 1;
    const isSure = isByScore && !marginals && threshold === undefined && !chart;
    const probabilities = isSure ? undefined : this.probabilities(constraints, decoding);
    const whole =
      isByScore || !probabilities
        ? decode(allowed, size, this.#chart).spans
        : this.#likelySpans(probabilities, constraints, decoding);
    const isCut = threshold !== undefined && probabilities !== undefined;
    const spans = isCut ? flatten(whole, size, probabilities, threshold) : whole;
    const described = describeSpans(
      spans,
      size,
      scores,
      marginals || this.#labels ? probabilities : undefined,
    );
    return {
      spans: this.#labels ? nameSpans(described, this.#labels, size, options) : described,
      score: treeScore(whole, scores, size),
      ...(k ? { alternatives: this.#alternatives(allowed, k, options) } : {}),
      ...(chart && probabilities ? { chart: this.#chartOf(scores, probabilities) } : {}),
    };
  }

  /** The label that a span has if it is a phrase; undefined if the models have no labels. */
  labelOf(span: Span): SpanLabel | undefined {
    return this.#labels?.labelOf(span);
  }

  /**
   * The probability of each span: that a binary tree has it or, for "phrases", that a tree has it and it
   * is a phrase. Required brackets have probability 1.
   */
  probabilities(constraints: Constraints, decoding: Decoding = this.#decoding): SpanMatrix {
    const size = this.#size;
    const all = this.#scores.map((each) => {
      const allowed = this.#restrict(each, constraints);
      return spanMarginals(allowed, size, {}, this.#chart).marginals;
    });
    if (decoding !== "phrases") return this.#mean(all);
    const phrases = this.#timesPhrases(all);
    const certain = [{ begin: 0, end: size }, ...(constraints.required ?? [])];
    for (const { begin, end } of certain) phrases[spanIndex(size, begin, end)] = 1;
    return phrases;
  }

  /** The probabilities of phrases, from those of spans by each model. */
  #timesPhrases(marginals: readonly Float32Array[]): SpanMatrix {
    const size = this.#size;
    const [scores, ...others] = this.#scores as readonly [SpanMatrix, ...SpanMatrix[]];
    if (others.length === 0) return multiplyByPhrases(marginals[0] as Float32Array, scores, size);
    const phrase = this.#mean(this.#scores.map((each) => phraseProbabilities(each, size)));
    return this.#mean(marginals).map((marginal, at) => marginal * (phrase[at] as number));
  }

  /** The phrases of the best tree under the probabilities. */
  #likelySpans(probabilities: SpanMatrix, constraints: Constraints, decoding: Decoding): SpanList {
    const size = this.#size;
    if (decoding === "phrases") return expectedF1Tree(probabilities, size, this.#chart).spans;
    return minimumRisk(this.#restrict(probabilities, constraints), size, this.#chart).spans;
  }

  #chartOf(scores: SpanMatrix, marginals: SpanMatrix): ParseChart {
    const labels = this.#labels?.chart(this.#size);
    return { scores, marginals, decoding: this.#decoding, ...(labels ? { labels } : {}) };
  }

  #alternatives(scores: SpanMatrix, k: number, options: DecodeOptions) {
    const labels = this.#labels;
    const named = (spans: readonly Span[]) =>
      labels ? nameSpans(spans, labels, this.#size, options) : spans;
    return kBest(scores, this.#size, k, this.#chart)
      .slice(1)
      .map(({ spans, score }) => ({ spans: named(toSpans(spans)), score }));
  }

  #restrict(matrix: SpanMatrix, { required = [], forbidden = [] }: Constraints): SpanMatrix {
    if (required.length + forbidden.length === 0) return matrix;
    return constrain(matrix, this.#size, { required, forbidden }, this.#chart);
  }

  #mean(matrices: readonly SpanMatrix[]): SpanMatrix {
    return matrices.length === 1 ? (matrices[0] as SpanMatrix) : meanMatrix(matrices, this.#size);
  }
}

function describeSpans(
  list: SpanList,
  size: number,
  scores: SpanMatrix,
  marginals: SpanMatrix | undefined,
): ParsedSpan[] {
  return toSpans(list).map(({ begin, end }) => {
    const at = spanIndex(size, begin, end);
    const score = scores[at] as number;
    if (!marginals) return { begin, end, label: INDUCED, score };
    return { begin, end, label: INDUCED, score, marginal: marginals[at] as number };
  });
}

/** The phrases, which are in pre-order, with their names; among them phrases of one word each. */
function nameSpans(
  spans: readonly Span[],
  labels: SentenceLabels,
  size: number,
  { oneWord = true }: DecodeOptions,
): ParsedSpan[] {
  const named: ParsedSpan[] = [];
  const name = (span: Span) => {
    const { labels: chain, probability } = labels.labelOf(span);
    for (const label of chain) named.push(withLabel(span, label, probability));
  };
  let word = oneWord ? 0 : size;
  const nameWordsBefore = (end: number) => {
    for (; word < end; word++) name({ begin: word, end: word + 1 });
  };
  for (const span of spans) {
    nameWordsBefore(span.begin);
    name(span);
  }
  nameWordsBefore(size);
  return named;
}

/** A copy with the label. The usual kinds are written out: a spread takes several times as long. */
function withLabel(
  span: Span & Pick<Partial<ParsedSpan>, "score" | "marginal">,
  label: string,
  labelProbability: number,
): ParsedSpan {
  const { begin, end, score, marginal } = span;
  if (score === undefined) return { begin, end, label, labelProbability };
  if (marginal === undefined) return { begin, end, label, score, labelProbability };
  return { begin, end, label, score, marginal, labelProbability };
}

/** All spans of the tree count, single words included. */
function treeScore(list: SpanList, scores: SpanMatrix, size: number): number {
  let sum = 0;
  for (let word = 0; word < size; word++) sum += scores[spanIndex(size, word, word + 1)] as number;
  for (const { begin, end } of toSpans(list)) sum += scores[spanIndex(size, begin, end)] as number;
  return sum;
}
