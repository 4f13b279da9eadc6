/** The phrases of a sentence that are shown, by name: as a list, and as a table that leaves the page. */

import { type DocumentPhrase, phrasesOf } from "../src/parser/phrases.js";
import type { Parse } from "../src/parser/sentence.js";
import { tsvLine } from "../src/parser/tsv.js";
import { type Shown, shownSpans } from "./sentence.js";

export function shownPhrases(parse: Parse, shown: Shown, sentence = 0): DocumentPhrase[] {
  if (parse.fallback !== undefined) return [];
  const spans = shownSpans(parse, shown);
  const labels = new Set(spans.map(({ label }) => label));
  return phrasesOf({ ...parse, spans }, labels, {}, sentence);
}

const COLUMNS = ["label", "phrase", "head", "probability", "sentence", "begin", "end"];

/** A table for a spreadsheet; sentences are counted from 1. */
export function toTsv(phrases: readonly DocumentPhrase[]): string {
  const rows = phrases.map(({ label, text, head, probability, sentence, begin, end }) =>
    tsvLine([label, text, head, probability, sentence + 1, begin, end]),
  );
  return [tsvLine(COLUMNS), ...rows].join("");
}
