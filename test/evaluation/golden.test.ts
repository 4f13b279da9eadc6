/** The known numbers of the Penn Treebank's WSJ sample, files 0001 to 0099. */

import { expect, test } from "vitest";
import { type BranchingName, baselineTree, wordLeaves } from "../../src/evaluation/baselines.js";
import { PROTOCOLS, type ProtocolName } from "../../src/evaluation/protocols.js";
import {
  type PreparedGold,
  prepareGold,
  scorePrediction,
  Totals,
} from "../../src/evaluation/score.js";
import { upperBoundTree } from "../../src/evaluation/upper-bound.js";
import { Random } from "../../src/random.js";
import { readTreebank } from "../../src/treebanks/read-treebank.js";
import { leaves, type Tree } from "../../src/trees/tree.js";
import { dataPath, describeWithData } from "../data.js";

const WSJ = "treebanks/wsj-sample-0001-0099";
const CRAFT = "treebanks/craft-a";

async function prepared(name: ProtocolName): Promise<PreparedGold[]> {
  const found: PreparedGold[] = [];
  for await (const gold of readTreebank(dataPath(WSJ))) {
    const each = prepareGold(gold, PROTOCOLS[name]);
    if (each) found.push(each);
  }
  return found;
}

function total(
  golds: PreparedGold[],
  name: ProtocolName,
  build: (gold: PreparedGold) => Tree,
): Totals {
  const totals = new Totals();
  for (const gold of golds) {
    totals.add(scorePrediction(gold, { ...gold.located, tree: build(gold) }, PROTOCOLS[name]));
  }
  return totals;
}

describeWithData(WSJ, "golden numbers on the WSJ sample", () => {
  // protocol, with punctuation, left, right, random (one decimal: it depends on the seeds), bound
  test.each([
    ["nob", false, "8.33", "39.72", 18.9, "84.44"],
    ["nob", true, "8.33", "39.48", 20.2, "84.44"],
    ["kim", false, "8.33", "39.68", 18.9, "84.40"],
  ] as const)(
    "sentence F1, %s, with punctuation: %s",
    async (name, withPunctuation, left, right, random, bound) => {
      const protocol = PROTOCOLS[name];
      const golds = await prepared(name);
      expect(golds.length).toBe(1914);
      const branch = (kind: BranchingName, source = new Random(0)) =>
        total(golds, name, ({ located }) => {
          const all = leaves(located.tree);
          return baselineTree(kind, withPunctuation ? all : wordLeaves(all, protocol), source);
        }).sentenceF1;
      expect((branch("left") * 100).toFixed(2)).toBe(left);
      expect((branch("right") * 100).toFixed(2)).toBe(right);
      const seeds = [1, 2, 3, 4, 5].map((seed) => branch("random", new Random(seed)));
      expect(Math.abs(seeds.reduce((sum, f1) => sum + f1 * 20, 0) - random)).toBeLessThan(0.3);
      const best = total(golds, name, (gold) =>
        upperBoundTree(gold, protocol, { withPunctuation }),
      );
      expect((best.sentenceF1 * 100).toFixed(2)).toBe(bound);
    },
  );

  test("corpus F1, nob, words only", async () => {
    const golds = await prepared("nob");
    const corpus = (build: (gold: PreparedGold) => Tree) =>
      (total(golds, "nob", build).corpusF1 * 100).toFixed(2);
    const overWords = (kind: BranchingName) => (gold: PreparedGold) =>
      baselineTree(kind, wordLeaves(leaves(gold.located.tree), PROTOCOLS.nob), new Random(1));
    expect(corpus(overWords("left"))).toBe("6.37");
    expect(corpus(overWords("right"))).toBe("35.61");
    expect(corpus((gold) => upperBoundTree(gold, PROTOCOLS.nob, { withPunctuation: false }))).toBe(
      "84.75",
    );
  });
});

describeWithData(CRAFT, "the CRAFT corpus", () => {
  test("loads whole, tokens with Unicode blanks included", async () => {
    let [trees, blanks] = [0, 0];
    for await (const { tree } of readTreebank(dataPath(CRAFT))) {
      trees += 1;
      if (leaves(tree).some(({ word }) => /[\u00a0\u2009\u200a]/.test(word))) blanks += 1;
    }
    expect(trees).toBeGreaterThan(14_000);
    expect(blanks).toBeGreaterThan(0);
  });
});
