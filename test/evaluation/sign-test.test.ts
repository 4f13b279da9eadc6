import fc from "fast-check";
import { expect, test } from "vitest";
import { signTest } from "../../src/evaluation/sign-test.js";

/** Counts all sequences of directions. */
function bruteForce(one: number, other: number): number {
  const pairs = one + other;
  let uneven = 0;
  for (let bits = 0; bits < 2 ** pairs; bits++) {
    const ones = bits.toString(2).replaceAll("0", "").length;
    if (Math.abs(2 * ones - pairs) >= Math.abs(one - other)) uneven += 1;
  }
  return uneven / 2 ** pairs;
}

test("the sign test counts splits that are at least as uneven", () => {
  const few = fc.integer({ min: 0, max: 6 });
  fc.assert(
    fc.property(few, few, (one, other) => {
      expect(signTest(one, other)).toBeCloseTo(bruteForce(one, other), 10);
    }),
  );
});

test("many pairs are no problem", () => {
  expect(signTest(5000, 5000)).toBe(1);
  expect(signTest(5200, 4800)).toBeCloseTo(6.6e-5, 5);
  expect(signTest(9000, 1000)).toBe(0);
});
