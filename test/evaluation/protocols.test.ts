/** Every rule of the protocols on the fixture, whose numbers were worked out by hand. */

import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { baselineTree } from "../../src/evaluation/baselines.js";
import { Evaluation } from "../../src/evaluation/evaluate.js";
import { PROTOCOLS, type ProtocolName } from "../../src/evaluation/protocols.js";
import { prepareGold, type SentenceScore, scorePrediction } from "../../src/evaluation/score.js";
import { Random } from "../../src/random.js";
import { tableLabel } from "../../src/trees/labels.js";
import { parsePenn } from "../../src/trees/penn-reader.js";
import { filterLeaves } from "../../src/trees/transform.js";
import { leaves, type Tree } from "../../src/trees/tree.js";
import { tree } from "../arbitraries.js";

function fixture(name: string): Tree[] {
  return parsePenn(readFileSync(new URL(`../fixtures/${name}`, import.meta.url), "utf8"));
}

const located = (found: Tree) => ({ tree: found, file: undefined, line: 1 });

function score(gold: Tree, predicted: Tree, name: ProtocolName): SentenceScore | undefined {
  const prepared = prepareGold(located(gold), PROTOCOLS[name]);
  return prepared && scorePrediction(prepared, located(predicted), PROTOCOLS[name]);
}

const WHAT = [
  "function tags and final full stop",
  "unary root",
  "phrase of punctuation only",
  "two words: both sets empty",
  "gold empty, prediction not",
  "$ is no word",
  "one word",
  "one word and a full stop",
  "root equals its only phrase once the full stop is gone",
  "HYPH is a word to nob alone",
  "brackets inside, unary duplicates",
];
const SKIP = undefined;

describe.each([
  ["kim", "predicted.txt", [0.75, 0.8, 1, 1, 0, 1, SKIP, SKIP, 0, 0, 4 / 7], [13, 14, 9]],
  ["kim", "predicted-words.txt", [0.75, 0.8, 1, 1, 0, 1, SKIP, SKIP, 0, 0, 4 / 7], [13, 14, 9]],
  ["kim-nofull", "predicted.txt", [0.75, 1, 1, 1, 0, 1, SKIP, SKIP, 1, 0, 4 / 7], [11, 14, 9]],
  [
    "kim-nofull",
    "predicted-words.txt",
    [0.75, 1, 1, 1, 0, 1, SKIP, SKIP, 1, 0, 4 / 7],
    [11, 14, 9],
  ],
  ["nob", "predicted.txt", [0.75, 1, 1, 1, 0, 1, SKIP, SKIP, 1, 0, 4 / 7], [12, 16, 10]],
  ["nob", "predicted-words.txt", [0.75, 1, 2 / 3, 1, 0, 1, SKIP, SKIP, 1, 0, 4 / 7], [12, 14, 9]],
] as const)("%s, %s", (name, file, expected, [goldCount, predictedCount, matched]) => {
  const gold = fixture("gold.mrg");
  const predicted = fixture(file);

  test.each(WHAT.map((what, index) => [what, index] as const))("%s", (_, index) => {
    const found = score(gold[index] as Tree, predicted[index] as Tree, name)?.f1;
    const wanted = expected[index];
    if (wanted === undefined) expect(found).toBeUndefined();
    else expect(found).toBeCloseTo(wanted, 12);
  });

  test("totals", () => {
    const evaluation = new Evaluation(name);
    for (const [index, goldTree] of gold.entries()) {
      evaluation.add(score(goldTree, predicted[index] as Tree, name));
    }
    const { totals, skipped } = evaluation;
    expect(skipped).toBe(2);
    expect([totals.gold, totals.predicted, totals.matched]).toEqual([
      goldCount,
      predictedCount,
      matched,
    ]);
    const scored = expected.filter((f1) => f1 !== undefined);
    expect(totals.sentenceF1).toBeCloseTo(scored.reduce((sum, f1) => sum + f1, 0) / 9, 12);
    expect(totals.corpusF1).toBeCloseTo((2 * matched) / (goldCount + predictedCount), 12);
    expect(totals.precision).toBeCloseTo(matched / predictedCount, 12);
    expect(totals.recall).toBeCloseTo(matched / goldCount, 12);
  });
});

