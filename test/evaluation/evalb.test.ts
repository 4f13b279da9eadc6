/** EVALB's rules on trees counted by hand, and against a slow way to the same numbers. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { InputError } from "../../src/errors.js";
import { Evaluation } from "../../src/evaluation/evaluate.js";
import { reportJson, reportText } from "../../src/evaluation/report.js";
import { Scorer } from "../../src/evaluation/scorer.js";
import { filterLeaves } from "../../src/trees/transform.js";
import { constituents, leaves, type Tree } from "../../src/trees/tree.js";
import { shape } from "./shapes.js";
import { evaluateText } from "./trees.js";

const repeat = (tag: string, times: number) =>
  Array.from({ length: times }, (_, at) => `(${tag} ${tag}${at})`).join(" ");

/**
 * Brackets as [begin, end) over words, punctuation taken out. Of each pair: gold, prediction, and
 * what they share.
 */
const PAIRS = [
  // No it was n't Black Monday.    S 0-6, INTJ 0-1, NP 1-2, VP 2-6, NP 4-6: 5
  // Predicted:                     S 0-6, ADVP 0-1, NP 1-2, VP 2-6, NP 4-5, NP 5-6: 6
  // Both:                          S, NP 1-2, VP: 3. None cross.
  [
    "(TOP (S (INTJ (RB No)) (, ,) (NP (PRP it)) (VP (VBD was) (RB n't) (NP (NNP Black) (NNP Monday))) (. .)))",
    "(TOP (S (ADVP (RB No)) (, ,) (NP (PRP it)) (VP (VBD was) (RB n't) (NP (NNP Black)) (NP (NNP Monday))) (. .)))",
  ],
  // The man gave up then.          S 0-5, NP 0-2, NP 0-2, VP 2-5, PRT 3-4, ADVP 4-5: 6
  // Predicted, without TOP:        S 0-5, NP 0-2, VP 2-5, ADVP 3-4, PRT 4-5: 5
  // Both:                          S, one NP, VP, and PRT is ADVP, twice: 5. None cross.
  [
    "(TOP (S (NP-SBJ-1 (NP (DT The) (NN man))) (VP=2 (VBD gave) (PRT (RP up)) (, ,) (ADVP-TMP (RB then)))))",
    "(S (NP (DT The) (NN man)) (VP (VBD gave) (ADVP (RP up)) (, ,) (PRT (RB then))))",
  ],
  // a b c d e                      S 0-5, NP 0-2, VP 2-5, NP 3-5: 4
  // Predicted:                     S 0-5, NP 0-1, VP 1-4, VP 2-4, NP 4-5: 5
  // Both: S: 1. VP 1-4 crosses NP 0-2 and VP 2-5, and counts once; VP 2-4 crosses NP 3-5: 2 cross.
  [
    "(TOP (S (NP (NN a) (NN b)) (VP (VB c) (NP (NN d) (NN e)))))",
    "(TOP (S (NP (NN a)) (VP (NN b) (VP (VB c) (NN d))) (NP (NN e))))",
  ],
  // One word is a sentence to EVALB. Gold FRAG 0-1, NP 0-1: 2; predicted FRAG, INTJ: 2; both FRAG: 1.
  ["(TOP (FRAG (NP (NN Yes)) (. .)))", "(TOP (FRAG (INTJ (UH Yes)) (. .)))"],
  // 40 words and a full stop are 41 tokens, over the cut-off. S, NP, VP: 3 of 3, 3 right.
  [
    `(TOP (S (NP ${repeat("NN", 20)}) (VP ${repeat("VB", 20)}) (. .)))`,
    `(TOP (S (NP ${repeat("NN", 20)}) (VP ${repeat("VB", 20)}) (. .)))`,
  ],
  // a b c d e                      S 0-5, NP 1-5, NP 2-5, NP 3-5: 4
  // Predicted:                     S 0-5, NP 0-4, NP 0-3, NP 0-2: 4
  // Both: S: 1. Each predicted NP crosses NP 1-5: 3 cross.
  [
    "(TOP (S (NN a) (NP (NN b) (NP (NN c) (NP (NN d) (NN e))))))",
    "(TOP (S (NP (NP (NP (NN a) (NN b)) (NN c)) (NN d)) (NN e)))",
  ],
] as const;

const all = () =>
  evaluateText(
    PAIRS.map(([gold]) => gold).join("\n"),
    PAIRS.map(([, predicted]) => predicted).join("\n"),
    "evalb",
  );

describe("counted by hand", () => {
  test.each([
    [0, 5, 6, 3, 0],
    [1, 6, 5, 5, 0],
    [2, 4, 5, 1, 2],
    [3, 2, 2, 1, 0],
    [4, 3, 3, 3, 0],
    [5, 4, 4, 1, 3],
  ])("pair %d: %d gold, %d predicted, %d shared, %d crossing", async (at, ...counts) => {
    const [gold, predicted] = PAIRS[at as 0];
    const { totals, evalb } = await evaluateText(gold, predicted, "evalb");
    const found = [totals.gold, totals.predicted, totals.matched, evalb?.all.averageCrossing];
    expect(found).toEqual(counts);
  });

  test("all: 24 gold, 25 predicted, 14 shared; without the long one 21, 22, 11", async () => {
    const evaluation = await all();
    expect(reportJson(evaluation)).toMatchObject({
      protocol: "evalb",
      corpusF1: expect.closeTo((2 * 14 * 100) / 49, 9),
      evalb: {
        all: {
          sentences: 6,
          recall: expect.closeTo(1400 / 24, 9),
          precision: expect.closeTo(56, 9),
          completeMatch: expect.closeTo(100 / 6, 9),
          averageCrossing: expect.closeTo(5 / 6, 9),
          noCrossing: expect.closeTo(400 / 6, 9),
          twoOrFewerCrossing: expect.closeTo(500 / 6, 9),
        },
        short: {
          tokens: 40,
          sentences: 5,
          recall: expect.closeTo(1100 / 21, 9),
          precision: 50,
          completeMatch: 0,
          averageCrossing: 1,
          noCrossing: 60,
          twoOrFewerCrossing: 80,
        },
      },
    });
    const text = reportText(evaluation);
    expect(text).toMatch(/^bracketing recall +58\.33 +52\.38$/m);
    expect(text).toMatch(/^two or fewer crossing +83\.33 +80\.00$/m);
  });

  test("the mean of the sentences' F1", async () => {
    const f1 = [6 / 11, 10 / 11, 2 / 9, 1 / 2, 1, 1 / 4];
    const mean = f1.reduce((sum, value) => sum + value, 0) / 6;
    expect((await all()).totals.sentenceF1).toBeCloseTo(mean, 12);
  });
});

