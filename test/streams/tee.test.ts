import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tee } from "../../src/streams/tee.js";

async function* count(to: number, fails = false): AsyncGenerator<number> {
  for (let number = 0; number < to; number++) {
    await Promise.resolve();
    yield number;
  }
  if (fails) throw new Error("the source failed");
}

describe("one stream for two readers", () => {
  test("each gets all, in order, whoever asks when", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(12), fc.array(fc.nat(1)), async (size, turns) => {
        const readers = tee(count(size));
        const asked = [
          ...turns,
          ...Array<number>(size + 1).fill(0),
          ...Array<number>(size + 1).fill(1),
        ];
        const results: [Promise<IteratorResult<number>>[], Promise<IteratorResult<number>>[]] = [
          [],
          [],
        ];
        for (const reader of asked) {
          results[reader as 0 | 1].push((readers[reader] as (typeof readers)[0]).next());
        }
        for (const each of results) {
          const values = (await Promise.all(each)).filter(({ done }) => !done);
          expect(values.map(({ value }) => value)).toEqual([...Array(size).keys()]);
        }
      }),
    );
  });

  test("a failure comes to both, after what was before it", async () => {
    for (const reader of tee(count(3, true))) {
      const seen: number[] = [];
      const reading = async () => {
        for await (const item of reader) seen.push(item);
      };
      await expect(reading()).rejects.toThrow("the source failed");
      expect(seen).toEqual([0, 1, 2]);
    }
  });

  test("the source is closed when neither reads on", async () => {
    let isClosed = false;
    const source = (async function* () {
      try {
        yield* count(10);
      } finally {
        isClosed = true;
      }
    })();
    const [first, second] = tee(source) as [AsyncGenerator<number>, AsyncGenerator<number>];
    await first.next();
    await first.return(undefined);
    expect((await second.next()).value).toBe(0);
    expect(isClosed).toBe(false);
    await second.return(undefined);
    expect(isClosed).toBe(true);
  });
});