describe("recall per label", () => {
  const [gold, predicted] = [fixture("gold.mrg"), fixture("predicted.txt")];
  const evaluation = new Evaluation("nob");
  for (const [index, goldTree] of gold.entries()) {
    evaluation.add(score(goldTree, predicted[index] as Tree, "nob"));
  }

  test("the paper's labels come first, unary duplicates count each", () => {
    expect(evaluation.labels.map(({ label, found, gold: total }) => [label, found, total])).toEqual(
      [
        ["NP", 4, 6],
        ["VP", 4, 4],
        ["PP", 1, 1],
        ["PRN", 2, 2],
      ],
    );
  });

  test("labels are cut at the first dash, then = and 1 to 4 are stripped", () => {
    expect(["NP-SBJ-1", "VP=2", "NP", "S-TPC-4", "-LRB-", "WHNP1"].map(tableLabel)).toEqual([
      "NP",
      "VP",
      "NP",
      "S",
      "",
      "WHNP",
    ]);
  });

  test("lengths are counted in words", () => {
    expect(evaluation.lengths.map(({ from, to, totals }) => [from, to, totals.sentences])).toEqual([
      [2, 10, 9],
    ]);
  });
});

describe("nob's longest span", () => {
  test("a run of punctuation longer than the words is dropped in place of the sentence", () => {
    const gold = parsePenn("(S (X (. .) (. .) (. .)) (NP (NN a) (NN b)))")[0] as Tree;
    const prepared = prepareGold(located(gold), PROTOCOLS.nob);
    expect([...(prepared?.spans ?? [])]).toEqual([{ begin: 3, end: 5 }]);
  });

  test("of equally long spans the one with words is dropped", () => {
    const gold = parsePenn("(S (X (. .) (. .)) (NN a) (NN b))")[0] as Tree;
    const prepared = prepareGold(located(gold), PROTOCOLS.nob);
    expect([...(prepared?.spans ?? [])]).toEqual([{ begin: 0, end: 2 }]);
  });
});

describe("any trees", () => {
  const retag = (found: Tree, coins: boolean[]): Tree => {
    let at = 0;
    const change = (node: Tree): Tree =>
      "word" in node
        ? { word: node.word, tag: coins[at++ % coins.length] ? "NN" : "." }
        : { label: node.label, children: node.children.map(change) };
    return change(found);
  };
  const cases = fc.tuple(
    tree,
    fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
    fc.constantFrom<ProtocolName>("kim", "kim-nofull", "nob"),
    fc.nat(),
  );

  test("under kim it makes no difference whether the prediction has punctuation", () => {
    fc.assert(
      fc.property(cases, ([shape, coins, , seed]) => {
        const gold = retag(shape, coins);
        const predicted = baselineTree("random", leaves(gold), new Random(seed));
        const bare = filterLeaves(predicted, (leaf) => leaf.tag === "NN");
        if (!bare) return;
        for (const name of ["kim", "kim-nofull"] as const) {
          expect(score(gold, bare, name)).toEqual(score(gold, predicted, name));
        }
      }),
    );
  });

  test("scores lie between 0 and 1, and counts are consistent", () => {
    fc.assert(
      fc.property(cases, ([shape, coins, name, seed]) => {
        const gold = retag(shape, coins);
        const found = score(gold, baselineTree("random", leaves(gold), new Random(seed)), name);
        if (!found) return;
        expect(found.f1).toBeGreaterThanOrEqual(0);
        expect(found.f1).toBeLessThanOrEqual(1);
        expect(found.matched).toBeLessThanOrEqual(Math.min(found.gold, found.predicted));
      }),
    );
  });

  test("a gold tree scored against itself is perfect without whole-sentence spans", () => {
    fc.assert(
      fc.property(cases, ([shape, coins]) => {
        const gold = retag(shape, coins);
        for (const name of ["kim-nofull", "nob"] as const)
          expect(score(gold, gold, name)?.f1 ?? 1).toBe(1);
      }),
    );
  });
});
