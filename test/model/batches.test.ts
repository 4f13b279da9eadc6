import fc from "fast-check";
import { expect, test } from "vitest";
import { cutBatches } from "../../src/model/span-model.js";
import { cutChunks } from "../../src/parser/worker-decoder.js";

const costs = fc.array(fc.integer({ min: 3, max: 50 }), { maxLength: 40 });

test("batches hold every sentence once, from short to long, each with those of its length", () => {
  fc.assert(
    fc.property(costs, fc.integer({ min: 20, max: 200 }), (sizes, budget) => {
      const batches = cutBatches(sizes, budget);
      expect(batches.flat().sort((a, b) => a - b)).toEqual([...sizes.keys()]);
      const sizesOf = batches.map((batch) => batch.map((index) => sizes[index] as number));
      expect(sizesOf.flat()).toEqual(sizes.toSorted((a, b) => a - b));
      for (const [size = 0, ...others] of sizesOf) {
        expect(others.every((other) => other === size)).toBe(true);
        const isWithin = size * (1 + others.length) <= budget;
        expect(others.length === 0 || isWithin).toBe(true);
      }
    }),
  );
});

test("no batch could be left out, and those of one length hold equally many", () => {
  const count = fc.integer({ min: 1, max: 200 });
  fc.assert(
    fc.property(count, fc.integer({ min: 1, max: 50 }), (sentences, size) => {
      const batches = cutBatches(new Array<number>(sentences).fill(size), 100);
      expect(batches).toHaveLength(Math.ceil(sentences / Math.floor(100 / size)));
      const lengths = batches.map((batch) => batch.length);
      expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1);
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
