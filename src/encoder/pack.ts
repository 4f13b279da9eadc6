/**
 * Takes the padding out of a batch for training. The pieces of all rows are one below the other, so that
 * every layer computes real pieces only. Attention alone needs rows of one length: the batch says where
 * each piece stands there, head by head.
 */

import type { Feed } from "../tensor/index.js";
import type { PieceBatch } from "./batch.js";

export interface PackedBatch {
  /** What the graph takes, by the names of its inputs. */
  readonly feeds: {
    /** Of each piece: its number, its place in the row, its segment; [packed]. */
    readonly ids: Feed;
    readonly positions: Feed;
    readonly types: Feed;
    /** 1 for a piece and 0 for padding, [rows, pieces]. */
    readonly seen: Feed;
    /** The packed piece and head at each place, piece · heads + head, or -1 for padding; [rows, heads, pieces]. */
    readonly padded: Feed;
    /** The place of each packed piece and head, as an index into [rows, heads, pieces]; [packed, heads]. */
    readonly packed: Feed;
    /** Of each word's last piece, as an index into the packed ones; [sentences, words], any number past the end. */
    readonly words: Feed;
  };
  /** How many words each sentence has. */
  readonly lengths: readonly number[];
}

export function packBatch({ feeds, lengths }: PieceBatch, heads: number): PackedBatch {
  const { seen, words } = feeds;
  const [rows, pieces] = seen.dims as [number, number];
  const kept: number[] = [];
  const packedAt = new Int32Array(seen.data.length);
  for (const [place, isSeen] of seen.data.entries()) {
    packedAt[place] = kept.length;
    if (isSeen) kept.push(place);
  }
  const padded = new Int32Array(rows * heads * pieces).fill(-1);
  const packed = new Int32Array(kept.length * heads);
  for (const [piece, place] of kept.entries()) {
    const row = Math.floor(place / pieces);
    for (let head = 0; head < heads; head++) {
      const at = (row * heads + head) * pieces + (place - row * pieces);
      padded[at] = piece * heads + head;
      packed[piece * heads + head] = at;
    }
  }
  const keep = ({ data }: Feed): Feed => ({
    data: Int32Array.from(kept, (place) => data[place] as number),
    dims: [kept.length],
  });
  return {
    feeds: {
      ids: keep(feeds.ids),
      positions: keep(feeds.positions),
      types: keep(feeds.types),
      seen,
      padded: { data: padded, dims: [rows, heads, pieces] },
      packed: { data: packed, dims: [kept.length, heads] },
      words: {
        data: Int32Array.from(words.data, (place) => packedAt[place] as number),
        dims: words.dims,
      },
    },
    lengths,
  };
}
