/**
 * The labels of a sentence's spans: computed from what the models say about its words, or looked up where
 * they were computed elsewhere, as on the page.
 */

import { spanIndex } from "../chart/matrix.js";
import { type LabelConfig, type LabelTable, labelTable } from "../model/config.js";
import { type LabelFactors, labelLogits, normaliseLabels } from "../model/label-scorer.js";
import { CHAIN } from "../trees/labels.js";
import type { Span } from "../trees/tree.js";

/** The label of a span, and how probable it is. */
export interface SpanLabel {
  /** One label, or those of a unary chain, outermost first; none for a word that is no phrase. */
  readonly labels: readonly string[];
  /** The probability of the label, given that the span is a phrase; of a word, that it is this phrase. */
  readonly probability: number;
}

/** The most probable label of every span, in the layout of `bracken/chart`. */
export interface LabelChart {
  /** `-` (a single word that is not a phrase), then the labels; `S+VP` is a unary chain. */
  readonly classes: readonly string[];
  /** The index of the label in `classes`. */
  readonly best: Uint16Array;
  /** Its probability. */
  readonly probabilities: Float32Array;
}

/** What the spans of a sentence are called. */
export interface SentenceLabels {
  /** The most probable label of a span. */
  labelOf(span: Span): SpanLabel;
  /** The same for all spans of a sentence of so many words. */
  chart(size: number): LabelChart;
}

/** Labels that are computed when they are asked for, by one model or by several with the same labels. */
export class ScoredLabels implements SentenceLabels {
  readonly #rank: number;
  readonly #table: LabelTable;
  readonly #factors: readonly LabelFactors[];
  /** Working memory, since a sentence has many spans: by label, and by class. */
  readonly #mean: Float32Array;
  readonly #logits: Float32Array;

  /**
   * @param config the labels.
   * @param factors the factors of the label scores, one item per model.
   */
  constructor(config: LabelConfig, factors: readonly LabelFactors[]) {
    this.#rank = config.rank;
    this.#table = labelTable(config);
    this.#factors = factors;
    this.#mean = new Float32Array(this.#table.labels.length);
    this.#logits = new Float32Array(config.classes.length);
  }

  labelOf(span: Span): SpanLabel {
    const { best, probability } = this.#best(span);
    return { labels: namesOf(this.#table.labels, best), probability };
  }

  chart(size: number): LabelChart {
    const best = new Uint16Array(size * size);
    const probabilities = new Float32Array(size * size);
    for (let begin = 0; begin < size; begin++) {
      for (let end = begin + 1; end <= size; end++) {
        const found = this.#best({ begin, end });
        const at = spanIndex(size, begin, end);
        best[at] = found.best;
        probabilities[at] = found.probability;
      }
    }
    return { classes: this.#table.labels, best, probabilities };
  }

  /** The mean of the models' probabilities of each label, until the next call. */
  #probabilities({ begin, end }: Span): Float32Array {
    const [mean, logits] = [this.#mean.fill(0), this.#logits];
    for (const each of this.#factors) {
      labelLogits(each, this.#rank, begin, end, logits);
      normaliseLabels(logits, end - begin === 1);
      for (let at = 0; at < logits.length; at++) {
        const label = this.#table.indexOf[at] as number;
        mean[label] = (mean[label] as number) + (logits[at] as number) / this.#factors.length;
      }
    }
    return mean;
  }

  #best(span: Span): { best: number; probability: number } {
    const probabilities = this.#probabilities(span);
    let best = span.end - span.begin === 1 ? 0 : 1;
    for (let at = best + 1; at < probabilities.length; at++) {
      if ((probabilities[at] as number) > (probabilities[best] as number)) best = at;
    }
    return { best, probability: probabilities[best] as number };
  }
}

/** Labels that were computed before. */
export class KnownLabels implements SentenceLabels {
  readonly #chart: LabelChart;
  readonly #size: number;

  /**
   * @param chart the labels of all spans.
   * @param size the number of words.
   */
  constructor(chart: LabelChart, size: number) {
    this.#chart = chart;
    this.#size = size;
  }

  labelOf({ begin, end }: Span): SpanLabel {
    const { classes, best, probabilities } = this.#chart;
    const at = spanIndex(this.#size, begin, end);
    return {
      labels: namesOf(classes, best[at] as number),
      probability: probabilities[at] as number,
    };
  }

  chart(): LabelChart {
    return this.#chart;
  }
}

function namesOf(classes: readonly string[], index: number): string[] {
  return index === 0 ? [] : (classes[index] as string).split(CHAIN);
}
