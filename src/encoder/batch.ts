/**
 * Turns sentences into the arrays that BERT's graph takes. Usually a sentence is one row of pieces. A
 * sentence that is too long for the model takes several overlapping rows, and each word is read where
 * it has the most context. The graph does not notice: a word is an index into all rows.
 */

import type { Feed } from "../tensor/index.js";
import type { Pieces, SpecialTokens, WordPieces } from "./wordpiece.js";

export interface PieceBatch {
  /** What the graph takes, by the names of its inputs. */
  readonly feeds: {
    /** Piece numbers, [rows, pieces]. */
    readonly ids: Feed;
    /** Places in the row, [rows, pieces]. */
    readonly positions: Feed;
    /** All zeros: there is only ever one segment. */
    readonly types: Feed;
    /** 1 for a piece and 0 for padding, [rows, pieces]. */
    readonly seen: Feed;
    /** Of each word's last piece, row · pieces + place; [sentences, words], any number past the end. */
    readonly words: Feed;
  };
  /** How many words each sentence has. */
  readonly lengths: readonly number[];
}

export interface BatchOptions {
  /** The number of a row's first place, 0 unless given. */
  readonly firstPosition?: number | undefined;
  /** The words that each sentence is padded to; those of the longest unless given. */
  readonly paddedWords?: number | undefined;
}

export function makeBatch(
  sentences: readonly (readonly string[])[],
  wordPieces: WordPieces,
  maximumPieces: number,
  options?: BatchOptions,
): PieceBatch {
  const pieces = sentences.map((words) => wordPieces.sentence(words));
  return batchOfPieces(pieces, wordPieces, maximumPieces, options);
}

/** The same for words that are already split into pieces. */
export function batchOfPieces(
  sentences: readonly (readonly Pieces[])[],
  special: Pick<SpecialTokens, "begin" | "end" | "padding">,
  maximumPieces: number,
  { paddedWords, firstPosition = 0 }: BatchOptions = {},
): PieceBatch {
  const cut = sentences.map((words) => cutSentence(words, maximumPieces - 2));
  const rows = cut.flatMap(({ rows }) => rows);
  const pieces = Math.max(2, ...rows.map((row) => row.length + 2));
  const dims = [rows.length, pieces];
  const ids = new Int32Array(rows.length * pieces).fill(special.padding);
  const seen = new Float32Array(ids.length);
  for (const [index, row] of rows.entries()) {
    const start = index * pieces;
    ids[start] = special.begin;
    ids.set(row, start + 1);
    ids[start + row.length + 1] = special.end;
    seen.fill(1, start, start + row.length + 2);
  }
  return {
    feeds: {
      ids: { data: ids, dims },
      positions: { data: ids.map((_, i) => firstPosition + (i % pieces)), dims },
      types: { data: new Int32Array(ids.length), dims },
      seen: { data: seen, dims },
      words: wordPlaces(cut, pieces, paddedWords),
    },
    lengths: sentences.map((words) => words.length),
  };
}

/**
 * How many pieces a sentence takes, with the two around it. Sentences with the same number are cut
 * into rows of the same lengths.
 */
export function countPieces(
  words: readonly string[],
  wordPieces: WordPieces,
  maximumPieces: number,
): number {
  return countOfPieces(wordPieces.sentence(words), maximumPieces);
}

/** The same for words that are already split into pieces. */
export function countOfPieces(words: readonly Pieces[], maximumPieces: number): number {
  const capacity = maximumPieces - 2;
  return words.reduce((count, pieces) => count + Math.min(capacity, pieces.length), 2);
}

interface CutSentence {
  readonly rows: readonly (readonly number[])[];
  /** Of each word's last piece: the row, and the place in it without the piece before all. */
  readonly words: readonly { row: number; place: number }[];
}

function cutSentence(words: readonly Pieces[], capacity: number): CutSentence {
  const pieces: number[] = [];
  const last = words.map((word) => {
    // A row may be shorter than a word.
    for (let at = 0; at < word.length && at < capacity; at++) pieces.push(word[at] as number);
    return pieces.length - 1;
  });
  const starts = windowStarts(pieces.length, capacity);
  return {
    rows: starts.map((start) => pieces.slice(start, start + capacity)),
    words: last.map((at) => {
      const row = roomiestWindow(at, starts, capacity, pieces.length);
      return { row, place: at - (starts[row] as number) };
    }),
  };
}

/** Where windows begin that cover all pieces, spread evenly, overlapping by a quarter or more. */
export function windowStarts(pieces: number, capacity: number): number[] {
  if (pieces <= capacity) return [0];
  const stride = Math.max(1, Math.floor(capacity * 0.75));
  const gaps = Math.ceil((pieces - capacity) / stride);
  return Array.from({ length: gaps + 1 }, (_, i) => Math.round((i * (pieces - capacity)) / gaps));
}

/** The window in which the nearer end of the text shown is farthest; the text's own ends are no loss. */
function roomiestWindow(
  at: number,
  starts: readonly number[],
  capacity: number,
  pieces: number,
): number {
  let best = 0;
  let most = -1;
  for (let index = 0; index < starts.length; index++) {
    const start = starts[index] as number;
    const end = start + capacity;
    const before = start === 0 ? Number.POSITIVE_INFINITY : at - start;
    const after = end >= pieces ? Number.POSITIVE_INFINITY : end - 1 - at;
    const room = Math.min(before, after);
    if (room > most) {
      best = index;
      most = room;
    }
  }
  return best;
}

function wordPlaces(cut: readonly CutSentence[], pieces: number, paddedWords = 1): Feed {
  const longest = Math.max(paddedWords, ...cut.map(({ words }) => words.length));
  const data = new Int32Array(cut.length * longest);
  let firstRow = 0;
  for (const [sentence, { rows, words }] of cut.entries()) {
    let at = sentence * longest;
    for (const { row, place } of words) data[at++] = (firstRow + row) * pieces + place + 1;
    firstRow += rows.length;
  }
  return { data, dims: [cut.length, longest] };
}
