/**
 * How well induced categories agree with gold labels, of which they have not the names: the accuracy
 * when each category is called by a gold label, and V-measure, which needs no names.
 */

import { bestAssignment } from "./assignment.js";
import type { Confusion } from "./confusion.js";

/** Whether no predicted label is a gold label, so that only induced measures say something. */
export function areCategories({ goldLabels, predictedLabels }: Confusion): boolean {
  const gold = new Set(goldLabels);
  return predictedLabels.every((label) => !gold.has(label));
}

/** Categories called by gold labels. */
export interface CategoryMapping {
  /** The share of spans whose category has their gold label; 1 if there are no spans. */
  readonly accuracy: number;
  /** The gold label of each category that has one. */
  readonly labels: ReadonlyMap<string, string>;
}

/** Each category is called by the gold label that most of its spans have. */
export function manyToOne(confusion: Confusion): CategoryMapping {
  const { goldLabels } = confusion;
  const labels = new Map<string, string>();
  for (const category of confusion.predictedLabels) {
    const [first, ...others] = goldLabels;
    if (first === undefined) continue;
    const count = (label: string) => confusion.count(label, category);
    labels.set(
      category,
      others.reduce((best, label) => (count(label) > count(best) ? label : best), first),
    );
  }
  return mapping(confusion, labels);
}

/** Each category is called by another gold label, so that the most spans are called rightly. */
export function oneToOne(confusion: Confusion): CategoryMapping {
  const { goldLabels, predictedLabels } = confusion;
  const worth = predictedLabels.map((category) =>
    goldLabels.map((label) => confusion.count(label, category)),
  );
  const labels = new Map<string, string>();
  for (const [index, column] of bestAssignment(worth).entries()) {
    if (column === undefined) continue;
    labels.set(predictedLabels[index] as string, goldLabels[column] as string);
  }
  return mapping(confusion, labels);
}

function mapping(confusion: Confusion, labels: ReadonlyMap<string, string>): CategoryMapping {
  let right = 0;
  for (const [category, label] of labels) right += confusion.count(label, category);
  return { accuracy: confusion.total === 0 ? 1 : right / confusion.total, labels };
}

/** V-measure (Rosenberg and Hirschberg 2007) and its two sides, from 0 to 1. */
export interface VMeasure {
  /** 1 if all spans of a category have the same gold label. */
  readonly homogeneity: number;
  /** 1 if all spans of a gold label are in the same category. */
  readonly completeness: number;
  /** Their harmonic mean. */
  readonly vMeasure: number;
}

/** How much categories and gold labels tell of each other, whatever they are called. */
export function vMeasure(confusion: Confusion): VMeasure {
  const { goldLabels, predictedLabels, total } = confusion;
  const gold = entropy(goldLabels.map((label) => confusion.goldCount(label) / total));
  const predicted = entropy(predictedLabels.map((name) => confusion.predictedCount(name) / total));
  const joint = entropy(
    goldLabels.flatMap((label) =>
      predictedLabels.map((name) => confusion.count(label, name) / total),
    ),
  );
  // What both share is never negative, but rounding can make it so.
  const shared = Math.max(0, gold + predicted - joint);
  const homogeneity = gold === 0 ? 1 : Math.min(1, shared / gold);
  const completeness = predicted === 0 ? 1 : Math.min(1, shared / predicted);
  const sum = homogeneity + completeness;
  return {
    homogeneity,
    completeness,
    vMeasure: sum === 0 ? 0 : (2 * homogeneity * completeness) / sum,
  };
}

function entropy(shares: readonly number[]): number {
  return shares.reduce((sum, share) => (share > 0 ? sum - share * Math.log(share) : sum), 0);
}
