/**
 * The paper's Table 1 for any data set: how many brackets a sentence has and how many are single words. If there
 * are gold trees of the same sentences, also how many brackets are constituents, how many conflict with the tree,
 * and how many of the tree's phrases they find.
 *
 * A span counts once per sentence, whatever its kinds. Gold phrases count if they have two or more tokens and are
 * not the whole sentence; each phrase of a unary chain counts.
 */

import { TABLE_LABELS, tableLabel } from "../trees/labels.js";
import { type Constituent, constituents, cross, type Span, type Tree } from "../trees/tree.js";
import { type Bracket, type Bracketing, distinctSpans, isMultiToken, toSpan } from "./record.js";

/** How many gold phrases there are, and how many of them are among the brackets. */
export interface LabelCount {
  /** The number of gold phrases. */
  gold: number;
  /** How many of them are among the brackets. */
  found: number;
}

/** How brackets compare with the gold trees of their sentences. */
export interface GoldComparison {
  /** Sentences of the data set for which a gold tree is known. */
  sentences: number;
  /** The brackets of these sentences. */
  brackets: number;
  /** Brackets of a single word. */
  single: number;
  /** Brackets of two or more words that are constituents of the gold tree. */
  constituents: number;
  /** Brackets that cross a constituent of the gold tree. */
  conflicting: number;
  /** Gold phrases by label, and how many of them are among the brackets. */
  readonly labels: Map<string, LabelCount>;
}

/** A row of the table of labels. */
export interface LabelRow extends LabelCount {
  /** The label, or `total`. */
  label: string;
}

/**
 * Counts the brackets of a data set, and compares them with gold trees.
 *
 * @example
 * ```ts
 * import { BracketStatistics, statisticsText } from "bracken/brackets";
 *
 * const statistics = new BracketStatistics();
 * statistics.add({ tokens: ["the", "cat", "sat"], brackets: [[0, 2]], source: "mine", id: "1" });
 * console.log(statisticsText(statistics));
 * ```
 */
export class BracketStatistics {
  /** The number of sentences. */
  sentences = 0;
  /** The number of tokens. */
  tokens = 0;
  /** The number of brackets. */
  brackets = 0;
  /** Brackets of a single word. */
  single = 0;
  /** Brackets over the whole sentence. */
  whole = 0;
  /** Brackets of two or more tokens that are not the whole sentence. */
  multiToken = 0;
  /** Pairs of brackets in the same sentence. */
  pairs = 0;
  /** Pairs of brackets that cross. */
  crossingPairs = 0;
  /** The number of entries of each kind. */
  readonly kinds = new Map<string, number>();
  /** The number of brackets of each length. */
  readonly lengths = new Map<number, number>();
  /** The number of sentences with each number of brackets. */
  readonly counts = new Map<number, number>();
  /** How the brackets compare with gold trees. */
  readonly gold: GoldComparison = {
    sentences: 0,
    brackets: 0,
    single: 0,
    constituents: 0,
    conflicting: 0,
    labels: new Map(),
  };

  /** Adds a sentence, with its gold tree if there is one. */
  add(bracketing: Bracketing, tree?: Tree): void {
    const length = bracketing.tokens.length;
    const spans = distinctSpans(bracketing);
    this.sentences += 1;
    this.tokens += length;
    this.brackets += spans.length;
    increase(this.counts, spans.length);
    for (const kind of bracketing.kinds ?? []) increase(this.kinds, kind);
    for (const span of spans) {
      increase(this.lengths, span[1] - span[0]);
      if (span[1] - span[0] === 1) this.single += 1;
      if (span[1] - span[0] === length) this.whole += 1;
      if (isMultiToken(span, length)) this.multiToken += 1;
    }
    this.#countPairs(spans.map(toSpan));
    if (tree) this.#compare(spans, length, constituents(tree));
  }

  #countPairs(spans: readonly Span[]): void {
    for (const [index, first] of spans.entries()) {
      for (const second of spans.slice(index + 1)) {
        this.pairs += 1;
        if (cross(first, second)) this.crossingPairs += 1;
      }
    }
  }

  #compare(spans: readonly Bracket[], length: number, phrases: readonly Constituent[]): void {
    const { gold } = this;
    const found = new Set(spans.map((span) => span.join()));
    const known = new Set(phrases.map(({ begin, end }) => `${begin},${end}`));
    gold.sentences += 1;
    gold.brackets += spans.length;
    for (const span of spans) {
      if (span[1] - span[0] === 1) gold.single += 1;
      else if (known.has(span.join())) gold.constituents += 1;
      else if (phrases.some((phrase) => cross(toSpan(span), phrase))) gold.conflicting += 1;
    }
    for (const { label, begin, end } of phrases) {
      if (!isMultiToken([begin, end], length)) continue;
      const name = tableLabel(label);
      const count = gold.labels.get(name) ?? { gold: 0, found: 0 };
      count.gold += 1;
      if (found.has(`${begin},${end}`)) count.found += 1;
      gold.labels.set(name, count);
    }
  }

  /** The labels of the paper's table in its order, then the total. */
  get labelRows(): LabelRow[] {
    const rows = TABLE_LABELS.flatMap((label) => {
      const count = this.gold.labels.get(label);
      return count ? [{ label, ...count }] : [];
    });
    const total = { label: "total", gold: 0, found: 0 };
    for (const { gold, found } of this.gold.labels.values()) {
      total.gold += gold;
      total.found += found;
    }
    return [...rows, total];
  }
}

function increase<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
