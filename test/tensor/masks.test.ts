import { expect, test } from "vitest";
import { Random } from "../../src/random.js";
import { fillMask } from "../../src/tensor/train.js";

function drawn(rate: number, length: number, seed = 1): Float32Array {
  const mask = new Float32Array(length);
  fillMask(mask, rate, new Random(seed));
  return mask;
}

test("the right share is dropped, each entry independently of its neighbour", () => {
  for (const rate of [0.1, 0.33, 0.9]) {
    const mask = drawn(rate, 100_000);
    const zeros = mask.filter((value) => value === 0).length;
    const spread = Math.sqrt(100_000 * rate * (1 - rate));
    expect(Math.abs(zeros - 100_000 * rate)).toBeLessThan(4 * spread);
    const pairs = mask.filter((value, i) => value === 0 && mask[i + 1] === 0).length;
    const expected = 100_000 * rate ** 2;
    expect(Math.abs(pairs - expected)).toBeLessThan(6 * Math.sqrt(expected));
    expect(new Set(mask)).toEqual(new Set([0, Math.fround(1 / (1 - rate))]));
  }
});

test("the first and the last entry are dropped as often as others", () => {
  const masks = Array.from({ length: 4000 }, (_, seed) => drawn(0.25, 10, seed));
  for (const place of [0, 9]) {
    const zeros = masks.filter((mask) => mask[place] === 0).length;
    expect(Math.abs(zeros - 1000)).toBeLessThan(4 * Math.sqrt(4000 * 0.25 * 0.75));
  }
});

test("a seed gives the same mask again", () => {
  expect(drawn(0.1, 1000)).toEqual(drawn(0.1, 1000));
  expect(drawn(0.1, 1000)).not.toEqual(drawn(0.1, 1000, 2));
});

test("nothing is dropped at rate 0, and everything is no rate", () => {
  expect(drawn(0, 5)).toEqual(new Float32Array([1, 1, 1, 1, 1]));
  expect(() => drawn(1, 5)).toThrow(RangeError);
});
