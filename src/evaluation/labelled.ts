/**
 * Labelled scores: a phrase is found if the prediction has one with its span and its label. Phrases
 * are counted as often as they are there, so that of an S over a VP over the same words either can
 * be found or missed, and of an NP over an NP one or both.
 */

import { INDUCED } from "../trees/labels.js";
import { type Constituent, cross, leaves } from "../trees/tree.js";
import { Confusion, type LabelMeasure, type LabelPair, measureLabel } from "./confusion.js";
import { orderLabels } from "./label-order.js";
import type { LabelledProtocol } from "./protocols.js";
import type { Counts, GoldSentence } from "./score.js";
import { Tally } from "./tally.js";

/** How many phrases of a label, of one word or of more, gold, the prediction and both have. */
export interface LabelCounts {
  readonly label: string;
  /** Whether these are the phrases of one word; otherwise those of two and more. */
  readonly oneWord: boolean;
  gold: number;
  predicted: number;
  matched: number;
}

/** The labelled counts of one sentence. */
export interface LabelledScore extends Counts {
  readonly labels: readonly LabelCounts[];
  /** Of each span that gold and the prediction have, both labels: of a chain those of its top. */
  readonly pairs: readonly LabelPair[];
  /** How many predicted phrases cross a gold one. */
  readonly crossing: number;
  /** The sentence's tokens, punctuation included. */
  readonly tokens: number;
}

/** Scores phrases over the gold tokens, labels compared. */
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

/** The phrases that both have, each as often as both have it. */
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

/** The labelled scores of one system, gathered sentence by sentence. */
export class LabelledEvaluation {
  /** Whether one-word phrases count. */
  readonly oneWord: boolean;
  readonly tally = new Tally();
  /** What the spans that both have are called by gold and by the prediction. */
  readonly confusion = new Confusion();
  readonly #labels = new LabelTable();

  constructor({ oneWord }: { readonly oneWord: boolean }) {
    this.oneWord = oneWord;
  }

  /** Adds a sentence of so many words. */
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

  /** Recall, precision and F1 by label of the phrases of two and more words. */
  get labels(): LabelMeasure[] {
    return this.#measures(false);
  }

  /** The same of the one-word phrases. */
  get oneWordLabels(): LabelMeasure[] {
    return this.#measures(true);
  }

  /** Whether there are predicted phrases, and none has a name. */
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
