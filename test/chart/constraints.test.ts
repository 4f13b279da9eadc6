import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  constrain,
  countTrees,
  decode,
  kBest,
  minimumRisk,
  type SpanList,
  spanMarginals,
  toSpans,
} from "../../src/chart/index.js";
import { InputError } from "../../src/errors.js";
import type { Span } from "../../src/trees/tree.js";
import {
  allTrees,
  brackets,
  closeTo,
  entries,
  logSumExp,
  sumOver,
  tyingSentence,
} from "./enumerate.js";

const constrained = tyingSentence(8).chain(({ size, scores }) =>
  fc.record({
    size: fc.constant(size),
    scores: fc.constant(scores),
    required: brackets(size),
    forbidden: brackets(size),
  }),
);

function has(tree: SpanList, { begin, end }: Span): boolean {
  const isToken = end - begin === 1;
  return isToken || toSpans(tree).some((span) => span.begin === begin && span.end === end);
}

describe("constrain", () => {
  test("leaves the trees that meet the constraints, to every algorithm", () => {
    fc.assert(
      fc.property(constrained, ({ size, scores, required, forbidden }) => {
        const trees = allTrees(size).filter(
          (tree) =>
            required.every((span) => has(tree, span)) && !forbidden.some((span) => has(tree, span)),
        );
        const masked = () => constrain(scores, size, { required, forbidden });
        if (trees.length === 0) {
          expect(masked).toThrow(InputError);
          return;
        }
        const left = masked();
        expect(countTrees(left, size)).toBe(trees.length);
        const byScore = (tree: SpanList) => sumOver(tree, size, scores);
        const sorted = trees.map(byScore).sort((a, b) => b - a);
        const first = trees.find((tree) => byScore(tree) === sorted[0]);
        expect(decode(left, size)).toEqual({ score: sorted[0], spans: first });
        const ranked = kBest(left, size, 429);
        expect(ranked.map(({ score }) => score)).toEqual(sorted);
        const keys = (lists: readonly SpanList[]) => lists.map((list) => list.join()).sort();
        expect(keys(ranked.map(({ spans }) => spans))).toEqual(keys(trees));
        const total = logSumExp(sorted);
        const expected = new Float64Array(size * size);
        for (const tree of trees) {
          const probability = Math.exp(byScore(tree) - total);
          for (const at of entries(tree, size))
            expected[at] = (expected[at] as number) + probability;
        }
        const { marginals } = spanMarginals(left, size);
        closeTo(marginals, expected, 1e-6);
        const expectedRight = (tree: SpanList) => sumOver(tree, size, marginals);
        const leastRisk = minimumRisk(constrain(marginals, size, { required, forbidden }), size);
        expect(trees.map(String)).toContain(String(leastRisk.spans));
        expect(leastRisk.score).toBeCloseTo(Math.max(...trees.map(expectedRight)), 6);
      }),
      { numRuns: 300 },
    );
  });

  test("does not change the scores it is given", () => {
    const scores = new Float32Array(9);
    constrain(scores, 3, { required: [{ begin: 0, end: 2 }] });
    expect(scores).toEqual(new Float32Array(9));
  });

  const [early, late] = [
    { begin: 0, end: 2 },
    { begin: 1, end: 3 },
  ];
  test.each([
    [{ required: [early, late] }, "required brackets [0, 2) and [1, 3) cross"],
    [{ required: [early], forbidden: [early] }, "[0, 2) is both required and forbidden"],
    [{ forbidden: [{ begin: 0, end: 3 }] }, "forbidden bracket [0, 3) is in every tree"],
    [{ forbidden: [{ begin: 1, end: 2 }] }, "forbidden bracket [1, 2) is in every tree"],
    [{ forbidden: [early, late] }, "every binary tree has one of the forbidden brackets"],
    [{ required: [{ begin: 2, end: 4 }] }, "span [2, 4) exceeds the 3 tokens"],
  ])("%j is an error: %s", (constraints, problem) => {
    expect(() => constrain(new Float32Array(9), 3, constraints)).toThrow(InputError);
    expect(() => constrain(new Float32Array(9), 3, constraints)).toThrow(problem);
  });
});
