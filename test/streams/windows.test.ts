import { describe, expect, test } from "vitest";
import { cutWindows, WINDOW_ITEMS } from "../../src/streams/windows.js";

async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of stream) all.push(each);
  return all;
}

/** In lists of this many. */
async function* numbers(count: number, size = 1) {
  for (let from = 0; from < count; from += size) {
    yield Array.from({ length: Math.min(size, count - from) }, (_, at) => from + at);
  }
}

describe("windows of a stream", () => {
  test("hold everything in order, and no more than fits", async () => {
    const count = 2 * WINDOW_ITEMS + 5;
    for (const size of [1, 7, WINDOW_ITEMS, 2 * WINDOW_ITEMS + 1]) {
      const windows = await collect(cutWindows(numbers(count, size), { wordsOf: () => 1 }));
      expect(windows.map(({ length }) => length)).toEqual([WINDOW_ITEMS, WINDOW_ITEMS, 5]);
      expect(windows.flat()).toEqual(Array.from({ length: count }, (_, index) => index));
    }
  });

  test("end when they have many words", async () => {
    for (const size of [1, 3, 5]) {
      const windows = await collect(cutWindows(numbers(5, size), { wordsOf: () => 20_000 }));
      expect(windows).toEqual([[0, 1], [2, 3], [4]]);
    }
  });

  test("an empty stream has none", async () => {
    expect(await collect(cutWindows(numbers(0), { wordsOf: () => 1 }))).toEqual([]);
    const empty = (async function* () {
      yield [];
      yield [];
    })();
    expect(await collect(cutWindows(empty, { wordsOf: () => 1 }))).toEqual([]);
  });

  test("what has come is not kept waiting where the stream pauses", async () => {
    let [release, isReleased]: [() => void, boolean] = [() => {}, false];
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const windows = cutWindows(
      (async function* () {
        yield [1];
        await held;
        isReleased = true;
        yield [2];
      })(),
      { wordsOf: () => 1, isLive: true },
    );
    expect((await windows.next()).value).toEqual([1]);
    expect(isReleased).toBe(false);
    release();
    expect((await windows.next()).value).toEqual([2]);
    expect((await windows.next()).done).toBe(true);
  });

  test("a failing source fails after what it gave", async () => {
    const windows = cutWindows(
      (async function* () {
        yield [1];
        throw new Error("gone");
      })(),
      { wordsOf: () => 1 },
    );
    expect((await windows.next()).value).toEqual([1]);
    await expect(windows.next()).rejects.toThrow("gone");
  });

  test("a reader that stops closes the source, and does not wait for one that hangs", async () => {
    let isClosed = false;
    const source = (async function* () {
      try {
        for (let number = 0; ; number++) yield [number];
      } finally {
        isClosed = true;
      }
    })();
    for await (const window of cutWindows(source, { wordsOf: () => 1 })) {
      expect(window).toHaveLength(WINDOW_ITEMS);
      break;
    }
    expect(isClosed).toBe(true);
    const hanging = (async function* () {
      yield [1];
      await new Promise(() => {});
    })();
    for await (const window of cutWindows(hanging, { wordsOf: () => 1, isLive: true })) {
      expect(window).toEqual([1]);
      break;
    }
  });
});
