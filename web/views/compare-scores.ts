/** The scores of parsers against other trees: in all, and sentence by sentence with the largest disagreement first. */

import { describePunctuation, type Evaluation } from "../../src/evaluation/index.js";
import { h } from "../dom.js";
import { PHONE } from "../screen.js";

export function percentage(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** The scores of one parser. */
export function scoreOf(
  { totals, protocol, labelled, punctuation }: Evaluation,
  names: { readonly above: string; readonly below: string },
): HTMLElement {
  const fact = (name: string, value: string) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
  return h(
    "div",
    { class: "scored" },
    h(
      "p",
      { class: "score" },
      h("strong", {}, percentage(totals.sentenceF1)),
      h(
        "span",
        {},
        `F1 of ${names.above} against ${names.below}, protocol ${protocol}, punctuation ${describePunctuation(punctuation)}`,
      ),
    ),
    h(
      "details",
      // On a phone the trees come first.
      { class: "measures", open: !PHONE.matches },
      h("summary", {}, "Other measures"),
      h(
        "dl",
        {},
        labelled && fact("Labelled F1", percentage(labelled.tally.totals.sentenceF1)),
        fact("Precision", percentage(totals.precision)),
        fact("Recall", percentage(totals.recall)),
        fact("Corpus F1", percentage(totals.corpusF1)),
        fact("Brackets shared", `${totals.matched} of ${totals.predicted} and ${totals.gold}`),
        fact("Sentences", String(totals.sentences)),
      ),
    ),
  );
}

export interface ScoredSentenceRow {
  readonly number: number;
  readonly text: string;
  /** The F1 of each parser; undefined for sentences too short to score. */
  readonly f1: readonly (number | undefined)[];
  /** Brings the sentence into view. */
  show(): void;
}

/** A list of the sentences, those with the largest disagreement first. */
export function sentenceList(
  rows: readonly ScoredSentenceRow[],
  parsers: readonly string[],
): HTMLElement {
  const worst = ({ f1 }: ScoredSentenceRow) => Math.min(...f1.map((each) => each ?? 2));
  const sorted = rows.toSorted((a, b) => worst(a) - worst(b));
  const scores = parsers.map((name) => (parsers.length > 1 ? `F1 of ${name}` : "F1"));
  const heads = ["No.", ...scores, "Sentence"];
  return h(
    "details",
    { class: "ranking", open: !PHONE.matches },
    h("summary", {}, "Sentences, the largest disagreement first"),
    h(
      "div",
      { class: "table" },
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))),
        h("tbody", {}, ...sorted.map(row)),
      ),
    ),
  );
}

function row({ number, text, f1, show }: ScoredSentenceRow): HTMLElement {
  return h(
    "tr",
    {},
    h("td", {}, String(number)),
    ...f1.map((each) => h("td", {}, each === undefined ? "–" : percentage(each))),
    h("th", { scope: "row" }, h("button", { type: "button", class: "plain", click: show }, text)),
  );
}
