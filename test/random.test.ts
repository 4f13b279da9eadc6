import { describe, expect, test } from "vitest";
import { Random } from "../src/random.js";

describe("random numbers", () => {
  test("are those of xoshiro128**", () => {
    const random = new Random([1, 2, 3, 4]);
    expect(Array.from({ length: 6 }, () => random.uint32())).toEqual([
      11520, 0, 5927040, 70819200, 2031721883, 1637235492,
    ]);
  });

  test("continue from a saved state", () => {
    const random = new Random(42);
    random.uint32();
    const copy = new Random(random.state);
    expect([copy.uint32(), copy.unit()]).toEqual([random.uint32(), random.unit()]);
  });

  test("differ between neighbouring seeds", () => {
    const firsts = Array.from({ length: 100 }, (_, seed) => new Random(seed).uint32());
    expect(new Set(firsts).size).toBe(100);
  });

  test("fill every bucket below a bound evenly", () => {
    const random = new Random(3);
    const counts = new Array<number>(7).fill(0);
    for (let draw = 0; draw < 70_000; draw++) {
      const bucket = random.below(7);
      counts[bucket] = (counts[bucket] ?? 0) + 1;
    }
    for (const count of counts)
      expect(Math.abs(count - 10_000)).toBeLessThan(5 * Math.sqrt(10_000));
    expect(() => random.below(0)).toThrow(RangeError);
  });
});
