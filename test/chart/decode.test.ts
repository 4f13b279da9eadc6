import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  Chart,
  countTrees,
  decode,
  decodeInto,
  flatten,
  listLength,
  type SpanMatrix,
  spanIndex,
  toSpans,
  toTree,
} from "../../src/chart/index.js";
import { toPenn } from "../../src/trees/penn-writer.js";
import { constituents } from "../../src/trees/tree.js";
import { allTrees, bestTree, realSentence, sumOver, tyingSentence } from "./enumerate.js";

const CATALAN = [1, 1, 2, 5, 14, 42, 132, 429, 1430, 4862];

const words = (size: number) => Array.from({ length: size }, (_, index) => ({ word: `w${index}` }));

describe("decode", () => {
  test("finds the best tree, of equal ones that with the smallest splits", () => {
    fc.assert(
      fc.property(tyingSentence(8), ({ size, scores }) => {
        const { score, spans } = decode(scores, size);
        expect(spans).toEqual(bestTree(size, scores));
        expect(score).toBe(sumOver(spans, size, scores));
      }),
      { numRuns: 300 },
    );
  });

  test("finds the best score among reals, too", () => {
    fc.assert(
      fc.property(realSentence(8), ({ size, scores }) => {
        const best = Math.max(...allTrees(size).map((tree) => sumOver(tree, size, scores)));
        const { score, spans } = decode(scores, size);
        expect(score).toBeCloseTo(best, 9);
        expect(sumOver(spans, size, scores)).toBeCloseTo(best, 9);
      }),
    );
  });

  test("reads nothing below the diagonal", () => {
    const scores = Float32Array.of(1, 2, Number.NaN, 4);
    expect(decode(scores, 2)).toEqual({ score: 7, spans: Int32Array.of(0, 2) });
  });

  test("a token alone is a tree without phrases, and no token the empty one", () => {
    expect(decode(Float32Array.of(3), 1)).toEqual({ score: 3, spans: new Int32Array(0) });
    expect(decode(new Float32Array(0), 0)).toEqual({ score: 0, spans: new Int32Array(0) });
  });

  test("long sentences of ties branch to the right", () => {
    const { spans } = decode(new Float32Array(300 * 300), 300);
    expect(toSpans(spans)).toEqual(
      Array.from({ length: 299 }, (_, begin) => ({ begin, end: 300 })),
    );
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])(
    "refuses a score of %s, naming the span",
    (bad) => {
      const scores = new Float32Array(9);
      scores[spanIndex(3, 1, 3)] = bad;
      expect(() => decode(scores, 3)).toThrow(`span [1, 3) weighs ${bad}`);
    },
  );

  test("says so where every tree is forbidden", () => {
    const scores = Float32Array.of(0, Number.NEGATIVE_INFINITY, 0, 0);
    expect(() => decode(scores, 2)).toThrow(/every tree has a forbidden span/);
  });

  test("refuses a matrix or a list of the wrong length", () => {
    expect(() => decode(new Float32Array(5), 2)).toThrow(
      "scores of 2 tokens need 4 entries, not 5",
    );
    expect(() => decode(new Float32Array(0), -1)).toThrow("a sentence cannot have -1 tokens");
    const [scores, spans] = [new Float32Array(9), new Int32Array(2)];
    expect(() => decodeInto(scores, 3, spans, new Chart())).toThrow("takes 4 numbers");
  });
});

describe("a chart", () => {
  test("gives the same used again as fresh, whatever came before", () => {
    const chart = new Chart();
    const spans = new Int32Array(listLength(12));
    fc.assert(
      fc.property(realSentence(12), ({ size, scores }) => {
        const fresh = decode(scores, size);
        expect(decodeInto(scores, size, spans, chart)).toBe(fresh.score);
        expect(spans.subarray(0, listLength(size))).toEqual(fresh.spans);
        expect(countTrees(scores, size, chart)).toBe(countTrees(scores, size));
      }),
    );
  });

  test("writes as many numbers as the tree takes, and not one more", () => {
    for (const size of [0, 1, 2, 5]) {
      const spans = new Int32Array(10).fill(-1);
      decodeInto(new Float32Array(size * size), size, spans, new Chart());
      expect(spans.indexOf(-1)).toBe(listLength(size));
      expect(spans.lastIndexOf(-1)).toBe(9);
    }
  });

  test("stops growing once it has seen the longest sentence", () => {
    const chart = new Chart();
    decode(new Float32Array(400), 20, chart);
    const { rows, columns, weights } = chart;
    for (const size of [3, 20, 1, 0]) decode(new Float32Array(size * size), size, chart);
    expect(chart.rows).toBe(rows);
    expect(chart.columns).toBe(columns);
    expect(chart.weights).toBe(weights);
  });
});

describe("countTrees", () => {
  test("gives the Catalan numbers", () => {
    const counts = CATALAN.map((_, index) =>
      countTrees(new Float32Array((index + 1) ** 2), index + 1),
    );
    expect(counts).toEqual(CATALAN);
  });

  test("holds 500 tokens and refuses what exceeds a number", () => {
    expect(countTrees(new Float32Array(250_000), 500)).toBeGreaterThan(1e290);
    expect(() => countTrees(new Float32Array(360_000), 600)).toThrow(/too many trees/);
  });
});

describe("a list of spans", () => {
  test("becomes a tree over leaves", () => {
    const list = Int32Array.of(0, 3, 1, 3);
    expect(toPenn(toTree(list, words(3), "X"))).toBe("(X w0 (X w1 w2))");
    expect(toTree(new Int32Array(0), words(1))).toEqual({ word: "w0" });
    expect(() => toTree(new Int32Array(0), [])).toThrow("at least one token");
  });

  test("becomes the tree whose phrases it lists", () => {
    fc.assert(
      fc.property(tyingSentence(8), ({ size, scores }) => {
        const { spans } = decode(scores, size);
        const key = ({ begin, end }: { begin: number; end: number }) => `${begin}-${end}`;
        const phrases = constituents(toTree(spans, words(size), "X"));
        expect(phrases.map(key).sort()).toEqual(toSpans(spans).map(key).sort());
      }),
    );
  });

  test("loses the phrases with little evidence, but never the sentence", () => {
    const evidence: SpanMatrix = new Float32Array(16);
    const list = Int32Array.of(0, 4, 0, 3, 1, 3);
    evidence[spanIndex(4, 0, 3)] = 0.25;
    evidence[spanIndex(4, 1, 3)] = 0.5;
    expect(flatten(list, 4, evidence, 0)).toEqual(list);
    expect(flatten(list, 4, evidence, 0.5)).toEqual(Int32Array.of(0, 4, 1, 3));
    expect(flatten(list, 4, evidence, 1)).toEqual(Int32Array.of(0, 4));
  });
});
