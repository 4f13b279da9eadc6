import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Chart, decode, kBest, type SpanMatrix, spanIndex } from "../../src/chart/index.js";
import type { Span } from "../../src/trees/tree.js";
import { allTrees, realSentence, sumOver, toList, tyingSentence } from "./enumerate.js";

interface Ranked {
  readonly score: number;
  readonly spans: readonly Span[];
}

/** All trees of a span in the order that is promised: score, split, left part, right part. */
function inOrder(scores: SpanMatrix, size: number, begin = 0, end = size): Ranked[] {
  const own = scores[spanIndex(size, begin, end)] as number;
  if (end - begin === 1) return [{ score: own, spans: [] }];
  const found: Ranked[] = [];
  for (let split = begin + 1; split < end; split++) {
    for (const left of inOrder(scores, size, begin, split)) {
      for (const right of inOrder(scores, size, split, end)) {
        const spans = [{ begin, end }, ...left.spans, ...right.spans];
        found.push({ score: left.score + right.score + own, spans });
      }
    }
  }
  return found.sort((a, b) => b.score - a.score);
}

describe("kBest", () => {
  test("gives all trees in the promised order, and any k the first k of them", () => {
    fc.assert(
      fc.property(tyingSentence(7), fc.integer({ min: 1, max: 140 }), ({ size, scores }, k) => {
        const expected = inOrder(scores, size).map(({ score, spans }) => ({
          score,
          spans: toList(spans),
        }));
        expect(kBest(scores, size, 132)).toEqual(expected);
        expect(kBest(scores, size, k)).toEqual(expected.slice(0, k));
      }),
    );
  });

  test("gives distinct trees with their scores", () => {
    fc.assert(
      fc.property(realSentence(8), ({ size, scores }) => {
        const found = kBest(scores, size, 429);
        expect(found.length).toBe(allTrees(size).length);
        expect(new Set(found.map(({ spans }) => spans.join())).size).toBe(found.length);
        for (const [index, { score, spans }] of found.entries()) {
          expect(score).toBeCloseTo(sumOver(spans, size, scores), 9);
          expect(score).toBeLessThanOrEqual(found[index - 1]?.score ?? Number.POSITIVE_INFINITY);
        }
      }),
      { numRuns: 30 },
    );
  });

  test("begins with what decode finds, to the last bit", () => {
    const chart = new Chart();
    fc.assert(
      fc.property(realSentence(20), fc.integer({ min: 1, max: 4 }), ({ size, scores }, k) => {
        expect(kBest(scores, size, k, chart)[0]).toEqual(decode(scores, size));
      }),
    );
  });

  test("handles one token and none, and refuses k below 1", () => {
    expect(kBest(Float32Array.of(3), 1, 5)).toEqual([{ score: 3, spans: new Int32Array(0) }]);
    expect(kBest(new Float32Array(0), 0, 5)).toEqual([{ score: 0, spans: new Int32Array(0) }]);
    expect(() => kBest(Float32Array.of(3), 1, 0)).toThrow("cannot find the 0 best trees");
  });
});
