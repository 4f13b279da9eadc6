import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mapOrdered } from "../../src/streams/map-ordered.js";

async function* from<T>(items: readonly T[]) {
  yield* items;
}

describe("work side by side", () => {
  test("comes out in order, with no more begun than the limit, whatever each takes", async () => {
    const delays = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(delays, fc.integer({ min: 1, max: 4 }), async (times, limit) => {
        let [atWork, most] = [0, 0];
        const results: number[] = [];
        const work = async ([index, time]: [number, number]) => {
          most = Math.max(most, ++atWork);
          await sleep(time);
          atWork -= 1;
          return index;
        };
        for await (const result of mapOrdered(from([...times.entries()]), limit, work)) {
          results.push(result);
        }
        expect(results).toEqual([...times.keys()]);
        expect(most).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 30 },
    );
  });

  test("a result whose turn has come does not wait for the source", async () => {
    const source = (async function* () {
      yield 1;
      await new Promise(() => {});
    })();
    const results = mapOrdered(source, 3, async (item) => item * 2);
    expect(await results.next()).toEqual({ done: false, value: 2 });
  });

  test("a failure comes in its turn, that of the source last", async () => {
    let finish = () => {};
    const first = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const fails = mapOrdered(from([1, 2]), 2, async (item) => {
      if (item === 1) return first.then(() => item);
      finish();
      throw new Error("second");
    });
    expect((await fails.next()).value).toBe(1);
    await expect(fails.next()).rejects.toThrow("second");
    const broken = mapOrdered(
      (async function* () {
        yield 1;
        throw new Error("source");
      })(),
      3,
      async (item) => item,
    );
    expect((await broken.next()).value).toBe(1);
    await expect(broken.next()).rejects.toThrow("source");
  });
});
