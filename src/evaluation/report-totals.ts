/** The four measures of any comparison, and the counts they are made from. */

import { percent } from "../display/columns.js";
import type { Totals } from "./score.js";

export function totalsRows(totals: Totals): string[][] {
  const { matched, predicted, gold } = totals;
  return [
    ["sentence F1", percent(totals.sentenceF1)],
    ["corpus F1", percent(totals.corpusF1)],
    ["precision", `${percent(totals.precision)}  (${matched} of ${predicted})`],
    ["recall", `${percent(totals.recall)}  (${matched} of ${gold})`],
  ];
}

/** F1, precision and recall in percent. */
export function measures(totals: Totals) {
  const { sentences, gold, predicted, matched } = totals;
  return {
    sentenceF1: totals.sentenceF1 * 100,
    corpusF1: totals.corpusF1 * 100,
    precision: totals.precision * 100,
    recall: totals.recall * 100,
    sentences,
    gold,
    predicted,
    matched,
  };
}
