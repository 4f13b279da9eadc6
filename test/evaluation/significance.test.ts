import { describe, expect, test } from "vitest";
import { corpusF1 } from "../../src/evaluation/score.js";
import { compareSystems } from "../../src/evaluation/significance.js";
import { Random } from "../../src/random.js";

function system(seed: number, size: number, skill: number) {
  const random = new Random(seed);
  return Array.from({ length: size }, () => {
    const [gold, predicted] = [5 + random.below(10), 5 + random.below(10)];
    const matched = Math.floor(Math.min(gold, predicted) * Math.min(1, skill * random.unit() * 2));
    return { gold, predicted, matched, f1: corpusF1(gold, predicted, matched) };
  });
}

const mean = (counts: { f1: number }[]) =>
  counts.reduce((sum, { f1 }) => sum + f1, 0) / counts.length;

describe("paired tests", () => {
  test("a system against itself is no different", () => {
    const one = system(1, 50, 0.5);
    const { sentenceF1 } = compareSystems(one, one, { trials: 200 });
    expect(sentenceF1).toEqual({ difference: 0, p: 1, interval: [0, 0] });
  });

  test("p agrees with all 2^n swaps", () => {
    const [a, b] = [system(2, 10, 0.55), system(3, 10, 0.4)];
    const observed = Math.abs(mean(a) - mean(b));
    let extreme = 0;
    for (let mask = 0; mask < 1024; mask++) {
      const signed = a.reduce(
        (sum, { f1 }, i) => sum + ((mask >> i) & 1 ? -1 : 1) * (f1 - (b[i]?.f1 ?? 0)),
        0,
      );
      if (Math.abs(signed) / 10 >= observed - 1e-12) extreme += 1;
    }
    const { sentenceF1 } = compareSystems(a, b, { trials: 20_000, seed: 4 });
    expect(sentenceF1.difference).toBeCloseTo(mean(a) - mean(b), 12);
    expect(Math.abs(sentenceF1.p - extreme / 1024)).toBeLessThan(0.015);
  });

  test("a better system is found, with an interval around its difference", () => {
    const { sentenceF1, corpusF1: corpus } = compareSystems(
      system(5, 300, 0.6),
      system(6, 300, 0.4),
      { trials: 2000 },
    );
    for (const { p, difference, interval } of [sentenceF1, corpus]) {
      expect(p).toBeLessThan(0.01);
      expect(interval[0]).toBeGreaterThan(0);
      expect(interval[0]).toBeLessThan(difference);
      expect(interval[1]).toBeGreaterThan(difference);
    }
  });

  test("the bootstrap's interval is as wide as the standard error says", () => {
    const [a, b] = [system(7, 400, 0.5), system(8, 400, 0.5)];
    const differences = a.map(({ f1 }, index) => f1 - (b[index]?.f1 ?? 0));
    const centre = differences.reduce((sum, value) => sum + value, 0) / 400;
    const error = Math.sqrt(
      differences.reduce((sum, value) => sum + (value - centre) ** 2, 0) / 400 / 400,
    );
    const [low, high] = compareSystems(a, b, { trials: 4000 }).sentenceF1.interval;
    expect((high - low) / (2 * 1.96 * error)).toBeCloseTo(1, 1);
  });

  test("the same seed gives the same result; different sentences are refused", () => {
    const [a, b] = [system(9, 30, 0.5), system(10, 30, 0.45)];
    expect(compareSystems(a, b, { trials: 500, seed: 3 })).toEqual(
      compareSystems(a, b, { trials: 500, seed: 3 }),
    );
    expect(() => compareSystems(a, b.slice(1))).toThrow(RangeError);
  });
});
