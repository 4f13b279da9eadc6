/**
 * Labelled scores: a phrase is found if the prediction has a phrase with the same span and label. Every phrase
 * counts. So of an S over a VP over the same words either can be found or missed, and of an NP over an NP one or
 * both.
 */

import { INDUCED } from "../trees/labels.js";
import { type Constituent, cross, leaves } from "../trees/tree.js";
import { Confusion, type LabelMeasure, type LabelPair, measureLabel } from "./confusion.js";
import { orderLabels } from "./label-order.js";
import type { LabelledProtocol } from "./protocols.js";
import type { Counts, GoldSentence } from "./score.js";
import { Tally } from "./tally.js";

/** How many phrases of a label there are in gold, in the prediction, and in both. */
export interface LabelCounts {
  /** The label. */
  readonly label: string;
  /** Whether these are the phrases of one word; otherwise those of two or more. */
  readonly oneWord: boolean;
  /** Phrases in gold. */
  gold: number;
  /** Phrases in the prediction. */
  predicted: number;
  /** Phrases in both. */
  matched: number;
}

/** The labelled counts of one sentence. */
export interface LabelledScore extends Counts {
  /** The counts of each label. */
  readonly labels: readonly LabelCounts[];
  /** Both labels of each span that gold and the prediction share; for a unary chain the topmost. */
  readonly pairs: readonly LabelPair[];
  /** How many predicted phrases cross a gold one. */
  readonly crossing: number;
  /** The number of tokens, punctuation included. */
  readonly tokens: number;
}

/** Scores phrases over the gold tokens, comparing labels. */
export function scoreLabelled(
  gold: GoldSentence,
  phrases: readonly Constituent[],
  protocol: LabelledProtocol,
  options: { readonly oneWord: boolean },
): LabelledScore {
  const counted = (all: readonly Constituent[]) =>
    protocol
      .counted(all, gold.sentence, options)
      .map((phrase) => ({ ...phrase, label: protocol.category(phrase.label) }));
  const [wanted, predicted] = [counted(gold.phrases), counted(phrases)];
  const matched = shared(wanted, predicted);
  return {
    gold: wanted.length,
    predicted: predicted.length,
    matched: matched.length,
    f1: protocol.f1(wanted.length, predicted.length, matched.length),
    labels: countLabels(wanted, predicted, matched),
    pairs: pairLabels(wanted, predicted),
    crossing: predicted.filter((phrase) => wanted.some((other) => cross(phrase, other))).length,
    tokens: leaves(gold.located.tree).filter(({ tag }) => tag !== "-NONE-").length,
  };
}

/** The phrases in both, each as often as both have it. */
function shared(gold: readonly Constituent[], predicted: readonly Constituent[]): Constituent[] {
  const key = ({ begin, end, label }: Constituent) => `${begin},${end},${label}`;
  const left = new Map<string, number>();
  for (const phrase of gold) left.set(key(phrase), (left.get(key(phrase)) ?? 0) + 1);
  return predicted.filter((phrase) => {
    const remaining = left.get(key(phrase)) ?? 0;
    left.set(key(phrase), remaining - 1);
    return remaining > 0;
  });
}

function countLabels(
  gold: readonly Constituent[],
  predicted: readonly Constituent[],
  matched: readonly Constituent[],
): LabelCounts[] {
  const counts = new LabelTable();
  const count = (phrases: readonly Constituent[], of: "gold" | "predicted" | "matched") => {
    for (const { label, begin, end } of phrases) counts.of(label, end - begin === 1)[of] += 1;
  };
  count(gold, "gold");
  count(predicted, "predicted");
  count(matched, "matched");
  return counts.rows;
}

class LabelTable {
  readonly #counts = new Map<string, LabelCounts>();

  of(label: string, oneWord: boolean): LabelCounts {
    const key = `${oneWord} ${label}`;
    const found = this.#counts.get(key);
    if (found) return found;
    const counts = { label, oneWord, gold: 0, predicted: 0, matched: 0 };
    this.#counts.set(key, counts);
    return counts;
  }

  get rows(): LabelCounts[] {
    return [...this.#counts.values()];
  }
}

function pairLabels(gold: readonly Constituent[], predicted: readonly Constituent[]): LabelPair[] {
  const tops = (phrases: readonly Constituent[]) =>
    new Map(phrases.map(({ begin, end, label }) => [`${begin},${end}`, label]));
  const found = tops(predicted);
  return [...tops(gold)].flatMap(([span, label]) => {
    const other = found.get(span);
    return other === undefined ? [] : [[label, other] as const];
  });
}

/** The labelled scores of one system, collected sentence by sentence. */
export class LabelledEvaluation {
  /** Whether one-word phrases count. */
  readonly oneWord: boolean;
  /** The totals and the counts of each sentence. */
  readonly tally = new Tally();
  /** The gold and predicted labels of the spans that both have. */
  readonly confusion = new Confusion();
  readonly #labels = new LabelTable();

  constructor({ oneWord }: { readonly oneWord: boolean }) {
    this.oneWord = oneWord;
  }

  /** Adds a sentence with this number of words. */
  add(score: LabelledScore, words: number): void {
    this.tally.add(score, words);
    for (const [gold, predicted] of score.pairs) this.confusion.add(gold, predicted);
    for (const { label, oneWord, gold, predicted, matched } of score.labels) {
      const counts = this.#labels.of(label, oneWord);
      counts.gold += gold;
      counts.predicted += predicted;
      counts.matched += matched;
    }
  }

  /** Recall, precision and F1 per label, for phrases of two or more words. */
  get labels(): LabelMeasure[] {
    return this.#measures(false);
  }

  /** The same for one-word phrases. */
  get oneWordLabels(): LabelMeasure[] {
    return this.#measures(true);
  }

  /** Whether there are predicted phrases, and none has a label. */
  get isNameless(): boolean {
    const predicted = this.#labels.rows.filter((counts) => counts.predicted > 0);
    return predicted.length > 0 && predicted.every(({ label }) => NAMELESS.has(label));
  }

  #measures(oneWord: boolean): LabelMeasure[] {
    const rows = this.#labels.rows.filter((counts) => counts.oneWord === oneWord);
    const byLabel = new Map(rows.map((counts) => [counts.label, counts]));
    const order = orderLabels(byLabel.keys(), (label) => byLabel.get(label)?.gold ?? 0);
    return order.flatMap((label) => {
      const counts = byLabel.get(label);
      return counts ? [measureLabel(label, counts.gold, counts.predicted, counts.matched)] : [];
    });
  }
}

const NAMELESS = new Set(["", INDUCED]);
