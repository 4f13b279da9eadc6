/** Spherical k-means against what it must do whatever the points, and against brute force on a few. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Random } from "../../src/random.js";
import {
  assignPoints,
  type ClusterOptions,
  clusterPoints,
  type Points,
  unitVector,
} from "../../src/training/clusters.js";

const width = 3;

function points(rows: readonly (readonly number[])[]): Points {
  const units = rows.map((row) => unitVector(Float32Array.from(row)) ?? new Float32Array(width));
  return { data: Float32Array.from(units.flatMap((row) => [...row])), width };
}

const coordinate = fc.integer({ min: -20, max: 20 });
const row = fc
  .tuple(coordinate, coordinate, coordinate)
  .filter((each) => each.some((value) => value !== 0));
const rows = fc.array(row, { minLength: 5, maxLength: 40 });

/** The largest sum of cosines over all ways to split the points: a cluster's is the length of its sum. */
function bestObjective({ data }: Points, k: number): number {
  const count = data.length / width;
  let best = 0;
  for (let code = 0; code < k ** count; code++) {
    const sums = new Float64Array(k * width);
    for (let point = 0, left = code; point < count; point++, left = Math.floor(left / k)) {
      for (let d = 0; d < width; d++) {
        const at = (left % k) * width + d;
        sums[at] = (sums[at] as number) + (data[point * width + d] as number);
      }
    }
    let total = 0;
    for (let at = 0; at < sums.length; at += width) {
      total += Math.hypot(...sums.subarray(at, at + width));
    }
    best = Math.max(best, total);
  }
  return best;
}

describe("clusters", () => {
  test("the objective never falls from round to round", async () => {
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.integer({ min: 1, max: 5 }),
        fc.nat(1000),
        async (given, k, seed) => {
          const objectives: number[][] = [[], []];
          const onRound: ClusterOptions["onRound"] = (objective, restart) =>
            objectives[restart]?.push(objective);
          const found = await clusterPoints(points(given), k, { seed, restarts: 2, onRound });
          for (const each of objectives) {
            for (let at = 1; at < each.length; at++) {
              expect(each[at]).toBeGreaterThanOrEqual((each[at - 1] as number) - 1e-4);
            }
          }
          expect(found.objective).toBe(
            Math.max(...objectives.map((each) => each.at(-1) as number)),
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  test("every point is in the cluster of the nearest centre, and centres have length 1", async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 5 }), async (given, k) => {
        const { centres, clusters } = await clusterPoints(points(given), k, { seed: 3 });
        expect([...assignPoints(points(given), centres).clusters]).toEqual([...clusters]);
        for (let at = 0; at < centres.length; at += width) {
          expect(Math.hypot(...centres.subarray(at, at + width))).toBeCloseTo(1, 5);
        }
      }),
      { numRuns: 200 },
    );
  });

  test("with many starts the best of all splits is found", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 3, maxLength: 6 }), async (given) => {
        const found = await clusterPoints(points(given), 3, { seed: 1, restarts: 60 });
        expect(found.objective).toBeCloseTo(bestObjective(points(given), 3), 3);
      }),
      { numRuns: 40 },
    );
  });

  test("a start does not depend on the others, and the best counts", async () => {
    const random = new Random(9);
    const given = Array.from({ length: 60 }, () => [0, 1, 2].map(() => random.unit() - 0.5));
    const last: number[] = [];
    const onRound = (objective: number, restart: number) => {
      last[restart] = objective;
    };
    const many = await clusterPoints(points(given), 6, { seed: 5, restarts: 8, onRound });
    const all = [...last];
    expect(many.objective).toBe(Math.max(...all));
    for (const restarts of [1, 3]) {
      last.length = 0;
      const few = await clusterPoints(points(given), 6, { seed: 5, restarts, onRound });
      expect(last).toEqual(all.slice(0, restarts));
      expect(few.objective).toBe(Math.max(...all.slice(0, restarts)));
    }
    expect(await clusterPoints(points(given), 6, { seed: 5, restarts: 8 })).toEqual(many);
  });

  test("clusters that were planted are found", async () => {
    const random = new Random(4);
    const directions = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      [-1, -1, -1],
    ];
    const planted = Array.from({ length: 200 }, (_, at) => at % 4);
    const near = (value: number) => value + 0.3 * (random.unit() - 0.5);
    const given = planted.map((cluster) => (directions[cluster] as number[]).map(near));
    const { clusters } = await clusterPoints(points(given), 4, { seed: 1 });
    const pairs = new Set(planted.map((cluster, at) => `${cluster} ${clusters[at]}`));
    expect([pairs.size, new Set(clusters).size]).toEqual([4, 4]);
  });

  test("equal points, and as many clusters as points", async () => {
    const { objective } = await clusterPoints(
      points([
        [1, 0, 0],
        [1, 0, 0],
        [1, 0, 0],
      ]),
      2,
      { seed: 1 },
    );
    expect(objective).toBeCloseTo(3, 5);
    const own = await clusterPoints(
      points([
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ]),
      3,
      { seed: 1 },
    );
    expect(new Set(own.clusters).size).toBe(3);
  });

  test("more clusters than points are refused", async () => {
    await expect(clusterPoints(points([[1, 0, 0]]), 2, { seed: 1 })).rejects.toThrow(RangeError);
  });
});
