/** The JSON of a parse: what is known about each phrase, with punctuation and without. */

import { describe, expect, test } from "vitest";
import { toParseRecord, withoutPunctuation } from "../../src/parser/parse-record.js";
import type { Parse, ParsedSpan } from "../../src/parser/sentence.js";
import { toRecord } from "../../src/trees/json.js";
import { treeFromSpans } from "../../src/trees/transform.js";

const TEXT = "“Well, he left.”";
const leaves = ["“", "Well", ",", "he", "left", ".", "”"].map((word) => ({ word }));
const spans: readonly ParsedSpan[] = [
  { begin: 0, end: 7, label: "S", head: 4, labelProbability: 0.9, score: 1, marginal: 1 },
  { begin: 1, end: 6, label: "S", head: 4, labelProbability: 0.8, score: 2, marginal: 0.7 },
  { begin: 1, end: 3, label: "INTJ", head: 1, labelProbability: 0.5, score: 3, marginal: 0.6 },
  { begin: 2, end: 3, label: "NP", head: 2, labelProbability: 0.4 },
  { begin: 3, end: 4, label: "NP", head: 3, labelProbability: 0.9 },
  { begin: 4, end: 5, label: "S", head: 4, labelProbability: 0.6 },
  { begin: 4, end: 5, label: "VP", head: 4, labelProbability: 0.6 },
];
const offsets = [[0, 1], [1, 5], [5, 6], [7, 9], [10, 14], [14, 15], [15, 16]] as const; // biome-ignore format: one pair a word
const parse: Parse = {
  leaves,
  text: TEXT,
  offsets,
  tree: treeFromSpans(leaves, spans),
  spans,
  score: 6,
};

describe("a record", () => {
  test("has heads always, scores and probabilities when they are asked for", () => {
    const bare = toParseRecord(parse);
    expect(bare.spans.map(({ label, head }) => `${label} ${leaves[head ?? 0]?.word}`)).toEqual([
      "S left",
      "S left",
      "INTJ Well",
      "NP ,",
      "NP he",
      "S left",
      "VP left",
    ]);
    expect(Object.keys(bare.spans[0] ?? {})).toEqual(["begin", "end", "label", "head"]);
    expect(toParseRecord(parse, { scores: true, marginals: true }).spans).toEqual(spans);
    expect(toParseRecord({ ...parse, spans: [] }).spans[0]).toEqual({
      begin: 0,
      end: 7,
      label: "S",
    });
  });

  test("without punctuation has the tree without it, and the same facts at other places", () => {
    const record = toParseRecord(parse, { punct: false, scores: true, marginals: true });
    const { spans: expected, tokens } = toRecord(withoutPunctuation(parse.tree));
    expect(record.tokens).toEqual(tokens);
    expect(record.spans.map(({ begin, end, label }) => ({ begin, end, label }))).toEqual(expected);
    expect(record.spans[2]).toEqual({
      begin: 0,
      end: 1,
      label: "INTJ",
      head: 0,
      score: 3,
      marginal: 0.6,
      labelProbability: 0.5,
    });
    expect(record.spans.map(({ head }) => tokens[head ?? 9])).toEqual([
      ...["left", "left", "Well", "he", "left", "left"],
    ]);
    expect(record.offsets?.map(([begin, end]) => TEXT.slice(begin, end))).toEqual(tokens);
  });

  test("of punctuation only is kept", () => {
    const dots = [{ word: "…" }, { word: "!" }];
    const only: Parse = { leaves: dots, tree: { label: "X", children: dots }, spans: [] };
    expect(toParseRecord(only, { punct: false }).tokens).toEqual(["…", "!"]);
  });
});