describe("sentences with other words", () => {
  const tree = (word: string) => `(TOP (S (NP (NN ${word})) (VP (VB sits))))`;
  const text = (words: readonly string[]) => words.map(tree).join("\n");

  test("are left out, and said to be", async () => {
    const found = await evaluateText(
      text(["cat", "dog", "cow"]),
      text(["cat", "pig", "cow"]),
      "evalb",
    );
    expect([found.totals.sentences, found.mismatched]).toEqual([2, 1]);
    expect(reportText(found)).toContain("2 scored, 0 skipped (no words), 1 left out (other words)");
    expect(reportJson(found)).toMatchObject({ sentences: 2, mismatched: 1 });
  });

  test("more than ten are an error, as are all, and as one is under other protocols", async () => {
    const gold = text(Array.from({ length: 12 }, () => "cat"));
    const wrong = (times: number) =>
      text(Array.from({ length: 12 }, (_, at) => (at < times ? "dog" : "cat")));
    expect((await evaluateText(gold, wrong(10), "evalb")).mismatched).toBe(10);
    const message = /token 1 differs: "dog"/;
    await expect(evaluateText(gold, wrong(11), "evalb")).rejects.toThrow(message);
    await expect(evaluateText(text(["cat"]), text(["dog"]), "evalb")).rejects.toThrow(message);
    await expect(evaluateText(gold, wrong(1), "nob")).rejects.toThrow(message);
  });

  test("sentences without words are skipped", async () => {
    const gold = "(TOP (X (. .)))\n(TOP (NP (NN a)))";
    const found = await evaluateText(gold, gold, "evalb");
    expect([found.totals.sentences, found.skipped]).toEqual([1, 1]);
  });
});

/** As EVALB's description has it, bracket by bracket. */
function slowly(gold: Tree, predicted: Tree) {
  const deleted = new Set(["-NONE-", ",", ":", "``", "''", "."]);
  const brackets = (tree: Tree) => {
    const kept = filterLeaves(tree, ({ tag }) => !deleted.has(tag ?? ""));
    return (kept ? constituents(kept) : [])
      .map(({ begin, end, label }) => ({ begin, end, label: label.split(/[-=]/)[0] as string }))
      .filter(({ label }) => label !== "TOP");
  };
  const same = (a: string, b: string) =>
    a === b || (a === "ADVP" && b === "PRT") || (a === "PRT" && b === "ADVP");
  const [wanted, found] = [brackets(gold), brackets(predicted)];
  const taken = new Set<number>();
  for (const { begin, end, label } of wanted) {
    const at = found.findIndex(
      (other, index) =>
        !taken.has(index) && other.begin === begin && other.end === end && same(other.label, label),
    );
    if (at >= 0) taken.add(at);
  }
  const crossing = found.filter((a) =>
    wanted.some(
      (b) =>
        (a.begin < b.begin && b.begin < a.end && a.end < b.end) ||
        (b.begin < a.begin && a.begin < b.end && b.end < a.end),
    ),
  );
  return {
    gold: wanted.length,
    predicted: found.length,
    matched: taken.size,
    crossing: crossing.length,
  };
}

test("any two trees over the same words: the slow way gives the same counts", () => {
  const tags = fc.array(fc.constantFrom("NN", "VB", ",", ".", ":", "``", "-LRB-", "$"), {
    minLength: 1,
    maxLength: 9,
  });
  const scorer = new Scorer("evalb", {});
  const located = (tree: Tree) => ({ tree, file: undefined, line: 1 });
  fc.assert(
    fc.property(tags, fc.nat(), fc.nat(), (all, first, second) => {
      const [gold, predicted] = [shape(all, first), shape(all, second)];
      const scores = scorer.score(located(gold), [located(predicted)]);
      const hasWords = leaves(gold).some(({ tag }) =>
        ["NN", "VB", "-LRB-", "$"].includes(tag ?? ""),
      );
      expect(scores !== undefined).toBe(hasWords);
      if (scores) expect(scores[0]?.labelled).toMatchObject(slowly(gold, predicted));
    }),
    { numRuns: 500 },
  );
});

test("trees without labels are refused", async () => {
  const error: InputError = await evaluateText(
    "(TOP (S (NP (NN a)) (VP (VB b))))",
    "(TOP (X (NN a) (VB b)))",
    "evalb",
  ).then(
    () => expect.unreachable(),
    (reason) => reason,
  );
  expect(error.message).toContain("no labels to compare: every phrase is called X or nothing");
  expect(new Evaluation("evalb").labelled?.oneWord).toBe(true);
});
