/**
 * Compares the gold labels of spans with the predicted ones, one label each: how often the two agree, and which
 * labels are confused. The spans may be gold spans that a model labels, or spans that a parser found.
 */

import { category } from "../trees/labels.js";
import { unwrapRoot } from "../trees/transform.js";
import { constituents, leaves, type Span, type Tree } from "../trees/tree.js";
import { orderLabels } from "./label-order.js";

/** A gold label and the predicted one of the same span. */
export type LabelPair = readonly [gold: string, predicted: string];

/** The counts and measures of one label. */
export interface LabelMeasure {
  /** The label. */
  readonly label: string;
  /** How many spans have this label in gold. */
  readonly gold: number;
  /** How many were predicted to have it. */
  readonly predicted: number;
  /** How many of these predictions are right. */
  readonly matched: number;
  /** matched / gold; undefined if gold has none. */
  readonly recall: number | undefined;
  /** matched / predicted; undefined if none was predicted. */
  readonly precision: number | undefined;
  /** The harmonic mean of recall and precision. */
  readonly f1: number;
}

/** The measures of a label, from its counts. */
export function measureLabel(
  label: string,
  gold: number,
  predicted: number,
  matched: number,
): LabelMeasure {
  return {
    label,
    gold,
    predicted,
    matched,
    recall: gold === 0 ? undefined : matched / gold,
    precision: predicted === 0 ? undefined : matched / predicted,
    f1: gold + predicted === 0 ? 1 : (2 * matched) / (gold + predicted),
  };
}

/** Counts of gold labels against predicted ones. */
export class Confusion {
  readonly #counts = new Map<string, Map<string, number>>();
  readonly #gold = new Map<string, number>();
  readonly #predicted = new Map<string, number>();
  #total = 0;
  #right = 0;

  constructor(pairs: Iterable<LabelPair> = []) {
    for (const [gold, predicted] of pairs) this.add(gold, predicted);
  }

  /** Counts a span. */
  add(gold: string, predicted: string): void {
    const row = this.#counts.get(gold) ?? new Map<string, number>();
    this.#counts.set(gold, row);
    increase(row, predicted);
    increase(this.#gold, gold);
    increase(this.#predicted, predicted);
    this.#total += 1;
    if (gold === predicted) this.#right += 1;
  }

  /** How many spans were counted. */
  get total(): number {
    return this.#total;
  }

  /** The share of spans with the same label in both; 1 if there are none. */
  get accuracy(): number {
    return this.#total === 0 ? 1 : this.#right / this.#total;
  }

  /** How many spans have the label `gold` in gold and `predicted` in the prediction. */
  count(gold: string, predicted: string): number {
    return this.#counts.get(gold)?.get(predicted) ?? 0;
  }

  /** How many spans have the label in gold. */
  goldCount(label: string): number {
    return this.#gold.get(label) ?? 0;
  }

  /** How many spans have the label in the prediction. */
  predictedCount(label: string): number {
    return this.#predicted.get(label) ?? 0;
  }

  /** The labels of gold: the paper's six first, then from the most frequent. */
  get goldLabels(): string[] {
    return orderLabels(this.#gold.keys(), (label) => this.goldCount(label));
  }

  /** The predicted labels, in the same order. */
  get predictedLabels(): string[] {
    return orderLabels(this.#predicted.keys(), (label) => this.predictedCount(label));
  }

  /** Recall, precision and F1 of each label that gold or the prediction has. */
  get labels(): LabelMeasure[] {
    const frequency = (label: string) => this.goldCount(label);
    return orderLabels([...this.#gold.keys(), ...this.#predicted.keys()], frequency).map((label) =>
      measureLabel(
        label,
        this.goldCount(label),
        this.predictedCount(label),
        this.count(label, label),
      ),
    );
  }
}

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** A span of a gold tree and its label. */
export interface GoldSpan extends Span {
  /** The category of the span's outermost phrase, without function tags: S if an S is over a VP. */
  readonly label: string;
}

/**
 * The spans of a gold tree that a labeller should label, each once: those of two or more tokens without the
 * whole sentence, and with `oneWord` also one-word phrases. A span with a unary chain has the topmost label.
 */
export function goldSpans(tree: Tree, { oneWord = false } = {}): GoldSpan[] {
  const inner = unwrapRoot(tree);
  const length = leaves(inner).length;
  const spans = new Map<string, GoldSpan>();
  // Post-order: of a chain the top comes last, and stays.
  for (const { begin, end, label } of constituents(inner)) {
    const size = end - begin;
    if (size === length || (size === 1 && !oneWord)) continue;
    spans.set(`${begin},${end}`, { begin, end, label: category(label) });
  }
  return [...spans.values()];
}

/**
 * Measures how well a labeller labels the spans of gold trees.
 *
 * @param trees gold trees, each with a function that labels the span [begin, end) of its sentence.
 * @returns the accuracy, the measures of each label, and which labels were confused.
 * @example
 * ```ts
 * import { labelAccuracy } from "bracken/evaluation";
 * import { parsePenn } from "bracken/trees";
 *
 * const [tree] = parsePenn("(S (NP (DT the) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (PRP it)))))");
 * const { accuracy } = labelAccuracy([{ tree, label: (begin) => (begin === 0 ? "NP" : "VP") }]);
 * console.log(accuracy); // 2 of 3: the PP was labelled VP
 * ```
 */
export function labelAccuracy(
  trees: Iterable<{
    readonly tree: Tree;
    readonly label: (begin: number, end: number) => string;
  }>,
  options: { readonly oneWord?: boolean } = {},
): Confusion {
  const confusion = new Confusion();
  for (const { tree, label } of trees) {
    for (const span of goldSpans(tree, options)) {
      confusion.add(span.label, label(span.begin, span.end));
    }
  }
  return confusion;
}
