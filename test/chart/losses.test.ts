import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  Chart,
  decode,
  distillationLoss,
  looseCosts,
  type RampLoss,
  rampLoss,
  type SoftLossOptions,
  softLoss,
} from "../../src/chart/index.js";
import {
  allTrees,
  bestTree,
  closeTo,
  entries,
  enumeratedMarginals,
  realSentence,
  sumOver,
  tyingSentence,
  withCosts,
} from "./enumerate.js";

describe("rampLoss", () => {
  test("equals the definition: value, gradient, violations and cost", () => {
    const chart = new Chart();
    fc.assert(
      fc.property(withCosts(tyingSentence(8)), ({ size, scores, costs }) => {
        const raised = scores.map((score, at) => score + (costs[at] as number));
        const lowered = scores.map((score, at) => score - (costs[at] as number));
        const [augmented, diminished] = [bestTree(size, raised), bestTree(size, lowered)];
        const gradient = new Float64Array(size * size);
        for (const at of entries(augmented, size)) gradient[at] = (gradient[at] as number) + 1;
        for (const at of entries(diminished, size)) gradient[at] = (gradient[at] as number) - 1;
        const loss = sumOver(augmented, size, raised) - sumOver(diminished, size, lowered);
        const found = new Float64Array(size * size);
        expect(rampLoss(scores, costs, size, found, {}, chart)).toEqual({
          loss,
          violations: loss > 0 ? 1 : 0,
          cost: sumOver(diminished, size, costs),
        } satisfies RampLoss);
        expect(found).toEqual(gradient);
      }),
      { numRuns: 300 },
    );
  });

  test("is nothing where the best tree costs nothing by a margin", () => {
    const costs = looseCosts([{ begin: 1, end: 3 }], 3);
    const scores = Float32Array.of(0, 0, 0, 0, 0, 2, 0, 0, 0);
    const gradient = new Float32Array(9);
    expect(rampLoss(scores, costs, 3, gradient)).toEqual({ loss: 0, violations: 0, cost: 0 });
    expect(gradient).toEqual(new Float32Array(9));
  });

  test("adds to the gradient, weighted, and leaves shared spans alone", () => {
    const costs = looseCosts([{ begin: 0, end: 2 }], 3);
    const gradient = new Float32Array(9).fill(0.1);
    const { loss } = rampLoss(new Float32Array(9), costs, 3, gradient, { weight: 0.5 });
    expect(loss).toBe(1);
    const [kept, less, more] = [0.1, 0.1 - 0.5, 0.1 + 0.5].map(Math.fround) as [
      number,
      number,
      number,
    ];
    closeTo(gradient, [kept, less, kept, kept, kept, more, kept, kept, kept], 1e-7);
    expect(gradient[2]).toBe(kept);
  });
});

describe("softLoss", () => {
  const options: fc.Arbitrary<Required<Omit<SoftLossOptions, "weight">>> = fc.record({
    costFactor: fc.constantFrom(0.5, 1, 4),
    temperature: fc.constantFrom(0.5, 1, 2),
  });

  test("equals the definition, value and gradient", () => {
    const chart = new Chart();
    fc.assert(
      fc.property(withCosts(realSentence(8)), options, ({ size, scores, costs }, chosen) => {
        const { costFactor, temperature } = chosen;
        const all = enumeratedMarginals(
          size,
          scores.map((score) => score / temperature),
        );
        const agreeing = enumeratedMarginals(
          size,
          scores.map((score, at) => (score - costFactor * (costs[at] as number)) / temperature),
        );
        const gradient = new Float64Array(size * size);
        const { loss } = softLoss(scores, costs, size, gradient, chosen, chart);
        expect(loss).toBeCloseTo(temperature * (all.logPartition - agreeing.logPartition), 9);
        const expected = all.marginals.map(
          (value, at) => value - (agreeing.marginals[at] as number),
        );
        closeTo(gradient, expected, 1e-9);
      }),
    );
  });

  test("its gradient is that of finite differences, weight included", () => {
    fc.assert(
      fc.property(withCosts(realSentence(6)), options, ({ size, scores, costs }, chosen) => {
        const weight = 0.25;
        const gradient = new Float64Array(size * size);
        softLoss(scores, costs, size, gradient, { ...chosen, weight });
        const scratch = new Float64Array(size * size);
        const step = 1e-4;
        const differences = gradient.map((_, at) => {
          const lossAt = (shift: number) => {
            const shifted = Float64Array.from(scores);
            shifted[at] = (shifted[at] as number) + shift;
            return softLoss(shifted, costs, size, scratch, chosen).loss;
          };
          return (weight * (lossAt(step) - lossAt(-step))) / (2 * step);
        });
        closeTo(gradient, differences, 1e-6);
      }),
      { numRuns: 50 },
    );
  });

  test("tends to half of a ramp as the temperature falls", () => {
    fc.assert(
      fc.property(withCosts(tyingSentence(8)), ({ size, scores, costs }) => {
        const lowered = scores.map((score, at) => score - (costs[at] as number));
        const limit = decode(scores, size).score - decode(lowered, size).score;
        const gradient = new Float64Array(size * size);
        const { loss } = softLoss(scores, costs, size, gradient, { temperature: 1e-3 });
        expect(Math.abs(loss - limit)).toBeLessThan(0.01);
      }),
    );
  });

  test("adds to the gradient", () => {
    const costs = looseCosts([{ begin: 0, end: 2 }], 3);
    const [once, twice] = [new Float64Array(9), new Float64Array(9)];
    softLoss(new Float32Array(9), costs, 3, once);
    softLoss(new Float32Array(9), costs, 3, twice);
    softLoss(new Float32Array(9), costs, 3, twice);
    closeTo(
      twice,
      once.map((value) => 2 * value),
      1e-12,
    );
    expect(once[1]).toBeLessThan(0);
    expect(once[5]).toBeGreaterThan(0);
  });
});

describe("distillationLoss", () => {
  const two = fc.tuple(
    realSentence(7),
    fc.infiniteStream(fc.double({ min: -3, max: 3, noNaN: true })),
  );

  test("is the cross entropy of another distribution over trees, with its gradient", () => {
    const chart = new Chart();
    fc.assert(
      fc.property(two, ([{ size, scores }, stream]) => {
        const others = Float64Array.from(scores, () => stream.next().value as number);
        const other = enumeratedMarginals(size, others);
        const weights = allTrees(size).map((tree) =>
          Math.exp(sumOver(tree, size, others) - other.logPartition),
        );
        const own = enumeratedMarginals(size, scores);
        const crossEntropy = allTrees(size).reduce(
          (sum, tree, at) =>
            sum + (weights[at] as number) * (own.logPartition - sumOver(tree, size, scores)),
          0,
        );
        const gradient = new Float64Array(size * size);
        const { loss } = distillationLoss(
          scores,
          Float64Array.from(other.marginals),
          size,
          gradient,
          { weight: 0.5 },
          chart,
        );
        expect(loss).toBeCloseTo(crossEntropy, 6);
        const expected = own.marginals.map(
          (value, at) => 0.5 * (value - (other.marginals[at] as number)),
        );
        closeTo(gradient, expected, 1e-6);
      }),
      { numRuns: 60 },
    );
  });
});
