import { expect, test } from "vitest";
import type { PieceBatch } from "../../src/encoder/batch.js";
import { packBatch } from "../../src/encoder/pack.js";

/** Rows of one and three pieces, and sentences of one and two words. */
const BATCH: PieceBatch = {
  feeds: {
    ids: { data: Int32Array.from([5, 0, 0, 6, 7, 8]), dims: [2, 3] },
    positions: { data: Int32Array.from([0, 1, 2, 0, 1, 2]), dims: [2, 3] },
    types: { data: new Int32Array(6), dims: [2, 3] },
    seen: { data: Float32Array.from([1, 0, 0, 1, 1, 1]), dims: [2, 3] },
    words: { data: Int32Array.from([0, 0, 4, 5]), dims: [2, 2] },
  },
  lengths: [1, 2],
};

test("a packed batch has the pieces without padding, and words point at them", () => {
  const { feeds, lengths } = packBatch(BATCH, 1);
  expect(feeds.ids).toEqual({ data: Int32Array.from([5, 6, 7, 8]), dims: [4] });
  expect(feeds.positions.data).toEqual(Int32Array.from([0, 0, 1, 2]));
  expect(feeds.words).toEqual({ data: Int32Array.from([0, 0, 2, 3]), dims: [2, 2] });
  expect(feeds.seen).toBe(BATCH.feeds.seen);
  expect(lengths).toEqual([1, 2]);
});

test("it says where each head of each piece stands among the padded ones, and back", () => {
  const { padded, packed } = packBatch(BATCH, 2).feeds;
  expect(padded.dims).toEqual([2, 2, 3]);
  expect([...padded.data]).toEqual([0, -1, -1, 1, -1, -1, 2, 4, 6, 3, 5, 7]);
  expect(packed.dims).toEqual([4, 2]);
  for (const [at, place] of packed.data.entries()) expect(padded.data[place]).toBe(at);
});
