import { describe, expect, test } from "vitest";
import { Confusion, goldSpans, labelAccuracy } from "../../src/evaluation/confusion.js";
import { confusionText, labelAccuracyJson } from "../../src/evaluation/report-labelled.js";
import { readTreebank } from "../../src/treebanks/read-treebank.js";
import { parsePenn } from "../../src/trees/penn-reader.js";
import type { Tree } from "../../src/trees/tree.js";
import { dataPath, describeWithData } from "../data.js";

// Gold NP twice rightly and once as PP, VP once rightly, PP once as VP.
const PAIRS = [
  ["NP", "NP"],
  ["NP", "NP"],
  ["NP", "PP"],
  ["VP", "VP"],
  ["PP", "VP"],
] as const;

describe("confusions", () => {
  const confusion = new Confusion(PAIRS);

  test("accuracy and the measures of each label", () => {
    expect([confusion.total, confusion.accuracy]).toEqual([5, 0.6]);
    expect(confusion.labels).toEqual([
      { label: "NP", gold: 3, predicted: 2, matched: 2, recall: 2 / 3, precision: 1, f1: 0.8 },
      { label: "VP", gold: 1, predicted: 2, matched: 1, recall: 1, precision: 0.5, f1: 2 / 3 },
      { label: "PP", gold: 1, predicted: 1, matched: 0, recall: 0, precision: 0, f1: 0 },
    ]);
  });

  test("the table has gold down and the prediction across; the rarest are summed up", () => {
    expect(confusionText(confusion)).toBe(
      ["gold  NP  VP  PP", "NP    2   0   1", "VP    0   1   0", "PP    0   1   0"].join("\n"),
    );
    expect(confusionText(confusion, { most: 1 })).toBe("gold  NP  others\nNP    2   1");
  });

  test("as JSON only what occurs", () => {
    expect(labelAccuracyJson(confusion)).toMatchObject({
      spans: 5,
      accuracy: 60,
      confusion: [
        { gold: "NP", predicted: { NP: 2, PP: 1 } },
        { gold: "VP", predicted: { VP: 1 } },
        { gold: "PP", predicted: { VP: 1 } },
      ],
    });
  });

  test("a label that only one side has is a row, with nothing to divide by on the other", () => {
    expect(new Confusion([["S", "VP"]]).labels).toEqual([
      { label: "VP", gold: 0, predicted: 1, matched: 0, recall: undefined, precision: 0, f1: 0 },
      { label: "S", gold: 1, predicted: 0, matched: 0, recall: 0, precision: undefined, f1: 0 },
    ]);
  });
});

describe("gold spans", () => {
  const [tree] = parsePenn(
    "(TOP (S (NP-SBJ (PRP He)) (VP (VBD tried) (S (VP (TO to) (VP (VB go) (ADVP (RB home)))))) (. .)))",
  ) as [Tree];

  test("each once, without the whole sentence, a chain by its top", () => {
    expect(goldSpans(tree)).toEqual([
      { begin: 3, end: 5, label: "VP" },
      { begin: 2, end: 5, label: "S" },
      { begin: 1, end: 5, label: "VP" },
    ]);
    expect(
      goldSpans(tree, { oneWord: true }).filter(({ begin, end }) => end - begin === 1),
    ).toEqual([
      { begin: 0, end: 1, label: "NP" },
      { begin: 4, end: 5, label: "ADVP" },
    ]);
  });

  test("a labeller is asked for every span of every tree", () => {
    const asked: string[] = [];
    const label = (begin: number, end: number) => {
      asked.push(`${begin}-${end}`);
      return "VP";
    };
    const confusion = labelAccuracy([
      { tree, label },
      { tree, label },
    ]);
    expect(asked).toEqual(["3-5", "2-5", "1-5", "3-5", "2-5", "1-5"]);
    expect([confusion.accuracy, confusion.count("S", "VP")]).toEqual([2 / 3, 2]);
  });
});

const WSJ = "treebanks/wsj-sample-0001-0099";

describeWithData(WSJ, "the gold spans of the WSJ sample", () => {
  test("are 27,280", async () => {
    let spans = 0;
    for await (const { tree } of readTreebank(dataPath(WSJ))) spans += goldSpans(tree).length;
    expect(spans).toBe(27_280);
  });
});
