import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  Chart,
  decode,
  flatten,
  logPartition,
  meanMatrix,
  minimumRisk,
  spanIndex,
  spanMarginals,
  toSpans,
} from "../../src/chart/index.js";
import { Random } from "../../src/random.js";
import {
  bestTree,
  closeTo,
  enumeratedMarginals,
  realSentence,
  sumOver,
  tyingSentence,
} from "./enumerate.js";

describe("spanMarginals", () => {
  test("equals the sum over all trees, at any temperature", () => {
    const chart = new Chart();
    fc.assert(
      fc.property(
        fc.oneof(realSentence(8), tyingSentence(8)),
        fc.constantFrom(0.25, 1, 3),
        ({ size, scores }, temperature) => {
          const expected = enumeratedMarginals(
            size,
            scores.map((score) => score / temperature),
          );
          const found = spanMarginals(scores, size, { temperature }, chart);
          expect(found.logPartition).toBeCloseTo(expected.logPartition, 9);
          expect(logPartition(scores, size, { temperature })).toBe(found.logPartition);
          closeTo(found.marginals, expected.marginals, 1e-6);
        },
      ),
    );
  });

  test("gives the same in a used chart as in a fresh one", () => {
    const chart = new Chart();
    fc.assert(
      fc.property(realSentence(12), ({ size, scores }) => {
        expect(spanMarginals(scores, size, {}, chart)).toEqual(spanMarginals(scores, size));
      }),
    );
  });

  // A constant added to every score changes no marginal; scores as large as that are summed as logarithms.
  test.each([
    [40, 0.5],
    [200, 5],
    [120, 60],
  ])("is the same by logarithms: %i tokens, scores to %d", (size, range) => {
    const random = new Random(size);
    const scores = Float64Array.from({ length: size * size }, () =>
      random.below(10) === 0 ? Number.NEGATIVE_INFINITY : range * (2 * random.unit() - 1),
    );
    for (let token = 0; token < size; token++) scores[token * size + token] = 0;
    scores[size - 1] = 0;
    const found = spanMarginals(scores, size);
    const raised = spanMarginals(
      scores.map((score) => score + 1000),
      size,
    );
    expect(found.logPartition).toBeCloseTo(raised.logPartition - 1000 * (2 * size - 1), 6);
    closeTo(found.marginals, raised.marginals, 1e-6);
  });

  test("knows the tree over one token, two, and none", () => {
    expect(spanMarginals(Float32Array.of(3), 1)).toEqual({
      logPartition: 3,
      marginals: Float32Array.of(1),
    });
    expect(spanMarginals(Float32Array.of(1, 2, 0, 4), 2)).toEqual({
      logPartition: 7,
      marginals: Float32Array.of(1, 1, 0, 1),
    });
    expect(spanMarginals(new Float32Array(0), 0).logPartition).toBe(0);
  });

  test("refuses a temperature that is not positive", () => {
    expect(() => spanMarginals(new Float32Array(4), 2, { temperature: 0 })).toThrow(
      "temperature 0",
    );
  });
});

describe("500 tokens", () => {
  const size = 500;

  /** The logarithms of the Catalan numbers: C(m + 1) = C(m) * (4 m + 2) / (m + 2). */
  const logCatalan = [0];
  for (let m = 0; m < size; m++) {
    logCatalan.push((logCatalan[m] as number) + Math.log((4 * m + 2) / (m + 2)));
  }

  test.each([0, 1e4, -1e4])("all scores %d: the marginals that counting gives", (score) => {
    const scores = new Float32Array(size * size).fill(score);
    const { logPartition: total, marginals } = spanMarginals(scores, size);
    const all = logCatalan[size - 1] as number;
    expect(total).toBeCloseTo(all + (2 * size - 1) * score, 5);
    for (let length = 1; length <= size; length++) {
      const inside = (logCatalan[length - 1] as number) + (logCatalan[size - length] as number);
      const expected = Math.exp(inside - all);
      for (const begin of [0, (size - length) >> 1, size - length]) {
        const found = marginals[spanIndex(size, begin, begin + length)] as number;
        expect(Math.abs(found / expected - 1)).toBeLessThan(1e-5);
      }
    }
  });

  test("scores from -1e4 to 1e4: probabilities that add up", () => {
    const random = new Random(1);
    const scores = new Float32Array(size * size).map(() => 2e4 * random.unit() - 1e4);
    const { logPartition: total, marginals } = spanMarginals(scores, size);
    const { score } = decode(scores, size);
    expect(total).toBeGreaterThanOrEqual(score - 1e-6);
    expect(total).toBeLessThan(score + (logCatalan[size - 1] as number));
    expect(marginals.filter((marginal) => !(marginal >= 0 && marginal <= 1 + 1e-6))).toEqual(
      new Float32Array(0),
    );
    expect(marginals.reduce((sum, marginal) => sum + marginal, 0)).toBeCloseTo(2 * size - 1, 3);
  });
});

describe("minimumRisk", () => {
  test("has the most spans right in expectation, over one chart or the mean of several", () => {
    fc.assert(
      fc.property(fc.array(realSentence(7), { minLength: 1, maxLength: 3 }), (sentences) => {
        const size = Math.min(...sentences.map((sentence) => sentence.size));
        const charts = sentences.map(
          ({ scores }) => spanMarginals(scores.slice(0, size * size), size).marginals,
        );
        const mean = meanMatrix(charts, size);
        const { score, spans } = minimumRisk(charts, size);
        expect(score).toBeCloseTo(sumOver(bestTree(size, mean), size, mean), 9);
        expect(sumOver(spans, size, mean)).toBeCloseTo(score, 9);
        expect(minimumRisk(mean, size).spans).toEqual(spans);
      }),
    );
  });

  test("flattens to spans that are a subset, the sure ones", () => {
    fc.assert(
      fc.property(
        realSentence(8),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (sentence, least) => {
          const { size, scores } = sentence;
          const { marginals } = spanMarginals(scores, size);
          const { spans } = minimumRisk(marginals, size);
          const sure = toSpans(spans).filter(
            ({ begin, end }) =>
              end - begin === size || (marginals[spanIndex(size, begin, end)] as number) >= least,
          );
          expect(toSpans(flatten(spans, size, marginals, least))).toEqual(sure);
        },
      ),
    );
  });

  test("needs a chart", () => {
    expect(() => minimumRisk([], 3)).toThrow("at least one matrix");
  });
});
