import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  Chart,
  expectedF1Tree,
  phraseLoss,
  phraseProbabilities,
  type SpanMatrix,
  spanIndex,
  toSpans,
} from "../../src/chart/index.js";
import { multiplyByPhrases } from "../../src/chart/phrase-probability.js";
import type { Span } from "../../src/trees/tree.js";
import { allBinaryTrees } from "../brute-force.js";
import { closeTo, realSentence } from "./enumerate.js";

/** Every tree, binary or not, as the spans below the whole sentence. */
function* allFlatTrees(size: number): Generator<Span[]> {
  for (const binary of size > 0 ? allBinaryTrees(0, size) : []) {
    const inner = binary.filter(({ begin, end }) => end - begin < size);
    for (let choice = 0; choice < 2 ** inner.length; choice++) {
      yield inner.filter((_, index) => (choice >> index) & 1);
    }
  }
}

function expectedF1(spans: readonly Span[], probabilities: SpanMatrix, size: number): number {
  const at = ({ begin, end }: Span) => probabilities[spanIndex(size, begin, end)] as number;
  let expected = 0;
  for (let begin = 0; begin < size; begin++) {
    for (let end = begin + 2; end <= size; end++) {
      if (end - begin < size) expected += at({ begin, end });
    }
  }
  const sum = spans.reduce((total, span) => total + at(span), 0);
  return spans.length + expected === 0 ? 1 : (2 * sum) / (spans.length + expected);
}

const probabilities = realSentence(6).map(({ size, scores }) => ({
  size,
  matrix: scores.map((score) => Math.min(1, Math.max(0, score / 5))),
}));

describe("expectedF1Tree", () => {
  test("no tree, binary or not, has a larger expected F1", () => {
    const chart = new Chart();
    fc.assert(
      fc.property(probabilities, ({ size, matrix }) => {
        const { f1, spans } = expectedF1Tree(matrix, size, chart);
        const inner = toSpans(spans).filter(({ begin, end }) => end - begin < size);
        expect(f1).toBeCloseTo(expectedF1(inner, matrix, size), 9);
        let best = -1;
        for (const tree of allFlatTrees(size)) {
          best = Math.max(best, expectedF1(tree, matrix, size));
        }
        expect(f1).toBeCloseTo(best, 9);
      }),
      { numRuns: 200 },
    );
  });

  test("improbable phrases are left out, the whole sentence never", () => {
    const matrix = new Float32Array(16).fill(0.1);
    matrix[spanIndex(4, 0, 2)] = 0.9;
    expect(toSpans(expectedF1Tree(matrix, 4).spans)).toEqual([
      { begin: 0, end: 4 },
      { begin: 0, end: 2 },
    ]);
  });

  test("forbidden spans are not in the tree", () => {
    const matrix = new Float32Array(9).fill(0.9);
    matrix[spanIndex(3, 0, 2)] = Number.NEGATIVE_INFINITY;
    matrix[spanIndex(3, 1, 3)] = Number.NEGATIVE_INFINITY;
    expect(toSpans(expectedF1Tree(matrix, 3).spans)).toEqual([{ begin: 0, end: 3 }]);
  });
});

const shares = (size: number) =>
  fc
    .array(fc.double({ min: 0, max: 1, noNaN: true }), {
      minLength: size * size,
      maxLength: size * size,
    })
    .map((numbers) => Float64Array.from(numbers));

const testified = realSentence(6).chain(({ size, scores }) =>
  fc.record({
    size: fc.constant(size),
    scores: fc.constant(scores),
    positive: shares(size),
    negative: shares(size),
  }),
);

describe("phraseLoss", () => {
  test("multiplies marginals like a matrix of its own", () => {
    fc.assert(
      fc.property(testified, ({ size, scores, positive }) => {
        const marginals = Float32Array.from(positive);
        const phrase = phraseProbabilities(scores, size);
        const expected = marginals.map((marginal, at) => marginal * (phrase[at] as number));
        const found = multiplyByPhrases(marginals, scores, size);
        for (let begin = 0; begin < size; begin++) {
          for (let end = begin + 1; end <= size; end++) {
            const at = spanIndex(size, begin, end);
            expect(found[at]).toBe(expected[at]);
          }
        }
      }),
    );
  });

  test("is the logistic loss of what is supported and of what is doubted", () => {
    fc.assert(
      fc.property(testified, ({ size, scores, positive, negative }) => {
        const probabilities = phraseProbabilities(scores, size);
        let expected = 0;
        for (let begin = 0; begin < size; begin++) {
          for (let end = begin + 2; end <= size; end++) {
            if (end - begin === size) continue;
            const at = spanIndex(size, begin, end);
            const p = probabilities[at] as number;
            expected -= (positive[at] as number) * Math.log(p);
            expected -= (negative[at] as number) * Math.log(1 - p);
          }
        }
        const gradient = new Float64Array(size * size);
        const found = phraseLoss(scores, { positive, negative }, size, gradient);
        expect(found).toBeCloseTo(expected, 3);
      }),
    );
  });

  test("its gradient is that of finite differences, weighted", () => {
    fc.assert(
      fc.property(testified, ({ size, scores, positive, negative }) => {
        const targets = { positive, negative };
        const lossAt = (changed: Float64Array) =>
          phraseLoss(changed, targets, size, new Float64Array(size * size));
        const gradient = new Float64Array(size * size);
        phraseLoss(scores, targets, size, gradient, { weight: 2 });
        const differences = Float64Array.from(scores, (_, at) => {
          const [up, down] = [Float64Array.from(scores), Float64Array.from(scores)];
          up[at] = (up[at] as number) + 1e-4;
          down[at] = (down[at] as number) - 1e-4;
          return (2 * (lossAt(up) - lossAt(down))) / 2e-4;
        });
        closeTo(gradient, differences, 1e-5);
      }),
      { numRuns: 50 },
    );
  });

  test("large scores overflow nothing", () => {
    const [positive, negative] = [new Float32Array(9), new Float32Array(9).fill(1)];
    for (const score of [1000, -1000]) {
      const scores = new Float32Array(9).fill(score);
      const gradient = new Float32Array(9);
      expect(phraseLoss(scores, { positive, negative }, 3, gradient)).toBe(score > 0 ? 2000 : 0);
      expect(gradient.every(Number.isFinite)).toBe(true);
    }
  });
});
