/**
 * The paper's Table 1 for any data set: how many brackets a sentence has, how many are single words,
 * and, where gold trees are known for the same sentences, how many are constituents, how many
 * conflict with the tree, and how many of the tree's phrases they find.
 *
 * A bracket counts once a sentence whatever its kinds. Of gold phrases those of two or more tokens
 * that are not the whole sentence count; of unary chains each phrase does.
 */

import { TABLE_LABELS, tableLabel } from "../trees/labels.js";
import { type Constituent, constituents, cross, type Span, type Tree } from "../trees/tree.js";
import { type Bracket, type Bracketing, distinctSpans, isMultiToken, toSpan } from "./record.js";

/** How brackets compare with the gold trees of their sentences. */
export interface GoldComparison {
  /** Sentences of the data set for which a gold tree is known. */
  sentences: number;
  brackets: number;
  single: number;
  constituents: number;
  conflicting: number;
  /** Gold phrases and how many of them stand among the brackets, by label. */
  readonly labels: Map<string, { gold: number; found: number }>;
}

/** Counts the brackets of a data set, and compares them with gold trees. */
export class BracketStatistics {
  sentences = 0;
  tokens = 0;
  brackets = 0;
  single = 0;
  whole = 0;
  multiToken = 0;
  pairs = 0;
  crossingPairs = 0;
  readonly kinds = new Map<string, number>();
  /** How many brackets have each length; how many sentences have each number of brackets. */
  readonly lengths = new Map<number, number>();
  readonly counts = new Map<number, number>();
  readonly gold: GoldComparison = {
    sentences: 0,
    brackets: 0,
    single: 0,
    constituents: 0,
    conflicting: 0,
    labels: new Map(),
  };

  /** Adds a sentence, with its gold tree where there is one. */
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

  /** The labels of the paper's table in its order, then all together. */
  get labelRows(): { label: string; gold: number; found: number }[] {
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
