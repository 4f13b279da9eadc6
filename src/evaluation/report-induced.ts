/** How well induced categories agree with gold labels, for people and as JSON for programs. */

import { alignColumns, percent } from "../display/columns.js";
import type { Confusion } from "./confusion.js";
import { manyToOne, oneToOne, vMeasure } from "./induced.js";

/** @param where - What the spans are: `nob, spans found`. */
export function inducedText(confusion: Confusion, where: string): string {
  const { goldLabels, predictedLabels, total } = confusion;
  const [many, one, agreement] = [manyToOne(confusion), oneToOne(confusion), vMeasure(confusion)];
  const sizes = `${predictedLabels.length} for ${goldLabels.length} gold labels, ${total} spans`;
  return [
    alignColumns([
      ["categories", `${sizes} (${where})`],
      ["many-to-one", percent(many.accuracy)],
      ["one-to-one", percent(one.accuracy)],
      ["homogeneity", percent(agreement.homogeneity)],
      ["completeness", percent(agreement.completeness)],
      ["V-measure", percent(agreement.vMeasure)],
    ]),
    alignColumns([
      ["category", "spans", "many-to-one", "one-to-one"],
      ...predictedLabels.map((category) => [
        category || "(none)",
        `${confusion.predictedCount(category)}`,
        many.labels.get(category) ?? "-",
        one.labels.get(category) ?? "-",
      ]),
    ]),
  ].join("\n\n");
}

/** Accuracies and V-measure in percent; a category that one-to-one leaves out has no such label. */
export function inducedJson(confusion: Confusion) {
  const [many, one, agreement] = [manyToOne(confusion), oneToOne(confusion), vMeasure(confusion)];
  return {
    spans: confusion.total,
    manyToOne: many.accuracy * 100,
    oneToOne: one.accuracy * 100,
    homogeneity: agreement.homogeneity * 100,
    completeness: agreement.completeness * 100,
    vMeasure: agreement.vMeasure * 100,
    categories: confusion.predictedLabels.map((category) => ({
      category,
      spans: confusion.predictedCount(category),
      manyToOne: many.labels.get(category),
      oneToOne: one.labels.get(category),
    })),
  };
}
