import fc from "fast-check";
import { expect, test } from "vitest";
import { cutBatches } from "../../src/model/span-model.js";
import { cutChunks } from "../../src/parser/worker-decoder.js";

const costs = fc.array(fc.integer({ min: 3, max: 50 }), { maxLength: 40 });

function longest(batch: readonly number[], of: readonly number[]): number {
  return Math.max(...batch.map((index) => of[index] as number));
}

function total(batches: readonly number[][], of: readonly number[], overhead: number): number {
  return batches.reduce((sum, batch) => sum + batch.length * longest(batch, of) + overhead, 0);
}

/** Every way to cut a list into stretches. */
function* cuts<T>(list: readonly T[]): Generator<T[][]> {
  if (list.length === 0) yield [];
  for (let end = 1; end <= list.length; end++) {
    for (const rest of cuts(list.slice(end))) yield [list.slice(0, end), ...rest];
  }
}

test("batches hold every sentence once, within their budget unless a sentence alone exceeds it", () => {
  fc.assert(
    fc.property(costs, fc.integer({ min: 20, max: 200 }), (sizes, budget) => {
      const batches = cutBatches(sizes, budget, 10);
      expect(batches.flat().sort((a, b) => a - b)).toEqual([...sizes.keys()]);
      for (const batch of batches) {
        expect(batch.length === 1 || batch.length * longest(batch, sizes) <= budget).toBe(true);
      }
    }),
  );
});

test("no other cut of the sorted sentences costs less", () => {
  const few = fc.array(fc.integer({ min: 3, max: 50 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(few, fc.integer({ min: 0, max: 60 }), (sizes, overhead) => {
      const sorted = [...sizes.keys()].sort((a, b) => (sizes[a] as number) - (sizes[b] as number));
      const allowed = [...cuts(sorted)].filter((batches) =>
        batches.every((batch) => batch.length === 1 || batch.length * longest(batch, sizes) <= 100),
      );
      const least = Math.min(...allowed.map((batches) => total(batches, sizes, overhead)));
      expect(total(cutBatches(sizes, 100, overhead), sizes, overhead)).toBe(least);
    }),
  );
});

test("chunks hold every sentence once, the longest first, and end when they are full", () => {
  fc.assert(
    fc.property(costs, (sizes) => {
      const chunks = cutChunks(sizes, 100);
      const ordered = chunks.flat().map((index) => sizes[index] as number);
      expect(chunks.flat().sort((a, b) => a - b)).toEqual([...sizes.keys()]);
      expect(ordered).toEqual(ordered.toSorted((a, b) => b - a));
      for (const chunk of chunks) {
        const words = chunk.slice(0, -1).reduce((sum, index) => sum + (sizes[index] as number), 0);
        expect(words).toBeLessThan(100);
      }
    }),
  );
});
